/* A sorted array: a model has hundreds of mapped arrays and looks them up far more often than it
   maps them, so moving the tail on insertion is cheaper than chasing the links of a tree. */
#include "interval_index.h"

#include <stdlib.h>
#include <string.h>

static void count_pages(struct interval_index *index, uintptr_t begin, uintptr_t end, int change)
{
    uintptr_t last = (end - 1) >> 12;
    for (uintptr_t page = begin >> 12; page <= last; page++)
        index->pages[page & (INDEX_PAGES - 1)] += (uint32_t)change;
}

/* Position of the first range that ends behind `address`. */
static size_t first_ending_after(const struct interval_index *index, uintptr_t address)
{
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->items[middle].end > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void index_insert(struct interval_index *index, uintptr_t begin, uintptr_t end, void *owner)
{
    if (index->count == index->capacity) {
        index->capacity = index->capacity ? 2 * index->capacity : 256;
        index->items = realloc(index->items, index->capacity * sizeof *index->items);
        if (!index->items)
            abort();
    }
    size_t at = first_ending_after(index, begin);
    memmove(&index->items[at + 1], &index->items[at], (index->count - at) * sizeof *index->items);
    index->items[at] = (struct interval){begin, end, owner};
    index->count++;
    count_pages(index, begin, end, 1);
}

void index_remove(struct interval_index *index, uintptr_t begin)
{
    size_t at = first_ending_after(index, begin);
    if (at == index->count || index->items[at].begin != begin)
        return;
    count_pages(index, begin, index->items[at].end, -1);
    index->count--;
    memmove(&index->items[at], &index->items[at + 1], (index->count - at) * sizeof *index->items);
}

const struct interval *index_overlap(const struct interval_index *index, uintptr_t begin,
                                     uintptr_t end)
{
    size_t at = first_ending_after(index, begin);
    return at < index->count && index->items[at].begin < end ? &index->items[at] : NULL;
}

const struct interval *index_search(struct interval_index *index, uintptr_t address)
{
    size_t at = first_ending_after(index, address);
    if (at == index->count || index->items[at].begin > address)
        return NULL;
    index->hints[index_slot(address)] = (uint32_t)at;
    return &index->items[at];
}
