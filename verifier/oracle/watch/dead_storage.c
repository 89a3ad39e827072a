#include "dead_storage.h"

#include <sys/mman.h>

#include "cells.h"
#include "conflicts.h"

#define MAX_EXITS 65536

struct dead {
    uint64_t granule, since;
    int32_t loop, variable;
    uint32_t writer;
    uint8_t bytes;
};

static struct dead *dead;
static uint64_t dead_capacity, dead_used, clock_;
static struct {
    uintptr_t frame;
    uint64_t at;
} exits[MAX_EXITS];
static int exit_count;
static uintptr_t stack_top;

void expect_stack_below(uintptr_t top)
{
    stack_top = top;
}

bool any_dead(void)
{
    return dead_used;
}

static struct dead *dead_at(uint64_t granule, bool make)
{
    if (make && 2 * (dead_used + 1) > dead_capacity) {
        struct dead *old = dead;
        uint64_t before = dead_capacity;
        dead_capacity = before ? 4 * before : 4096;
        dead = pages(dead_capacity * sizeof *dead);
        dead_used = 0;
        for (uint64_t i = 0; i < before; i++)
            if (old[i].bytes)
                *dead_at(old[i].granule, true) = old[i];
        if (old)
            munmap(old, before * sizeof *old);
    }
    if (!dead_capacity)
        return NULL;
    uint64_t mask = dead_capacity - 1, at = hash(granule) & mask;
    while (dead[at].granule && dead[at].granule != granule)
        at = (at + 1) & mask;
    if (dead[at].granule == granule)
        return &dead[at];
    if (!make)
        return NULL;
    dead_used++;
    dead[at].granule = granule;
    return &dead[at];
}

/* Whether the procedure whose stack held an address has returned since. */
static bool left_since(uintptr_t address, uint64_t since)
{
    if (address > stack_top || address < (uintptr_t)__builtin_frame_address(0))
        return false;
    int low = 0, high = exit_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (exits[middle].at > since)
            high = middle;
        else
            low = middle + 1;
    }
    return low < exit_count && exits[low].frame > address;
}

void dead_access(uint64_t granule, uint8_t bytes, bool writes, uint32_t code)
{
    struct dead *cell = dead_at(granule, false);
    if (!cell || !(cell->bytes & bytes))
        return;
    if (!writes && !left_since(granule * 8, cell->since))
        found(cell->loop, LIVE_OUT, cell->writer, code, cell->variable, 0, 0);
    cell->bytes &= ~bytes;
}

void bury(struct level *level)
{
    clock_++;
    for (int i = 0; i < level->ranges; i++) {
        struct range *range = &level->range[i];
        if (!range->written)
            continue;
        for (uintptr_t granule = range->begin / 8; granule <= (range->end - 1) / 8; granule++) {
            struct cell *cell = cell_of(level, granule, false);
            if (!cell)
                continue;
            uint8_t bytes = cell->written_before | cell->written_now;
            bool kept = range->storage == LAST_VALUE || range->storage == FIRST_AND_LAST;
            if (kept && cell->iteration == level->iteration)
                bytes &= ~cell->written_now;
            for (int byte = 0; byte < 8; byte++)
                if (granule * 8 + byte < range->begin || granule * 8 + byte >= range->end)
                    bytes &= ~(1u << byte);
            if (!bytes)
                continue;
            struct dead *grave = dead_at(granule, true);
            grave->bytes |= bytes;
            grave->since = clock_;
            grave->loop = level->loop;
            grave->variable = range->number;
            grave->writer = cell->writer;
        }
    }
}

/* A new object lives here. */
void revive(uint64_t granule)
{
    struct dead *grave = dead_at(granule, false);
    if (grave)
        grave->bytes = 0;
}

/* The stack up to `base` belongs to nobody any more. */
void procedure_left(uintptr_t base)
{
    clock_++;
    while (exit_count && exits[exit_count - 1].frame <= base)
        exit_count--;
    if (exit_count < MAX_EXITS) {
        exits[exit_count].frame = base;
        exits[exit_count++].at = clock_;
    }
}
