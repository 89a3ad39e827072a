#include "validity.h"

#include "code_address.h"
#include "findings.h"
#include "interval_index.h"

#include <stdlib.h>
#include <string.h>

/* A shadow word: three flags, and above them the code offset of the write behind the newer copy.
   Behind the words of a range lie as many with the bytes that the stale side held when it became
   stale: code that is not instrumented writes unseen, and is recognised by its bytes. */
enum { HOST_STALE = 1, DEVICE_STALE = 2, DEVICE_UNWRITTEN = 4, FLAGS = 7, WRITER_SHIFT = 3 };

/* One granule of a range, on both sides. */
struct granule {
    uint32_t *word, *before;
    uint32_t host, device; /* the bytes there now; `device` only where there is a device copy */
};

/* A range while it is walked over, granule by granule. */
struct walk {
    const struct mapping *mapping;
    size_t next, last; /* granule numbers */
};

static bool keeping;
static struct interval_index remains_index; /* device copy gone, host copy stale */
static uintptr_t lowest_stack_remains = UINTPTR_MAX;

void keep_validity(void)
{
    keeping = true;
}

static size_t granule_count(size_t size)
{
    return (size + GRANULE - 1) / GRANULE + 1; /* a range need not start on a granule */
}

static struct walk walk_over(const struct mapping *mapping, const char *host, size_t size)
{
    size_t room = (size_t)(mapping->host + mapping->size - host);
    if (size > room)
        size = room;
    uintptr_t origin = (uintptr_t)mapping->host / GRANULE;
    uintptr_t end = (uintptr_t)host + (size ? size - 1 : 0);
    return (struct walk){mapping, (uintptr_t)host / GRANULE - origin, end / GRANULE - origin};
}

/* Both copies lie at the same offset from a granule boundary (see allocate_copy). */
static uint32_t bytes_at(const char *range, size_t number)
{
    uint32_t bytes;
    const char *aligned = (const char *)((uintptr_t)range & ~(uintptr_t)(GRANULE - 1));
    memcpy(&bytes, aligned + number * GRANULE, sizeof bytes);
    return bytes;
}

static bool next_granule(struct walk *walk, struct granule *granule)
{
    if (walk->next > walk->last)
        return false;
    const struct mapping *mapping = walk->mapping;
    granule->word = mapping->validity + walk->next;
    granule->before = granule->word + granule_count(mapping->size);
    granule->host = bytes_at(mapping->host, walk->next);
    granule->device = mapping->device ? bytes_at(mapping->device, walk->next) : 0;
    walk->next++;
    return true;
}

static uint32_t poison_bytes(void)
{
    return 0x01010101u * poison_byte();
}

static bool unseen_host_write(const struct granule *g)
{
    return (*g->word & HOST_STALE) && g->host != *g->before;
}

static bool unseen_device_write(const struct granule *g)
{
    if (*g->word & DEVICE_STALE)
        return g->device != *g->before;
    return (*g->word & DEVICE_UNWRITTEN) && g->device != poison_bytes();
}

/* --- ranges without a device copy -------------------------------------------------------------- */

static void drop_remains(struct mapping *remains)
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
    uintptr_t floor = (uintptr_t)frame - (64u << 20);
    const struct interval *hit;
    while ((hit = index_overlap(&remains_index, floor, (uintptr_t)frame)))
        drop_remains(hit->owner);
    lowest_stack_remains = UINTPTR_MAX;
    if ((hit = index_overlap(&remains_index, (uintptr_t)frame, UINTPTR_MAX)))
        lowest_stack_remains = hit->begin;
}

static bool any_host_stale(const struct mapping *mapping)
{
    for (size_t i = 0; i < granule_count(mapping->size); i++)
        if (mapping->validity[i] & HOST_STALE)
            return true;
    return false;
}

void validity_created(struct mapping *mapping)
{
    if (!keeping)
        return;
    forget_host_range(mapping->host, mapping->size);
    size_t count = granule_count(mapping->size);
    mapping->validity = malloc(2 * count * sizeof *mapping->validity);
    if (!mapping->validity)
        abort();
    for (size_t i = 0; i < count; i++)
        mapping->validity[i] = DEVICE_UNWRITTEN;
}

void validity_removed(struct mapping *mapping)
{
    if (!mapping->validity)
        return;
    if (!any_host_stale(mapping)) {
        free(mapping->validity);
        return;
    }
    struct mapping *remains = calloc(1, sizeof *remains);
    if (!remains)
        abort();
    remains->host = mapping->host;
    remains->size = mapping->size;
    remains->site = mapping->site;
    remains->validity = mapping->validity;
    uintptr_t begin = (uintptr_t)mapping->host;
    index_insert(&remains_index, begin, begin + mapping->size, remains);
    if (is_stack_address(mapping->host) && begin < lowest_stack_remains)
        lowest_stack_remains = begin;
}

/* --- copies ------------------------------------------------------------------------------------ */

void validity_set_by_runtime(struct mapping *mapping, const void *host, size_t size)
{
    if (!mapping->validity)
        return;
    struct walk walk = walk_over(mapping, host, size);
    for (struct granule g; next_granule(&walk, &g);)
        *g.word &= ~(uint32_t)(DEVICE_STALE | DEVICE_UNWRITTEN);
}

/* Copying a stale value makes both copies stale: the newer value is lost, and whoever reads
   either copy before it is written again reads something else than the original program.
   Where both sides hold the same bytes nothing is lost, unless it was lost before. */
void validity_copying_to_device(struct mapping *mapping, size_t begin, size_t size)
{
    if (!mapping->validity)
        return;
    struct walk walk = walk_over(mapping, mapping->host + begin, size);
    for (struct granule g; next_granule(&walk, &g);) {
        bool lost_before = (*g.word & HOST_STALE) && (*g.word & (DEVICE_STALE | DEVICE_UNWRITTEN));
        bool lost = (*g.word & HOST_STALE) && !unseen_host_write(&g)
                    && (g.host != g.device || lost_before);
        *g.word &= ~(uint32_t)(DEVICE_UNWRITTEN | DEVICE_STALE | HOST_STALE);
        if (lost)
            *g.word |= HOST_STALE | DEVICE_STALE;
    }
}

void validity_copying_to_host(struct mapping *mapping, size_t begin, size_t size)
{
    if (!mapping->validity)
        return;
    struct walk walk = walk_over(mapping, mapping->host + begin, size);
    for (struct granule g; next_granule(&walk, &g);) {
        uint32_t old = *g.word & (DEVICE_STALE | DEVICE_UNWRITTEN);
        bool lost_before = old && (*g.word & HOST_STALE);
        bool lost = old && !unseen_device_write(&g) && (g.host != g.device || lost_before);
        *g.word &= ~(uint32_t)(DEVICE_UNWRITTEN | DEVICE_STALE | HOST_STALE);
        if (lost) {
            *g.word |= HOST_STALE | old;
            *g.before = g.device;
        }
    }
}

/* --- accesses ---------------------------------------------------------------------------------- */

static void report_stale(enum finding_kind kind, uint32_t word, const void *at,
                         const struct mapping *mapping, const void *host, const char *detail)
{
    struct finding *finding = report_finding(kind, at, mapping, host, detail);
    if (finding && finding->count == 1)
        finding->writer = code_at(word >> WRITER_SHIFT);
    stop_if_asked();
}

static void mark_written(struct granule *g, uint32_t clear, uint32_t set, uint32_t old_bytes,
                         uint32_t writer)
{
    if (!(*g->word & set))
        *g->before = old_bytes;
    else if (!writer)
        writer = *g->word >> WRITER_SHIFT; /* a library writes for the statement already known */
    *g->word = (*g->word & FLAGS & ~clear) | set | writer << WRITER_SHIFT;
}

/* Whether any granule of the range carries one of the flags: nearly always none does. */
static bool any_flag(const struct walk *walk, uint32_t flags)
{
    uint32_t found = 0;
    for (size_t i = walk->next; i <= walk->last; i++)
        found |= walk->mapping->validity[i];
    return found & flags;
}

static void read_on_host(const struct mapping *mapping, const char *host, size_t size,
                         const void *at)
{
    struct walk walk = walk_over(mapping, host, size);
    if (!any_flag(&walk, HOST_STALE))
        return;
    for (struct granule g; next_granule(&walk, &g);) {
        if (!(*g.word & HOST_STALE))
            continue;
        if (unseen_host_write(&g)) {
            mark_written(&g, HOST_STALE, mapping->device ? DEVICE_STALE : 0, g.device, 0);
            continue;
        }
        if (*g.word & DEVICE_UNWRITTEN)
            report_stale(UNINITIALISED, *g.word, at, mapping, host,
                         "the host reads what was copied from device memory never written");
        else
            report_stale(STALE_ON_HOST, *g.word, at, mapping, host,
                         "the host reads a value that the device has replaced");
        return;
    }
}

static const struct mapping *shadowed(const char *host)
{
    const struct interval *hit = remains_index.count ? index_find(&remains_index, (uintptr_t)host)
                                                     : NULL;
    if (hit)
        return hit->owner;
    struct mapping *mapping = find_mapping(host, 1);
    return mapping && mapping->validity ? mapping : NULL;
}

void host_reads(const void *address, size_t size, const void *at)
{
    const struct mapping *mapping = shadowed(address);
    if (mapping)
        read_on_host(mapping, address, size, at);
}

void host_writes(const void *address, size_t size, const void *at)
{
    const struct mapping *mapping = shadowed(address);
    if (!mapping)
        return;
    uint32_t writer = code_offset(at);
    struct walk walk = walk_over(mapping, address, size);
    for (struct granule g; next_granule(&walk, &g);)
        mark_written(&g, HOST_STALE, mapping->device ? DEVICE_STALE : 0, g.device, writer);
}

static const char *on_host(const struct mapping *mapping, const void *device)
{
    return mapping->host + ((const char *)device - mapping->device);
}

void kernel_reads(struct mapping *mapping, const void *device, size_t size, const void *at)
{
    if (!mapping->validity)
        return;
    const char *host = on_host(mapping, device);
    struct walk walk = walk_over(mapping, host, size);
    if (!any_flag(&walk, DEVICE_STALE | DEVICE_UNWRITTEN))
        return;
    for (struct granule g; next_granule(&walk, &g);) {
        if (!(*g.word & (DEVICE_STALE | DEVICE_UNWRITTEN)))
            continue;
        if (unseen_device_write(&g)) {
            mark_written(&g, DEVICE_STALE | DEVICE_UNWRITTEN, HOST_STALE, g.host, 0);
            continue;
        }
        if (*g.word & DEVICE_STALE)
            report_stale(STALE_ON_DEVICE, *g.word, at, mapping, host,
                         "a kernel reads a value that the host has replaced");
        else
            report_stale(UNINITIALISED, 0, at, mapping, host,
                         "a kernel reads device memory that was never written");
        return;
    }
}

void kernel_writes(struct mapping *mapping, const void *device, size_t size, const void *at)
{
    if (!mapping->validity)
        return;
    uint32_t writer = code_offset(at);
    struct walk walk = walk_over(mapping, on_host(mapping, device), size);
    for (struct granule g; next_granule(&walk, &g);)
        mark_written(&g, DEVICE_STALE | DEVICE_UNWRITTEN, HOST_STALE, g.host, writer);
}
