/* Addresses of code: as offsets in their file for the report, as small integers for shadow words. */
#ifndef ACCLIMATE_CODE_ADDRESS_H
#define ACCLIMATE_CODE_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Learn where the program's own code lies; called once. */
void locate_program(void);

/* Offset from the program's load address plus one, in 29 bits; 0 for code outside the program. */
uint32_t code_offset(const void *code);
const void *code_at(uint32_t offset);

/* The program's own code at an offset as its debug information counts it. */
const void *program_code(uintptr_t offset);

/* The file that holds `address` and the address as that file's debug information counts it.
   Returns the position of the file among `module_path`, or -1 if no file holds it. */
int module_of(const void *address, uintptr_t *offset);
size_t module_count(void);
const char *module_path(size_t module);

bool is_stack_address(const void *address);
/* In the program's own writable data: a variable with static storage. */
bool is_static_address(const void *address);

#endif
