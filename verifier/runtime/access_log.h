/* Loads and stores of a program compiled with -fsanitize=thread. */
#ifndef ACCLIMATE_ACCESS_LOG_H
#define ACCLIMATE_ACCESS_LOG_H

#include <stdbool.h>
#include <stddef.h>

bool accesses_logged(void);

/* Around a kernel; between them accesses are the device's. */
void kernel_begins(const void *at);
void kernel_ends(void);

/* An access by code that the compiler did not instrument, such as the I/O library. */
void log_host_access(const void *address, size_t size, bool writes, const void *at);

#endif
