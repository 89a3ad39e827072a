/* The accesses of chosen loops, one by one, in a file. */
#ifndef ACCLIMATE_ORACLE_TRACE_H
#define ACCLIMATE_ORACLE_TRACE_H

#include "levels.h"

void trace_loops(const char *numbers, int to);
void trace_access(uintptr_t address, size_t size, bool writes, uint32_t code);
void flush_trace(void);

#endif
