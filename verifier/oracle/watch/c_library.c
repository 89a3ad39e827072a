#include "c_library.h"

#include "accesses.h"
#include "cells.h"
#include "dead_storage.h"

/* Made-up arguments may be too short for what a procedure takes them for. With room behind each
   block it does not run into another object, and two names stay two places. */
static size_t margin;

void keep_room_between_blocks(void)
{
    margin = 1u << 16;
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

/* A new object lives here: what was known of the place is forgotten. */
static void *born(void *block, size_t size)
{
    if (!block || !loops || !(depth || any_dead()))
        return block;
    uintptr_t begin = (uintptr_t)block;
    for (uint64_t granule = begin / 8; granule < (begin + size + 7) / 8; granule++) {
        for (int i = 0; i < depth; i++) {
            struct cell *cell = cell_of(&levels[i], granule, false);
            if (cell)
                cell->written_before = cell->written_now = cell->read_before = cell->read_now = 0;
        }
        revive(granule);
    }
    return block;
}

EXPORT void *malloc(size_t size)
{
    return born(__libc_malloc(size + margin), size);
}

EXPORT void *calloc(size_t count, size_t size)
{
    return born(__libc_calloc(1, count * size + margin), count * size);
}

EXPORT void *realloc(void *block, size_t size)
{
    return born(__libc_realloc(block, size + margin), size);
}

EXPORT void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    touch(from, size, false, HERE);
    touch(to, size, true, HERE);
    for (size_t i = 0; i < size; i++)
        ((volatile char *)to)[i] = ((const volatile char *)from)[i];
    return to;
}

EXPORT void *memmove(void *to, const void *from, size_t size)
{
    touch(from, size, false, HERE);
    touch(to, size, true, HERE);
    if ((uintptr_t)to <= (uintptr_t)from)
        for (size_t i = 0; i < size; i++)
            ((volatile char *)to)[i] = ((const volatile char *)from)[i];
    else
        for (size_t i = size; i > 0; i--)
            ((volatile char *)to)[i - 1] = ((const volatile char *)from)[i - 1];
    return to;
}

EXPORT void *memset(void *to, int byte, size_t size)
{
    touch(to, size, true, HERE);
    for (size_t i = 0; i < size; i++)
        ((volatile char *)to)[i] = (char)byte;
    return to;
}
