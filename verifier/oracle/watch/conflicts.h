/* What two iterations of one loop do to the same bytes. */
#ifndef ACCLIMATE_ORACLE_CONFLICTS_H
#define ACCLIMATE_ORACLE_CONFLICTS_H

#include "levels.h"

void found(int loop, enum kind kind, uint32_t earlier, uint32_t later, int variable, uint32_t first,
           uint32_t second);
void level_access(struct level *level, uintptr_t address, uint64_t granule, uint8_t bytes,
                  bool writes, uint32_t code);

#endif
