#include "conflicts.h"

#include "cells.h"

void found(int loop, enum kind kind, uint32_t earlier, uint32_t later, int variable, uint32_t first,
           uint32_t second)
{
    struct finding *finding = &loops[loop].findings[kind];
    if (finding->count++ == 0)
        *finding = (struct finding){1, earlier, later, variable, first, second};
}

static struct range *range_at(struct level *level, uintptr_t address)
{
    if (address < level->lowest || address >= level->highest)
        return NULL;
    for (int i = 0; i < level->ranges; i++)
        if (address >= level->range[i].begin && address < level->range[i].end)
            return &level->range[i];
    return NULL;
}

/* Whether an address of the procedure's own frame belongs to no variable: a temporary of the
   compiler, written anew wherever it is used. */
static bool is_temporary(struct level *level, uintptr_t address)
{
    if (address < level->frame || address >= level->base)
        return false;
    struct level *outermost = level;
    while (outermost > levels && outermost[-1].base == level->base)
        outermost--;
    for (int i = 0; i < outermost->locals; i++)
        if (address >= outermost->local[i].begin && address < outermost->local[i].end)
            return false;
    return true;
}

static void note_place(struct level *level, int variable, bool writes, uint32_t code)
{
    struct loop *loop = &loops[level->loop];
    for (int i = 0; i < loop->placed; i++)
        if (loop->places[i].code == code && loop->places[i].variable == variable &&
            loop->places[i].writes == writes)
            return;
    if (loop->placed < MAX_LINES)
        loop->places[loop->placed++] = (struct place){code, variable, writes};
    else
        found(level->loop, UPDATE, code, code, variable, 0, 0);
}

static void shared_access(struct level *level, struct cell *cell, uint8_t bytes, bool writes,
                          uint32_t code)
{
    if (writes) {
        level->wrote = true;
        if (cell->written_before & bytes)
            found(level->loop, OUTPUT, cell->earlier_writer, code, -1, cell->written_in,
                  level->iteration);
        if (cell->read_before & bytes)
            found(level->loop, ANTI, cell->earlier_reader, code, -1, cell->read_in, level->iteration);
    } else if (cell->written_before & bytes & ~cell->written_now) {
        found(level->loop, FLOW, cell->earlier_writer, code, -1, cell->written_in, level->iteration);
    }
}

/* Iterations may meet on a reduction or atomic variable; the places where they do are noted. */
static void update_access(struct level *level, struct cell *cell, uint8_t bytes, bool writes,
                          uint32_t code, int variable)
{
    level->wrote |= writes;
    bool wrote = cell->written_before & bytes, read = writes && cell->read_before & bytes;
    if (wrote)
        note_place(level, variable, true, cell->earlier_writer);
    if (read)
        note_place(level, variable, false, cell->earlier_reader);
    if (wrote || read)
        note_place(level, variable, writes, code);
}

static void private_access(struct level *level, struct cell *cell, uint8_t bytes, bool writes,
                           uint32_t code, struct range *range)
{
    if (writes) {
        range->written = true;
        return;
    }
    if (range->storage == INDEX) /* set by the loop itself, before the iteration is marked */
        return;
    uint8_t exposed = bytes & ~cell->written_now;
    if (exposed & cell->written_before)
        found(level->loop, CARRIED, cell->earlier_writer, code, range->number, cell->written_in,
              level->iteration);
    else if (exposed && range->storage != FIRSTPRIVATE && range->storage != FIRST_AND_LAST)
        found(level->loop, ENTRY, 0, code, range->number, 0, level->iteration);
}

void level_access(struct level *level, uintptr_t address, uint64_t granule, uint8_t bytes,
                  bool writes, uint32_t code)
{
    struct range *range = range_at(level, address);
    if (range && range->storage == IGNORED)
        return;
    if (!range && is_temporary(level, address))
        return;
    struct cell *cell = cell_of(level, granule, true);
    bool moved = cell->iteration != level->iteration;
    if (moved && cell->written_now) {
        cell->earlier_writer = cell->writer;
        cell->written_in = cell->iteration;
    }
    if (moved && cell->read_now) {
        cell->earlier_reader = cell->reader;
        cell->read_in = cell->iteration;
    }
    if (moved) {
        cell->written_before |= cell->written_now;
        cell->read_before |= cell->read_now;
        cell->written_now = cell->read_now = 0;
    }
    if (range && range->storage == REDUCTION)
        update_access(level, cell, bytes, writes, code, range->number);
    else if (range)
        private_access(level, cell, bytes, writes, code, range);
    else
        shared_access(level, cell, bytes, writes, code);
    cell->iteration = level->iteration;
    if (writes) {
        cell->written_now |= bytes;
        cell->writer = code;
    } else {
        cell->read_now |= bytes;
        cell->reader = code;
    }
}
