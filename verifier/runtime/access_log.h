/* Loads and stores of a program compiled with -fsanitize=thread. */
#ifndef ACCLIMATE_ACCESS_LOG_H
#define ACCLIMATE_ACCESS_LOG_H

#include <stdbool.h>
#include <stddef.h>

bool accesses_logged(void);

/* Around a kernel; between them accesses are the device's. What lies on the stack below `frame`
   is the kernel's own. */
void kernel_begins(const void *frame);
void kernel_ends(void);

/* An access by code that is not instrumented, on behalf of the program at `at`. */
void log_access(const void *address, size_t size, bool writes, const void *at);

#endif
