/* Making the data of a directive present. */
#ifndef ACCLIMATE_ACQUIRE_H
#define ACCLIMATE_ACQUIRE_H

#include "regions.h"
#include "transfers.h"

struct acquisition {
    struct clauses clauses;
    void **devices;        /* NULL unless a kernel follows */
    struct region *region; /* NULL for `enter data`: counts are dynamic */
    const void *at;
    enum reason reason;
};

void acquire(const struct acquisition *a);

#endif
