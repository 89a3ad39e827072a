/* Granules of 8 bytes that a running loop has touched. */
#ifndef ACCLIMATE_ORACLE_CELLS_H
#define ACCLIMATE_ORACLE_CELLS_H

#include "levels.h"

struct cell {
    uint64_t granule;
    uint32_t instance, iteration;
    uint32_t writer, reader; /* code addresses of the last ones */
    uint32_t earlier_writer, earlier_reader, written_in, read_in; /* of earlier iterations */
    uint8_t written_before, written_now, read_before, read_now;
};

void *pages(size_t size);
uint64_t hash(uint64_t granule);
struct cell *cell_of(struct level *level, uint64_t granule, bool make);

#endif
