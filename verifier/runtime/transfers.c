#include "transfers.h"

#include "findings.h"
#include "validity.h"

#include <stdlib.h>
#include <string.h>

/* Copy all but the attached pointers of a structure: on each side they keep their own value. */
static void copy_around_pointers(char *to, const char *from, const struct mapping *mapping,
                                 size_t begin, size_t size)
{
    char *kept = malloc(size);
    if (!kept)
        abort();
    memcpy(kept, to, size);
    memcpy(to, from, size);
    for (size_t i = 0; i < mapping->attachment_count; i++) {
        const struct attachment *a = &mapping->attachments[i];
        if (a->count && a->offset >= begin && a->offset + sizeof(void *) <= begin + size)
            memcpy(to + (a->offset - begin), kept + (a->offset - begin), sizeof(void *));
    }
    free(kept);
}

static bool copy(char *to, const char *from, const struct mapping *mapping, size_t begin,
                 size_t size, const void *at)
{
    /* Equal bytes are not written back: the host side may be a literal in read-only memory. */
    if (memcmp(to, from, size) == 0)
        return false;
    if (holds_attached_pointer(mapping, mapping->host + begin, size)) {
        report_finding(ATTACHED_COPY, at, mapping, mapping->host + begin,
                       "a structure is copied while pointers in it are attached");
        copy_around_pointers(to, from, mapping, begin, size);
    } else {
        memcpy(to, from, size);
    }
    return true;
}

/* gfortran describes a section that is not contiguous by its first element and the extent of
   everything between its ends, which may reach past the array. */
static size_t within_mapping(const struct mapping *mapping, const void *host, size_t size,
                             const void *at)
{
    size_t room = mapping->size - (size_t)((const char *)host - mapping->host);
    if (size <= room)
        return size;
    report_finding(SECTION_OVERRUN, at, mapping, host,
                   "the compiler copies a non-contiguous section past the end of the array");
    return room;
}

void copy_to_device(struct mapping *mapping, const void *host, size_t size, const void *at,
                    enum reason reason)
{
    size = within_mapping(mapping, host, size, at);
    size_t begin = (size_t)((const char *)host - mapping->host);
    validity_copying_to_device(mapping, begin, size);
    bool changed = copy(mapping->device + begin, host, mapping, begin, size, at);
    record_transfer(at, reason, TO_DEVICE, size, changed);
}

void copy_to_host(struct mapping *mapping, void *host, size_t size, const void *at,
                  enum reason reason)
{
    size = within_mapping(mapping, host, size, at);
    size_t begin = (size_t)((const char *)host - mapping->host);
    validity_copying_to_host(mapping, begin, size);
    bool changed = copy(host, mapping->device + begin, mapping, begin, size, at);
    record_transfer(at, reason, TO_HOST, size, changed);
}

void spoil_copy(struct mapping *mapping, void *host, size_t size, bool to_device, const void *at)
{
    size = within_mapping(mapping, host, size, at);
    char *device = mapping->device + ((char *)host - mapping->host);
    char *to = to_device ? device : host;
    const char *from = to_device ? host : device;
    for (size_t i = 0; i < size; i += GRANULE) {
        size_t bytes = size - i < GRANULE ? size - i : GRANULE;
        if (memcmp(to + i, from + i, bytes) != 0)
            memset(to + i, poison_byte(), bytes);
    }
}
