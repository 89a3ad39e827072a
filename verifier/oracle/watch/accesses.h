/* Every access of the program goes through here. */
#ifndef ACCLIMATE_ORACLE_ACCESSES_H
#define ACCLIMATE_ORACLE_ACCESSES_H

#include "levels.h"

#define HERE ((uint32_t)(uintptr_t)__builtin_return_address(0))

void touch(const void *place, size_t size, bool writes, uint32_t code);

#endif
