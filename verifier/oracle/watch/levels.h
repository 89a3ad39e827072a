/* The running loops, innermost last, and what was found of every loop. */
#ifndef ACCLIMATE_ORACLE_LEVELS_H
#define ACCLIMATE_ORACLE_LEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
#define MAX_LEVELS 24
#define MAX_RANGES 512
#define MAX_LOOPS 65536
#define KINDS 7
#define MAX_LINES 24 /* places that touch one reduction variable */

enum kind { FLOW, ANTI, OUTPUT, CARRIED, ENTRY, LIVE_OUT, UPDATE };
enum storage { PRIVATE, FIRSTPRIVATE, REDUCTION, LAST_VALUE, FIRST_AND_LAST, LOCAL, INDEX, IGNORED };

struct range {
    uintptr_t begin, end;
    int32_t storage, number; /* position of the variable in the loop's list */
    bool written;
};

struct table {
    struct cell *cells;
    uint64_t capacity, used; /* used: cells of the present instance */
};

struct level {
    int32_t loop;
    uint32_t instance, iteration, writing; /* iterations; those that wrote shared storage */
    bool wrote;
    uintptr_t frame; /* what is below belongs to called procedures */
    uintptr_t base;  /* up to here it is the loop's own procedure's */
    int ranges, locals;
    uintptr_t lowest, highest; /* of all ranges */
    struct range range[MAX_RANGES];
    struct range local[MAX_RANGES]; /* named variables of the procedure; outermost loop only */
    struct table table;
};

struct finding {
    uint64_t count;
    uint32_t earlier, later; /* code addresses */
    int32_t variable;        /* number of the range, -1: shared storage */
    uint32_t first, second;  /* iterations, counted from 1 */
};

struct place {
    uint32_t code;
    int32_t variable;
    bool writes;
};

struct loop {
    uint32_t instances, most_iterations, most_writing;
    struct finding findings[KINDS];
    struct place places[MAX_LINES]; /* that meet on reduction variables */
    int placed;
};

extern struct level levels[MAX_LEVELS];
extern struct loop *loops; /* NULL until the watch begins */
extern int depth, highest_loop;

void leave(int to, bool bury_them);

#endif
