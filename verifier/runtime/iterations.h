/* Which iteration of which parallel loop touched what: conflicts between iterations are races,
   in whatever order this run happened to take them. */
#ifndef ACCLIMATE_ITERATIONS_H
#define ACCLIMATE_ITERATIONS_H

#include "present_table.h"

/* A kernel starts: nothing has been accessed yet. */
void iterations_begin(void);
void iterations_end(void);

/* `device` is in `mapping`; atomic accesses do not conflict with each other. */
void iteration_access(struct mapping *mapping, const void *device, size_t size, bool writes,
                      bool atomic, const void *at);

#endif
