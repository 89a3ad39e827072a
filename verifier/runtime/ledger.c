#include "ledger.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

struct totals totals;
struct transfer_site *transfer_sites;
struct kernel_site *kernel_sites;
size_t transfer_site_count, kernel_site_count;

static struct kernel_site *charged;
static double work_began;
static int work_depth;

/* Open addressing from a key to the position of its site; 0 is an empty slot. */
struct site_index {
    uint32_t *slots;
    size_t size; /* a power of two */
};

static struct site_index transfer_index, kernel_index;

static size_t hash(uintptr_t key)
{
    return (size_t)((key * 0x9e3779b97f4a7c15ull) >> 32);
}

static void *grown(void *items, size_t count, size_t item)
{
    if (count & (count + 1)) /* room for 1, 3, 7, 15, ... is always there */
        return items;
    items = realloc(items, (2 * count + 1) * item);
    if (!items)
        abort();
    return items;
}

static uintptr_t transfer_key(const struct transfer_site *site)
{
    return (uintptr_t)site->at * 32 + site->reason * 4 + site->direction;
}

static uintptr_t kernel_key(const struct kernel_site *site)
{
    return (uintptr_t)site->function;
}

static void rebuild_transfer_index(void)
{
    transfer_index.size = transfer_index.size ? 2 * transfer_index.size : 1024;
    free(transfer_index.slots);
    transfer_index.slots = calloc(transfer_index.size, sizeof *transfer_index.slots);
    if (!transfer_index.slots)
        abort();
    for (size_t i = 0; i < transfer_site_count; i++) {
        size_t slot = hash(transfer_key(&transfer_sites[i]));
        while (transfer_index.slots[slot & (transfer_index.size - 1)])
            slot++;
        transfer_index.slots[slot & (transfer_index.size - 1)] = (uint32_t)i + 1;
    }
}

static void rebuild_kernel_index(void)
{
    kernel_index.size = kernel_index.size ? 2 * kernel_index.size : 1024;
    free(kernel_index.slots);
    kernel_index.slots = calloc(kernel_index.size, sizeof *kernel_index.slots);
    if (!kernel_index.slots)
        abort();
    for (size_t i = 0; i < kernel_site_count; i++) {
        size_t slot = hash(kernel_key(&kernel_sites[i]));
        while (kernel_index.slots[slot & (kernel_index.size - 1)])
            slot++;
        kernel_index.slots[slot & (kernel_index.size - 1)] = (uint32_t)i + 1;
    }
}

struct kernel_site *kernel_site(const void *function, const void *at)
{
    if (2 * kernel_site_count >= kernel_index.size)
        rebuild_kernel_index();
    size_t slot = hash((uintptr_t)function);
    uint32_t found;
    for (; (found = kernel_index.slots[slot & (kernel_index.size - 1)]); slot++)
        if (kernel_sites[found - 1].function == function)
            return &kernel_sites[found - 1];
    kernel_sites = grown(kernel_sites, kernel_site_count, sizeof *kernel_sites);
    kernel_sites[kernel_site_count] = (struct kernel_site){.function = function, .at = at};
    kernel_index.slots[slot & (kernel_index.size - 1)] = (uint32_t)++kernel_site_count;
    return &kernel_sites[kernel_site_count - 1];
}

static struct transfer_site *transfer_site(const struct transfer_site *wanted)
{
    if (2 * transfer_site_count >= transfer_index.size)
        rebuild_transfer_index();
    uintptr_t key = transfer_key(wanted);
    size_t slot = hash(key);
    uint32_t found;
    for (; (found = transfer_index.slots[slot & (transfer_index.size - 1)]); slot++)
        if (transfer_key(&transfer_sites[found - 1]) == key)
            return &transfer_sites[found - 1];
    transfer_sites = grown(transfer_sites, transfer_site_count, sizeof *transfer_sites);
    transfer_sites[transfer_site_count] = *wanted;
    transfer_index.slots[slot & (transfer_index.size - 1)] = (uint32_t)++transfer_site_count;
    return &transfer_sites[transfer_site_count - 1];
}

void charge_kernel(struct kernel_site *kernel)
{
    charged = kernel;
}

void record_transfer(const void *at, enum reason reason, enum direction direction, size_t bytes,
                     bool changed)
{
    struct transfer_site wanted = {.at = at, .reason = reason, .direction = direction};
    struct transfer_site *site = transfer_site(&wanted);
    if (bytes > SMALL_TRANSFER) {
        site->count++;
        site->bytes += bytes;
    } else {
        site->small_count++;
        site->small_bytes += bytes;
    }
    site->changed += changed;
    if (charged && bytes > SMALL_TRANSFER && direction != ALLOCATION) {
        size_t *charge = direction == TO_HOST ? &charged->bytes_to_host : &charged->bytes_to_device;
        *charge += bytes;
    }
}

double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

void own_work_begins(void)
{
    if (work_depth++ == 0)
        work_began = processor_time();
}

void own_work_ends(void)
{
    if (--work_depth == 0)
        totals.own_microseconds += processor_time() - work_began;
}

bool own_work_runs(void)
{
    return work_depth > 0;
}

const char *reason_name(enum reason reason)
{
    static const char *const names[] = {"enter",  "exit",    "update", "kernel",
                                        "region", "declare", "api"};
    return names[reason];
}

const char *direction_name(enum direction direction)
{
    static const char *const names[] = {"to-device", "to-host", "allocation"};
    return names[direction];
}
