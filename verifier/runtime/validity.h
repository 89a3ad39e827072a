/* Shadow validity: which copy of each granule is the newer one.

   Only kept when the program logs its accesses (see access_log.c). */
#ifndef ACCLIMATE_VALIDITY_H
#define ACCLIMATE_VALIDITY_H

#include "present_table.h"

#define GRANULE 4 /* B; the smallest numeric storage unit of Fortran */

/* Keep shadows from now on; ranges that are already mapped stay without one. */
void keep_validity(void);

void validity_created(struct mapping *mapping);
void validity_removed(struct mapping *mapping);
/* The runtime itself made the device copy right at this place. */
void validity_set_by_runtime(struct mapping *mapping, const void *host, size_t size);
/* A copy is about to be made; both sides still hold their own values. */
void validity_copying_to_device(struct mapping *mapping, size_t begin, size_t size);
void validity_copying_to_host(struct mapping *mapping, size_t begin, size_t size);

/* Accesses of the program; `at` is the code address of the access. */
void host_reads(const void *address, size_t size, const void *at);
void host_writes(const void *address, size_t size, const void *at);
void kernel_reads(struct mapping *mapping, const void *device, size_t size, const void *at);
void kernel_writes(struct mapping *mapping, const void *device, size_t size, const void *at);

/* The host memory is released or its stack frame left: what happened there is over. */
void forget_host_range(const void *address, size_t size);
void forget_stack_below(const void *frame);

#endif
