#include "validity.h"

#include "findings.h"
#include "interval_index.h"
#include "code_address.h"

#include <stdlib.h>
#include <string.h>

/* A shadow word: three flags, and above them the code offset of the write behind the newer copy. */
enum { HOST_STALE = 1, DEVICE_STALE = 2, DEVICE_UNWRITTEN = 4, FLAGS = 7, WRITER_SHIFT = 3 };

static bool keeping;
static struct interval_index remains_index; /* ranges whose device copy is gone, host copy stale */
static uintptr_t lowest_stack_remains = UINTPTR_MAX;

void keep_validity(void)
{
    keeping = true;
}

static size_t granules(size_t size)
{
    return (size + GRANULE - 1) / GRANULE + 1; /* a range need not start on a granule */
}

static uint32_t *first_word(uint32_t *words, const char *range, const char *address)
{
    return words + ((uintptr_t)address / GRANULE - (uintptr_t)range / GRANULE);
}

static uint32_t *last_word(uint32_t *words, const char *range, const char *address, size_t size)
{
    return first_word(words, range, address + (size ? size - 1 : 0));
}

static void drop_remains(struct remains *remains)
{
    index_remove(&remains_index, (uintptr_t)remains->host);
    free(remains->validity);
    free(remains);
}

void forget_host_range(const void *address, size_t size)
{
    uintptr_t begin = (uintptr_t)address;
    const struct interval *hit;
    while (remains_index.count && (hit = index_overlap(&remains_index, begin, begin + size)))
        drop_remains(hit->owner);
}

void forget_stack_below(const void *frame)
{
    if ((uintptr_t)frame <= lowest_stack_remains)
        return;
    uintptr_t floor = (uintptr_t)frame - (8u << 20);
    const struct interval *hit;
    while ((hit = index_overlap(&remains_index, floor, (uintptr_t)frame)))
        drop_remains(hit->owner);
    lowest_stack_remains = UINTPTR_MAX;
}

void validity_created(struct mapping *mapping)
{
    if (!keeping)
        return;
    forget_host_range(mapping->host, mapping->size);
    size_t count = granules(mapping->size);
    mapping->validity = malloc(count * sizeof *mapping->validity);
    if (!mapping->validity)
        abort();
    for (size_t i = 0; i < count; i++)
        mapping->validity[i] = DEVICE_UNWRITTEN;
}

static bool any_host_stale(const struct mapping *mapping)
{
    for (size_t i = 0; i < granules(mapping->size); i++)
        if (mapping->validity[i] & HOST_STALE)
            return true;
    return false;
}

void validity_removed(struct mapping *mapping)
{
    if (!mapping->validity)
        return;
    if (!any_host_stale(mapping)) {
        free(mapping->validity);
        return;
    }
    struct remains *remains = malloc(sizeof *remains);
    if (!remains)
        abort();
    *remains = (struct remains){mapping->host, mapping->size, mapping->site, mapping->validity};
    uintptr_t begin = (uintptr_t)mapping->host;
    index_insert(&remains_index, begin, begin + mapping->size, remains);
    if (is_stack_address(mapping->host) && begin < lowest_stack_remains)
        lowest_stack_remains = begin;
}

void validity_pointer_set(struct mapping *mapping, const void *slot)
{
    if (!mapping->validity)
        return;
    uint32_t *word = first_word(mapping->validity, mapping->host, slot);
    uint32_t *last = last_word(mapping->validity, mapping->host, slot, sizeof(void *));
    for (; word <= last; word++)
        *word &= ~(uint32_t)(DEVICE_STALE | DEVICE_UNWRITTEN);
}

/* Copying a stale value makes both copies stale: the newer value is lost, and whoever reads
   either copy before it is written again reads something else than the original program. */
void validity_copied_to_device(struct mapping *mapping, size_t begin, size_t size)
{
    if (!mapping->validity)
        return;
    const char *host = mapping->host + begin;
    uint32_t *word = first_word(mapping->validity, mapping->host, host);
    uint32_t *last = last_word(mapping->validity, mapping->host, host, size);
    for (; word <= last; word++) {
        *word &= ~(uint32_t)DEVICE_UNWRITTEN;
        if (*word & HOST_STALE)
            *word |= DEVICE_STALE;
        else
            *word &= ~(uint32_t)DEVICE_STALE;
    }
}

void validity_copied_to_host(struct mapping *mapping, size_t begin, size_t size)
{
    if (!mapping->validity)
        return;
    const char *host = mapping->host + begin;
    uint32_t *word = first_word(mapping->validity, mapping->host, host);
    uint32_t *last = last_word(mapping->validity, mapping->host, host, size);
    for (; word <= last; word++) {
        if (*word & (DEVICE_STALE | DEVICE_UNWRITTEN))
            *word |= HOST_STALE;
        else
            *word &= ~(uint32_t)HOST_STALE;
    }
}

static void report_stale(enum finding_kind kind, uint32_t word, const void *at,
                         const struct mapping *mapping, const void *host, const char *detail)
{
    struct finding *finding = report_finding(kind, at, mapping, host, detail);
    if (finding && finding->count == 1)
        finding->writer = code_at(word >> WRITER_SHIFT);
}

static void read_on_host(uint32_t *words, const struct mapping *as, const char *address,
                         size_t size, const void *at)
{
    uint32_t *word = first_word(words, as->host, address);
    uint32_t *last = last_word(words, as->host, address, size);
    for (; word <= last; word++) {
        if (!(*word & HOST_STALE))
            continue;
        if (*word & DEVICE_UNWRITTEN)
            report_stale(UNINITIALISED, *word, at, as, address,
                         "the host reads what was copied from device memory never written");
        else
            report_stale(STALE_ON_HOST, *word, at, as, address,
                         "the host reads a value that the device has replaced");
        return;
    }
}

static void read_remains(const char *address, size_t size, const void *at)
{
    const struct interval *hit = index_find(&remains_index, (uintptr_t)address);
    if (!hit)
        return;
    const struct remains *remains = hit->owner;
    struct mapping as = {.host = remains->host, .size = remains->size, .site = remains->site};
    if (address + size > remains->host + remains->size)
        size = (size_t)(remains->host + remains->size - address);
    read_on_host(remains->validity, &as, address, size, at);
}

void host_reads(const void *address, size_t size, const void *at)
{
    const char *from = address;
    if (remains_index.count)
        read_remains(from, size, at);
    struct mapping *mapping = find_mapping(from, 1);
    if (!mapping || !mapping->validity)
        return;
    size_t room = (size_t)(mapping->host + mapping->size - from);
    read_on_host(mapping->validity, mapping, from, size < room ? size : room, at);
}

static void write_words(uint32_t *words, const char *range, const char *address, size_t size,
                        uint32_t clear, uint32_t set, const void *at)
{
    uint32_t writer = code_offset(at) << WRITER_SHIFT;
    uint32_t *word = first_word(words, range, address);
    uint32_t *last = last_word(words, range, address, size);
    for (; word <= last; word++)
        *word = (*word & FLAGS & ~clear) | set | writer;
}

void host_writes(const void *address, size_t size, const void *at)
{
    const char *to = address;
    const struct interval *hit;
    if (remains_index.count && (hit = index_find(&remains_index, (uintptr_t)to))) {
        struct remains *remains = hit->owner;
        size_t room = (size_t)(remains->host + remains->size - to);
        write_words(remains->validity, remains->host, to, size < room ? size : room, HOST_STALE, 0,
                    at);
    }
    struct mapping *mapping = find_mapping(to, 1);
    if (!mapping || !mapping->validity)
        return;
    size_t room = (size_t)(mapping->host + mapping->size - to);
    write_words(mapping->validity, mapping->host, to, size < room ? size : room, HOST_STALE,
                DEVICE_STALE, at);
}

void kernel_reads(struct mapping *mapping, const void *device, size_t size, const void *at)
{
    if (!mapping->validity)
        return;
    const char *host = mapping->host + ((const char *)device - mapping->device);
    uint32_t *word = first_word(mapping->validity, mapping->host, host);
    uint32_t *last = last_word(mapping->validity, mapping->host, host, size);
    for (; word <= last; word++) {
        if (*word & DEVICE_STALE)
            report_stale(STALE_ON_DEVICE, *word, at, mapping, host,
                         "a kernel reads a value that the host has replaced");
        else if (*word & DEVICE_UNWRITTEN)
            report_stale(UNINITIALISED, 0, at, mapping, host,
                         "a kernel reads device memory that was never written");
        else
            continue;
        return;
    }
}

void kernel_writes(struct mapping *mapping, const void *device, size_t size, const void *at)
{
    if (!mapping->validity)
        return;
    const char *host = mapping->host + ((const char *)device - mapping->device);
    write_words(mapping->validity, mapping->host, host, size, DEVICE_STALE | DEVICE_UNWRITTEN,
                HOST_STALE, at);
}
