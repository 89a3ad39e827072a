/* Mapping kinds of the compiler's OpenACC interface (low byte of each `kinds` entry). */
#ifndef ACCLIMATE_MAP_KINDS_H
#define ACCLIMATE_MAP_KINDS_H

#include <stdbool.h>

enum map_kind {
    MAP_ALLOC = 0x00,
    MAP_TO = 0x01,
    MAP_FROM = 0x02,
    MAP_TOFROM = 0x03,
    MAP_POINTER = 0x04,        /* a pointer to an array; the size is the bias of the section */
    MAP_TO_PSET = 0x05,        /* a Fortran array descriptor */
    MAP_FORCE_PRESENT = 0x06,
    MAP_DELETE = 0x07,         /* exit data delete finalize */
    MAP_DEVICEPTR = 0x08,
    MAP_DEVICE_RESIDENT = 0x09,
    MAP_LINK = 0x0a,
    MAP_IF_PRESENT = 0x0b,     /* no_create */
    MAP_FIRSTPRIVATE = 0x0c,
    MAP_FIRSTPRIVATE_INT = 0x0d, /* the value itself travels in place of an address */
    MAP_USE_DEVICE = 0x0e,
    MAP_ZERO_LENGTH = 0x0f,
    MAP_USE_DEVICE_IF_PRESENT = 0x10,
    MAP_ALWAYS_TO = 0x11,
    MAP_ALWAYS_FROM = 0x12,
    MAP_ALWAYS_TOFROM = 0x13,
    MAP_RELEASE = 0x17,        /* exit data delete */
    MAP_STRUCT = 0x1c,         /* the size is the number of members that follow */
    MAP_ALWAYS_POINTER = 0x1d,
    MAP_ATTACH = 0x50,
    MAP_DETACH = 0x51,
    MAP_ATTACH_ZERO_LENGTH = 0x52,
    MAP_FORCE_ALLOC = 0x80,
    MAP_FORCE_TO = 0x81,
    MAP_FORCE_FROM = 0x82,
    MAP_FORCE_TOFROM = 0x83,
    MAP_FORCE_DETACH = 0xd1,
};

/* Implicit mappings carry two extra bits that do not change what they mean here. */
static inline enum map_kind map_kind_of(unsigned short word)
{
    unsigned kind = word & 0xff;
    return (enum map_kind)((kind & 0x7c) == 0x60 ? kind & ~0x60u : kind);
}

static inline bool is_data_kind(enum map_kind kind)
{
    return (kind & 0x7f) <= MAP_TOFROM || (kind >= MAP_ALWAYS_TO && kind <= MAP_ALWAYS_TOFROM);
}

static inline bool is_always_kind(enum map_kind kind)
{
    return kind >= MAP_ALWAYS_TO && kind <= MAP_ALWAYS_TOFROM;
}

static inline bool copies_to_device(enum map_kind kind)
{
    return is_data_kind(kind) && (kind & 1);
}

static inline bool copies_to_host(enum map_kind kind)
{
    return is_data_kind(kind) && (kind & 2);
}

#endif
