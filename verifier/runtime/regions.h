/* What directives do to the present table, one list of mappings at a time. */
#ifndef ACCLIMATE_REGIONS_H
#define ACCLIMATE_REGIONS_H

#include "ledger.h"
#include "present_table.h"

/* The four arrays of one directive, as the compiler passes them. */
struct clauses {
    size_t count;
    void **hosts;
    size_t *sizes;
    unsigned short *kinds;
};

/* A region that is left again: `data`, or a kernel with its addresses on the device. */
struct region {
    struct clauses clauses;
    struct mapping **acquired; /* per clause; NULL where nothing is held */
    void **devices;            /* per clause; NULL unless the region is a kernel */
    void **temporaries;        /* device-side pointers, descriptors and firstprivate copies */
    size_t temporary_count;
};

/* `devices` true: the region is a kernel and needs an address for every clause. */
struct region *enter_region(struct clauses clauses, bool devices, const void *at,
                            enum reason reason);
void leave_region(struct region *region, const void *at, enum reason reason);

void enter_data(struct clauses clauses, const void *at, enum reason reason);
void exit_data(struct clauses clauses, const void *at, enum reason reason);
/* One variable of `declare`: entry and exit are told apart by its kind. */
void declare_data(struct clauses clause, const void *at);
/* `spoil`: the update is left out, and where it would bring other bytes there is poison. */
void update_data(struct clauses clauses, const void *at, bool spoil);

#endif
