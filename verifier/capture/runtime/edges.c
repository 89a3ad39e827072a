/* Which calls of a procedure take a branch that no call before has taken.
 *
 * Answers the calls that -fsanitize-coverage=trace-pc puts into every basic block, and those of
 * acclimate_capture. A branch is a pair of blocks that follow one another. Written to the file
 * ACCLIMATE_PLAN-<MPI rank>: `unit call branches shape` for calls that take new branches, or whose arguments
 * have new extents or flags (`shape` 1), and `unit call 0 0` for the last call.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_UNITS = 4096, DEEPEST = 512, WATCHED = 6 };

struct set {
    uint64_t *keys;
    size_t size, used;
};
struct frame {
    int unit, call, fresh, new_shape;
};

static struct set edges[MOST_UNITS], shapes[MOST_UNITS];
static int last_call[MOST_UNITS];
static struct frame frames[DEEPEST];
static int depth;
static uintptr_t before;

static int insert(struct set *set, uint64_t key);

static void grow(struct set *set)
{
    struct set larger = {NULL, set->size ? set->size * 2 : 256, 0};
    larger.keys = calloc(larger.size, sizeof *larger.keys);
    if (larger.keys == NULL)
        abort();
    for (size_t i = 0; i < set->size; i++)
        if (set->keys[i])
            insert(&larger, set->keys[i]);
    free(set->keys);
    *set = larger;
}

/* 1 if the key is new. */
static int insert(struct set *set, uint64_t key)
{
    if (2 * (set->used + 1) > set->size)
        grow(set);
    if (key == 0)
        key = 1;
    size_t at = (key * 0x9E3779B97F4A7C15u) >> 20 & (set->size - 1);
    while (set->keys[at] && set->keys[at] != key)
        at = (at + 1) & (set->size - 1);
    if (set->keys[at])
        return 0;
    set->keys[at] = key;
    set->used++;
    return 1;
}

void __sanitizer_cov_trace_pc(void)
{
    uintptr_t here = (uintptr_t)__builtin_return_address(0);
    if (depth == 0)
        return;
    uint64_t edge = ((uint64_t)before << 20) ^ here;
    int first = depth > WATCHED ? depth - WATCHED : 0;
    for (int n = depth - 1; n >= first; n--)
        frames[n].fresh += insert(&edges[frames[n].unit], edge);
    before = here;
}

void acclimate_edges_enter(int unit, int call)
{
    if (unit < 0 || unit >= MOST_UNITS || depth >= DEEPEST)
        abort();
    frames[depth++] = (struct frame){unit, call, 0, 0};
    before = 0;
}

void acclimate_edges_shape(int64_t shape)
{
    struct frame *frame = &frames[depth - 1];
    frame->new_shape = insert(&shapes[frame->unit], (uint64_t)shape);
}

static const char *rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                        "MV2_COMM_WORLD_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]) != NULL)
            return getenv(names[i]);
    return "0";
}

static FILE *plan(void)
{
    static FILE *file;
    const char *name = getenv("ACCLIMATE_PLAN");
    char path[4200];
    if (file == NULL && name != NULL) {
        snprintf(path, sizeof path, "%s-%s", name, rank());
        file = fopen(path, "w");
    }
    return file;
}

void acclimate_edges_leave(void)
{
    if (depth == 0)
        return;
    struct frame *frame = &frames[--depth];
    last_call[frame->unit] = frame->call;
    FILE *file = plan();
    if (file && (frame->fresh || frame->new_shape))
        fprintf(file, "%d %d %d %d\n", frame->unit, frame->call, frame->fresh, frame->new_shape);
}

__attribute__((destructor)) static void tell_last_calls(void)
{
    FILE *file = plan();
    if (file == NULL)
        return;
    for (int unit = 0; unit < MOST_UNITS; unit++)
        if (last_call[unit])
            fprintf(file, "%d %d 0 0\n", unit, last_call[unit]);
    fclose(file);
}
