#include "present_table.h"

#include "findings.h"
#include "interval_index.h"
#include "validity.h"

#include <stdlib.h>
#include <string.h>

#define GUARD 64 /* B before and behind each device copy; a kernel that writes there is caught */

size_t resident_bytes, peak_bytes;
static struct interval_index by_host, by_device;
static unsigned char poison = 0xff;

void read_poison(void)
{
    const char *value = getenv("ACCLIMATE_POISON");
    if (value)
        poison = (unsigned char)strtol(value, NULL, 0);
}

unsigned char poison_byte(void)
{
    return poison;
}

struct mapping *overlapping_mapping(const void *host, size_t size)
{
    uintptr_t begin = (uintptr_t)host;
    const struct interval *hit = index_overlap(&by_host, begin, begin + (size ? size : 1));
    return hit ? hit->owner : NULL;
}

struct mapping *find_mapping(const void *host, size_t size)
{
    const struct interval *hit = index_find(&by_host, (uintptr_t)host);
    return hit && (uintptr_t)host + size <= hit->end ? hit->owner : NULL;
}

struct mapping *mapping_of_device_address(const void *device)
{
    const struct interval *hit = index_find(&by_device, (uintptr_t)device);
    return hit ? hit->owner : NULL;
}

char *device_address(const void *host)
{
    struct mapping *mapping = find_mapping(host, 1);
    return mapping ? in_device_copy(mapping, host) : NULL;
}

/* The copy lies at the same offset from a 64 B boundary as the original, so that code which
   peels loops for alignment rounds the same way on both. */
static void allocate_copy(struct mapping *mapping)
{
    size_t bytes = mapping->size + 3 * GUARD;
    mapping->block = malloc(bytes);
    if (!mapping->block)
        abort();
    memset(mapping->block, poison, bytes);
    uintptr_t aligned = ((uintptr_t)mapping->block + GUARD + 63) & ~(uintptr_t)63;
    mapping->device = (char *)aligned + ((uintptr_t)mapping->host & 63);
    if (mapping->device + mapping->size + GUARD > mapping->block + bytes)
        mapping->device -= 64;
}

struct mapping *add_mapping(const void *host, size_t size, const void *site)
{
    struct mapping *mapping = calloc(1, sizeof *mapping);
    if (!mapping)
        abort();
    mapping->host = (char *)host;
    mapping->size = size;
    mapping->site = site;
    allocate_copy(mapping);
    index_insert(&by_host, (uintptr_t)host, (uintptr_t)host + size, mapping);
    index_insert(&by_device, (uintptr_t)mapping->device, (uintptr_t)mapping->device + size, mapping);
    resident_bytes += size;
    if (resident_bytes > peak_bytes)
        peak_bytes = resident_bytes;
    validity_created(mapping);
    return mapping;
}

static bool all_poison(const char *from, const char *to)
{
    for (; from < to; from++)
        if ((unsigned char)*from != poison)
            return false;
    return true;
}

static void check_guards(const struct mapping *mapping, const void *site)
{
    const char *behind = mapping->device + mapping->size;
    if (!all_poison(mapping->device - GUARD / 2, mapping->device))
        report_finding(OUT_OF_BOUNDS, site, mapping, mapping->host, "written in front of the array");
    else if (!all_poison(behind, behind + GUARD / 2))
        report_finding(OUT_OF_BOUNDS, site, mapping, mapping->host, "written behind the array");
}

void remove_mapping(struct mapping *mapping, const void *site)
{
    check_guards(mapping, site);
    validity_removed(mapping);
    index_remove(&by_host, (uintptr_t)mapping->host);
    index_remove(&by_device, (uintptr_t)mapping->device);
    resident_bytes -= mapping->size;
    memset(mapping->device, poison, mapping->size); /* dangling device pointers read poison */
    free(mapping->block);
    free(mapping->attachments);
    free(mapping->cells);
    free(mapping);
}

static struct attachment *attachment_at(struct mapping *mapping, size_t offset)
{
    for (size_t i = 0; i < mapping->attachment_count; i++)
        if (mapping->attachments[i].offset == offset)
            return &mapping->attachments[i];
    size_t count = mapping->attachment_count + 1;
    mapping->attachments = realloc(mapping->attachments, count * sizeof *mapping->attachments);
    if (!mapping->attachments)
        abort();
    mapping->attachments[count - 1] = (struct attachment){offset, 0};
    mapping->attachment_count = count;
    return &mapping->attachments[count - 1];
}

bool attach_pointer(void **slot, size_t bias)
{
    struct mapping *mapping = find_mapping(slot, sizeof *slot);
    char *target = *slot;
    char *copy = target ? device_address(target + bias) : NULL;
    if (!mapping || (target && !copy))
        return false;
    attachment_at(mapping, (size_t)((char *)slot - mapping->host))->count++;
    *(void **)in_device_copy(mapping, slot) = copy ? copy - bias : NULL;
    validity_set_by_runtime(mapping, slot, sizeof *slot);
    return true;
}

void detach_pointer(void **slot, bool finalize)
{
    struct mapping *mapping = find_mapping(slot, sizeof *slot);
    if (!mapping)
        return;
    struct attachment *attachment = attachment_at(mapping, (size_t)((char *)slot - mapping->host));
    if (attachment->count)
        attachment->count = finalize ? 0 : attachment->count - 1;
    if (!attachment->count)
        *(void **)in_device_copy(mapping, slot) = *slot;
}

bool holds_attached_pointer(const struct mapping *mapping, const void *host, size_t size)
{
    size_t begin = (size_t)((const char *)host - mapping->host);
    for (size_t i = 0; i < mapping->attachment_count; i++) {
        const struct attachment *a = &mapping->attachments[i];
        if (a->count && a->offset + sizeof(void *) > begin && a->offset < begin + size)
            return true;
    }
    return false;
}

size_t mappings_left(size_t *bytes)
{
    *bytes = resident_bytes;
    return by_host.count;
}
