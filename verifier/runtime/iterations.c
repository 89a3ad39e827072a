/* The tree of iterations of one kernel: the root is the kernel, a child an iteration of a governed
   loop started while its parent's iteration ran. Two accesses conflict when the paths to their
   nodes part at two iterations of one loop instance, at least one of them writes, and not both are
   atomic. Accesses that part at two different loops in one iteration are ordered by the program on
   gang level only, see BETWEEN LOOPS. */
#include "iterations.h"

#include "access_log.h"
#include "findings.h"
#include "validity.h"

#include <stdlib.h>

struct node {
    int32_t parent, depth;
    int32_t loop;     /* number of the governed loop */
    int32_t instance; /* one per execution of the loop */
    int64_t iteration;
};

struct race_cell {
    uint32_t epoch; /* the launch the cell speaks of */
    int32_t write;  /* last node that wrote, -1 none */
    int32_t first_read, last_read;
    uint32_t atomic_write;
};

static struct node *nodes;
static int32_t node_count, node_capacity, current, instances;
static uint32_t epoch;
static bool running;

static int32_t add_node(int32_t parent, int32_t instance, int loop, int64_t iteration)
{
    if (node_count == node_capacity) {
        node_capacity = node_capacity ? 2 * node_capacity : 4096;
        nodes = realloc(nodes, (size_t)node_capacity * sizeof *nodes);
        if (!nodes)
            abort();
    }
    int32_t depth = parent < 0 ? 0 : nodes[parent].depth + 1;
    nodes[node_count] = (struct node){parent, depth, loop, instance, iteration};
    return node_count++;
}

void iterations_begin(const void *at)
{
    (void)at;
    node_count = instances = 0;
    epoch++;
    current = add_node(-1, 0, 0, 0);
    running = true;
}

/* The innermost running iteration of `loop`, or the root. */
static int32_t running_iteration(int loop)
{
    int32_t node = current;
    while (node > 0 && nodes[node].loop != loop)
        node = nodes[node].parent;
    return node;
}

/* Called from the ported program at the start of each iteration of a governed loop; the indices
   of collapsed loops come folded into one number. */
__attribute__((visibility("default"))) void acclimate_iteration_(const int *loop, const int64_t *iteration)
{
    if (!running)
        return;
    int32_t before = running_iteration(*loop);
    if (before > 0)
        current = add_node(nodes[before].parent, nodes[before].instance, *loop, *iteration);
    else
        current = add_node(current, ++instances, *loop, *iteration);
}

/* Called behind a governed loop. */
__attribute__((visibility("default"))) void acclimate_loop_end_(const int *loop)
{
    if (!running)
        return;
    int32_t node = running_iteration(*loop);
    if (node > 0)
        current = nodes[node].parent;
}

struct meeting {
    int loop;           /* its iterations part the two, 0 if none */
    bool between_loops; /* they belong to two loops of one region, to different iterations */
};

static struct meeting meeting_of(int32_t a, int32_t b)
{
    struct meeting meeting = {0, false};
    while (nodes[a].depth > nodes[b].depth)
        a = nodes[a].parent;
    while (nodes[b].depth > nodes[a].depth)
        b = nodes[b].parent;
    for (; a != b; a = nodes[a].parent, b = nodes[b].parent) {
        const struct node *x = &nodes[a], *y = &nodes[b];
        if (x->instance == y->instance)
            meeting.loop = x->loop;
        else if (x->depth == 1 && x->iteration != y->iteration)
            meeting.between_loops = true;
    }
    return meeting;
}

static void report_race(enum finding_kind kind, struct meeting meeting, const void *at,
                        const struct mapping *mapping, const char *device)
{
    static const char *const details[] = {
        [RACE_WRITE_WRITE] = "two iterations of a parallel loop write the same element",
        [RACE_WRITE_READ] = "an iteration of a parallel loop reads what another one writes",
        [RACE_READ_WRITE] = "an iteration of a parallel loop writes what another one reads",
        [RACE_BETWEEN_LOOPS] =
            "two loops of one parallel region meet at an element; gangs do not wait in between",
    };
    const char *host = mapping->host + (device - mapping->device);
    struct finding *finding = report_finding(kind, at, mapping, host, details[kind]);
    if (finding && finding->count == 1)
        finding->loop = meeting.loop;
}

static bool check(int32_t other, enum finding_kind kind, const void *at,
                  const struct mapping *mapping, const char *device)
{
    if (other < 0 || other == current)
        return false;
    struct meeting meeting = meeting_of(other, current);
    if (meeting.loop)
        report_race(kind, meeting, at, mapping, device);
    else if (meeting.between_loops)
        report_race(RACE_BETWEEN_LOOPS, meeting, at, mapping, device);
    return meeting.loop || meeting.between_loops;
}

static void access_cell(struct race_cell *cell, bool writes, bool atomic, const void *at,
                        const struct mapping *mapping, const char *device)
{
    if (cell->epoch != epoch)
        *cell = (struct race_cell){epoch, -1, -1, -1, 0};
    if (!(atomic && cell->atomic_write))
        check(cell->write, writes ? RACE_WRITE_WRITE : RACE_WRITE_READ, at, mapping, device);
    if (writes && !check(cell->first_read, RACE_READ_WRITE, at, mapping, device))
        check(cell->last_read, RACE_READ_WRITE, at, mapping, device);
    if (writes) {
        /* A plain write stays on record: an atomic one must not cover it up. */
        if (!atomic || cell->write < 0 || cell->atomic_write) {
            cell->write = current;
            cell->atomic_write = atomic;
        }
    } else if (!atomic) {
        if (cell->first_read < 0)
            cell->first_read = current;
        cell->last_read = current;
    }
}

void iteration_access(struct mapping *mapping, const void *device, size_t size, bool writes,
                      bool atomic, const void *at)
{
    if (!mapping->cells) {
        mapping->cells = calloc(mapping->size / GRANULE + 2, sizeof *mapping->cells);
        if (!mapping->cells)
            abort();
    }
    const char *address = device;
    uintptr_t origin = (uintptr_t)mapping->device / GRANULE;
    uintptr_t first = (uintptr_t)address / GRANULE;
    uintptr_t last = ((uintptr_t)address + size - 1) / GRANULE;
    for (uintptr_t granule = first; granule <= last; granule++)
        access_cell(&mapping->cells[granule - origin], writes, atomic, at, mapping, address);
}
