/* Disjoint address ranges, sorted, with a page filter so that most misses cost one load. */
#ifndef ACCLIMATE_INTERVAL_INDEX_H
#define ACCLIMATE_INTERVAL_INDEX_H

#include <stddef.h>
#include <stdint.h>

#define INDEX_PAGES 65536 /* slots of the page filter, a power of two */

struct interval {
    uintptr_t begin, end; /* [begin, end) */
    void *owner;
};

struct interval_index {
    struct interval *items;
    size_t count, capacity;
    uint32_t pages[INDEX_PAGES]; /* how many ranges touch a page that falls on this slot */
    uint32_t hints[INDEX_PAGES]; /* position where the last hit on this slot was found */
};

void index_insert(struct interval_index *index, uintptr_t begin, uintptr_t end, void *owner);
void index_remove(struct interval_index *index, uintptr_t begin);

/* The first range that shares a byte with [begin, end), or NULL. */
const struct interval *index_overlap(const struct interval_index *index, uintptr_t begin,
                                     uintptr_t end);

/* The range that holds `address`, or NULL. */
static inline size_t index_slot(uintptr_t address)
{
    return (address >> 12) & (INDEX_PAGES - 1);
}

const struct interval *index_search(struct interval_index *index, uintptr_t address);

static inline const struct interval *index_find(struct interval_index *index, uintptr_t address)
{
    size_t slot = index_slot(address);
    if (!index->pages[slot])
        return NULL;
    size_t hint = index->hints[slot];
    if (hint < index->count && address >= index->items[hint].begin
        && address < index->items[hint].end)
        return &index->items[hint];
    return index_search(index, address);
}

#endif
