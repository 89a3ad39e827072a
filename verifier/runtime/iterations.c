/* The tree of iterations of one kernel: the root is the kernel, a child an iteration of a governed
   loop started while its parent's iteration ran. Two accesses conflict when the paths to their
   nodes part at two iterations of one loop instance, at least one of them writes, and not both are
   atomic. Two loops of one region are not ordered either: gangs do not wait for each other, but one
   gang alone ends a loop before it begins the next. */
#include "iterations.h"

#include "access_log.h"
#include "findings.h"
#include "validity.h"

#include <stdlib.h>

/* In the number of a loop: its region has one gang only (measuring/iteration_marks.py). */
enum { ONE_GANG = 1 << 24 };

struct node {
    int32_t parent, depth;
    int32_t loop;     /* number of the governed loop */
    int32_t instance; /* one per execution of the loop */
    int64_t iteration;
};

/* Nodes that touched a granule, -1 none, and which of its bytes. Two reads are kept, the first and
   the last: a write by any third iteration conflicts with one of them. */
struct race_cell {
    uint32_t epoch; /* the launch the cell speaks of */
    int32_t write, first_read, last_read;
    uint8_t write_bytes, first_bytes, last_bytes;
    bool atomic_write;
};

/* One access, as the cells see it. */
struct access {
    bool writes, atomic;
    uint8_t bytes; /* of the granule, one bit each */
    const void *at;
    const struct mapping *mapping;
    const char *device;
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

void iterations_begin(void)
{
    node_count = instances = 0;
    epoch++;
    current = add_node(-1, 0, 0, 0);
    running = true;
}

void iterations_end(void)
{
    running = false;
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
    int loop;               /* its iterations part the two, 0 if none */
    int64_t earlier, later; /* those iterations */
    bool between_loops;     /* they belong to two loops of one region, to different iterations */
};

static struct meeting meeting_of(int32_t a, int32_t b)
{
    struct meeting meeting = {0, 0, 0, false};
    while (nodes[a].depth > nodes[b].depth)
        a = nodes[a].parent;
    while (nodes[b].depth > nodes[a].depth)
        b = nodes[b].parent;
    for (; a != b; a = nodes[a].parent, b = nodes[b].parent) {
        const struct node *x = &nodes[a], *y = &nodes[b];
        if (x->instance == y->instance) {
            meeting.loop = x->loop;
            meeting.earlier = x->iteration;
            meeting.later = y->iteration;
        } else if (x->depth == 1 && x->iteration != y->iteration && !(x->loop & ONE_GANG)) {
            meeting.between_loops = true;
            meeting.earlier = x->iteration;
            meeting.later = y->iteration;
        }
    }
    return meeting;
}

static void report_race(enum finding_kind kind, struct meeting meeting, const struct access *by)
{
    static const char *const details[] = {
        [RACE_WRITE_WRITE] = "two iterations of a parallel loop write the same element",
        [RACE_WRITE_READ] = "an iteration of a parallel loop reads what another one writes",
        [RACE_READ_WRITE] = "an iteration of a parallel loop writes what another one reads",
        [RACE_BETWEEN_LOOPS] =
            "two loops of one parallel region meet at an element; gangs do not wait in between",
    };
    const char *host = by->mapping->host + (by->device - by->mapping->device);
    struct finding *finding = report_finding(kind, by->at, by->mapping, host, details[kind]);
    if (finding && finding->count == 1) {
        finding->loop = meeting.loop;
        finding->earlier = meeting.earlier;
        finding->later = meeting.later;
    }
}

static bool conflicts(int32_t other, uint8_t bytes, enum finding_kind kind,
                      const struct access *by)
{
    if (other < 0 || other == current || !(bytes & by->bytes))
        return false;
    struct meeting meeting = meeting_of(other, current);
    if (meeting.loop)
        report_race(kind, meeting, by);
    else if (meeting.between_loops)
        report_race(RACE_BETWEEN_LOOPS, meeting, by);
    return meeting.loop || meeting.between_loops;
}

static void note_write(struct race_cell *cell, const struct access *by)
{
    bool covers_plain = by->atomic && cell->write >= 0 && !cell->atomic_write;
    if (covers_plain)
        return; /* an atomic write must not hide a plain one */
    cell->write = current;
    cell->write_bytes = by->bytes;
    cell->atomic_write = by->atomic;
}

static void note_read(struct race_cell *cell, const struct access *by)
{
    if (cell->first_read < 0) {
        cell->first_read = current;
        cell->first_bytes = by->bytes;
    }
    cell->last_read = current;
    cell->last_bytes = by->bytes;
}

static void access_cell(struct race_cell *cell, const struct access *by)
{
    if (cell->epoch != epoch)
        *cell = (struct race_cell){epoch, -1, -1, -1, 0, 0, 0, false};
    if (!(by->atomic && cell->atomic_write))
        conflicts(cell->write, cell->write_bytes, by->writes ? RACE_WRITE_WRITE : RACE_WRITE_READ,
                  by);
    if (by->writes) {
        if (!conflicts(cell->first_read, cell->first_bytes, RACE_READ_WRITE, by))
            conflicts(cell->last_read, cell->last_bytes, RACE_READ_WRITE, by);
        note_write(cell, by);
    } else if (!by->atomic) {
        note_read(cell, by);
    }
}

/* The bytes of a granule that [begin, end) covers. */
static uint8_t bytes_of(uintptr_t granule, uintptr_t begin, uintptr_t end)
{
    uintptr_t first = granule * GRANULE, bits = (1u << GRANULE) - 1;
    if (begin > first)
        bits &= bits << (begin - first);
    if (end < first + GRANULE)
        bits &= bits >> (first + GRANULE - end);
    return (uint8_t)bits;
}

void iteration_access(struct mapping *mapping, const void *device, size_t size, bool writes,
                      bool atomic, const void *at)
{
    if (!mapping->cells) {
        mapping->cells = calloc(mapping->size / GRANULE + 2, sizeof *mapping->cells);
        if (!mapping->cells)
            abort();
    }
    uintptr_t origin = (uintptr_t)mapping->device / GRANULE;
    uintptr_t begin = (uintptr_t)device, end = begin + size;
    struct access by = {writes, atomic, 0, at, mapping, device};
    for (uintptr_t granule = begin / GRANULE; granule <= (end - 1) / GRANULE; granule++) {
        by.bytes = bytes_of(granule, begin, end);
        access_cell(&mapping->cells[granule - origin], &by);
    }
}
