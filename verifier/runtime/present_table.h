/* What is on the device: host ranges, their device copies, reference counts and attached pointers. */
#ifndef ACCLIMATE_PRESENT_TABLE_H
#define ACCLIMATE_PRESENT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attachment {
    size_t offset; /* of the pointer in its mapping, B */
    unsigned count;
};

struct race_cell;

struct mapping {
    char *host;
    size_t size; /* B */
    char *device;
    char *block;      /* the allocation around `device`, with its guard zones */
    unsigned structured, dynamic; /* OpenACC's two reference counters */
    bool from_members; /* made for members of a structure that is not mapped as a whole */
    bool dangling;     /* the host memory has been released */
    const void *site;  /* return address of the directive that mapped it */
    struct attachment *attachments;
    size_t attachment_count;
    uint32_t *validity;      /* see validity.c; NULL unless accesses are logged */
    struct race_cell *cells; /* one per granule, made on the first access in a kernel */
};

extern size_t resident_bytes, peak_bytes;

/* The mapping that holds all `size` bytes at `host` (one byte if size is 0), or NULL. */
struct mapping *find_mapping(const void *host, size_t size);
/* Any mapping that shares a byte with the range, or NULL. */
struct mapping *overlapping_mapping(const void *host, size_t size);
struct mapping *mapping_of_device_address(const void *device);

/* Map a range that is not mapped: device memory holds the poison pattern, counters are zero. */
struct mapping *add_mapping(const void *host, size_t size, const void *site);
void remove_mapping(struct mapping *mapping, const void *site);

/* Where `host` lives on the device, or NULL. */
char *device_address(const void *host);
static inline char *in_device_copy(const struct mapping *mapping, const void *host)
{
    return mapping->device + ((const char *)host - mapping->host);
}

/* Point the device copy of the pointer at `slot` to the device copy of its target. */
bool attach_pointer(void **slot, size_t bias);
/* Undo one attach; with `finalize` all of them. The device copy then holds the host's value. */
void detach_pointer(void **slot, bool finalize);
bool holds_attached_pointer(const struct mapping *mapping, const void *host, size_t size);

size_t mappings_left(size_t *bytes);
unsigned char poison_byte(void);
void read_poison(void);

#endif
