/* Storage that was private to a loop and must be written before it is read again. */
#ifndef ACCLIMATE_ORACLE_DEAD_STORAGE_H
#define ACCLIMATE_ORACLE_DEAD_STORAGE_H

#include "levels.h"

void expect_stack_below(uintptr_t top);
bool any_dead(void);
void dead_access(uint64_t granule, uint8_t bytes, bool writes, uint32_t code);
void revive(uint64_t granule);
void bury(struct level *level);
void procedure_left(uintptr_t base);

#endif
