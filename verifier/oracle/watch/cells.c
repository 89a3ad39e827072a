#include "cells.h"

#include <sys/mman.h>
#include <unistd.h>

void *pages(size_t size)
{
    void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED)
        _exit(77);
    return made;
}

uint64_t hash(uint64_t granule)
{
    return (granule * 0x9E3779B97F4A7C15ull) >> 20;
}

/* The cell of a granule in this instance of the loop, NULL if it has none and none is wanted. */
struct cell *cell_of(struct level *level, uint64_t granule, bool make)
{
    struct table *table = &level->table;
    if (make && 2 * (table->used + 1) > table->capacity) {
        struct table old = *table;
        table->capacity = old.capacity ? 4 * old.capacity : 4096;
        table->cells = pages(table->capacity * sizeof *table->cells);
        table->used = 0;
        for (uint64_t i = 0; i < old.capacity; i++)
            if (old.cells[i].instance == level->instance)
                *cell_of(level, old.cells[i].granule, true) = old.cells[i];
        if (old.cells)
            munmap(old.cells, old.capacity * sizeof *old.cells);
    }
    if (!table->capacity)
        return NULL;
    uint64_t mask = table->capacity - 1, at = hash(granule) & mask;
    while (table->cells[at].instance == level->instance && table->cells[at].granule != granule)
        at = (at + 1) & mask;
    struct cell *cell = &table->cells[at];
    if (cell->instance == level->instance)
        return cell;
    if (!make)
        return NULL;
    *cell = (struct cell){.granule = granule, .instance = level->instance,
                          .iteration = level->iteration};
    table->used++;
    return cell;
}
