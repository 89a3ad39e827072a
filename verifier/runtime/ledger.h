/* What the run cost: bytes moved per directive, launches and processor time per kernel. */
#ifndef ACCLIMATE_LEDGER_H
#define ACCLIMATE_LEDGER_H

#include <stdbool.h>
#include <stddef.h>

enum reason { BY_ENTER, BY_EXIT, BY_UPDATE, BY_KERNEL, BY_REGION, BY_DECLARE, BY_API };
enum direction { TO_DEVICE, TO_HOST, ALLOCATION };

#define SMALL_TRANSFER 64 /* B; up to here a transfer is a kernel argument, not a field */

struct transfer_site {
    const void *at;
    enum reason reason;
    enum direction direction;
    size_t count, bytes, small_count, small_bytes;
    size_t changed; /* copies that altered at least one byte */
};

struct kernel_site {
    const void *function, *at;
    size_t launches, bytes_to_device, bytes_to_host;
    double microseconds;
};

struct totals {
    size_t launches, host_launches, asynchronous, waits;
    size_t left_out; /* updates, see left_out.h */
    double kernel_microseconds, own_microseconds;
};

extern struct totals totals;
extern struct transfer_site *transfer_sites;
extern struct kernel_site *kernel_sites;
extern size_t transfer_site_count, kernel_site_count;

/* Transfers until the next call are also charged to this kernel; NULL ends that. */
void charge_kernel(struct kernel_site *kernel);
struct kernel_site *kernel_site(const void *function, const void *at);
void record_transfer(const void *at, enum reason reason, enum direction direction, size_t bytes,
                     bool changed);

/* Processor time of the whole process, microseconds. */
double processor_time(void);
/* Around the runtime's own work; nested calls count once. */
void own_work_begins(void);
void own_work_ends(void);
bool own_work_runs(void);

const char *reason_name(enum reason reason);
const char *direction_name(enum direction direction);

#endif
