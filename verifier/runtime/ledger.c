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

/* Open addressing from a key to the position of its site plus one; 0 is an empty slot. */
struct site_index {
    uintptr_t (*key)(size_t site);
    size_t size; /* a power of two */
    uint32_t *slots;
};

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

static uintptr_t transfer_key(size_t site)
{
    const struct transfer_site *s = &transfer_sites[site];
    return (uintptr_t)s->at * 32 + s->reason * 4 + s->direction;
}

static uintptr_t kernel_key(size_t site)
{
    return (uintptr_t)kernel_sites[site].function;
}

static struct site_index transfer_index = {transfer_key, 0, NULL};
static struct site_index kernel_index = {kernel_key, 0, NULL};

static void rebuild(struct site_index *index, size_t sites)
{
    index->size = index->size ? 2 * index->size : 1024;
    free(index->slots);
    index->slots = calloc(index->size, sizeof *index->slots);
    if (!index->slots)
        abort();
    for (size_t i = 0; i < sites; i++) {
        size_t slot = hash(index->key(i));
        while (index->slots[slot & (index->size - 1)])
            slot++;
        index->slots[slot & (index->size - 1)] = (uint32_t)i + 1;
    }
}

/* The slot of the site with this key; an empty slot if there is none yet. */
static uint32_t *slot_of(struct site_index *index, size_t sites, uintptr_t key)
{
    if (2 * sites >= index->size)
        rebuild(index, sites);
    size_t slot = hash(key);
    for (;; slot++) {
        uint32_t *found = &index->slots[slot & (index->size - 1)];
        if (!*found || index->key(*found - 1) == key)
            return found;
    }
}

struct kernel_site *kernel_site(const void *function, const void *at)
{
    uint32_t *slot = slot_of(&kernel_index, kernel_site_count, (uintptr_t)function);
    if (!*slot) {
        kernel_sites = grown(kernel_sites, kernel_site_count, sizeof *kernel_sites);
        kernel_sites[kernel_site_count] = (struct kernel_site){.function = function, .at = at};
        *slot = (uint32_t)++kernel_site_count;
    }
    return &kernel_sites[*slot - 1];
}

static struct transfer_site *transfer_site(const void *at, enum reason reason,
                                           enum direction direction)
{
    uintptr_t key = (uintptr_t)at * 32 + reason * 4 + direction;
    uint32_t *slot = slot_of(&transfer_index, transfer_site_count, key);
    if (!*slot) {
        transfer_sites = grown(transfer_sites, transfer_site_count, sizeof *transfer_sites);
        transfer_sites[transfer_site_count] =
            (struct transfer_site){.at = at, .reason = reason, .direction = direction};
        *slot = (uint32_t)++transfer_site_count;
    }
    return &transfer_sites[*slot - 1];
}

void charge_kernel(struct kernel_site *kernel)
{
    charged = kernel;
}

void record_transfer(const void *at, enum reason reason, enum direction direction, size_t bytes,
                     bool changed)
{
    struct transfer_site *site = transfer_site(at, reason, direction);
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
