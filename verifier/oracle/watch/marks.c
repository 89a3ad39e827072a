/* The calls that mark a loop in the program. */
#include "cells.h"
#include "dead_storage.h"

struct level levels[MAX_LEVELS];
struct loop *loops;
int depth, highest_loop;
static uint32_t instances;

void leave(int to, bool bury_them)
{
    while (depth > to) {
        struct level *level = &levels[depth - 1];
        struct loop *loop = &loops[level->loop];
        level->writing += level->wrote;
        if (level->iteration > loop->most_iterations)
            loop->most_iterations = level->iteration;
        if (level->writing > loop->most_writing)
            loop->most_writing = level->writing;
        if (bury_them)
            bury(level);
        depth--;
    }
}

static int running(int loop, uintptr_t frame)
{
    for (int i = depth - 1; i >= 0; i--)
        if (levels[i].loop == loop && levels[i].frame >= frame)
            return i;
    return -1;
}

/* Left by RETURN or a jump: loops of procedures that are no longer there, and of this very one. */
static void drop_left(int loop, uintptr_t frame)
{
    int top = depth;
    while (top > 0 && levels[top - 1].frame < frame)
        top--;
    leave(top, false);
    for (int i = 0; i < depth; i++)
        if (levels[i].loop == loop && levels[i].frame == frame)
            leave(i, false);
}

EXPORT void oracle_begin_(const int *number)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    if (!loops || *number >= MAX_LOOPS)
        return;
    drop_left(*number, frame);
    if (depth == MAX_LEVELS)
        return;
    struct level *level = &levels[depth++];
    level->loop = *number;
    level->instance = ++instances;
    level->iteration = level->writing = 0;
    level->wrote = false;
    level->frame = frame;
    level->base = *(uintptr_t *)frame;
    level->ranges = level->locals = 0;
    level->highest = 0;
    level->table.used = 0;
    level->lowest = UINTPTR_MAX;
    loops[*number].instances++;
    if (*number > highest_loop)
        highest_loop = *number;
}

EXPORT void oracle_range_(const int *number, const int *storage, const int *variable,
                          const int64_t *address, const int64_t *size)
{
    if (!loops || !depth || levels[depth - 1].loop != *number || !*address || *size <= 0)
        return;
    struct level *level = &levels[depth - 1];
    uintptr_t begin = (uintptr_t)*address, end = begin + (uintptr_t)*size;
    if (*storage == LOCAL && level->locals < MAX_RANGES)
        level->local[level->locals++] = (struct range){begin, end, LOCAL, *variable, false};
    if (*storage == LOCAL || level->ranges == MAX_RANGES)
        return;
    level->range[level->ranges++] = (struct range){begin, end, *storage, *variable, false};
    if (begin < level->lowest)
        level->lowest = begin;
    if (end > level->highest)
        level->highest = end;
}

EXPORT void oracle_iteration_(const int *number)
{
    if (!loops)
        return;
    int at = running(*number, (uintptr_t)__builtin_frame_address(0));
    if (at < 0)
        return;
    leave(at + 1, false);
    struct level *level = &levels[at];
    level->writing += level->wrote;
    level->wrote = false;
    level->iteration++;
}

EXPORT void oracle_end_(const int *number)
{
    if (!loops)
        return;
    int at = running(*number, (uintptr_t)__builtin_frame_address(0));
    if (at >= 0)
        leave(at, true);
}
