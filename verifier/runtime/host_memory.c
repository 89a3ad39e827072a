/* Functions of the C library that touch or release memory for the program. */
#define _GNU_SOURCE
#include "access_log.h"
#include "code_address.h"
#include "findings.h"
#include "fortran_io.h"
#include "ledger.h"
#include "present_table.h"
#include "report.h"
#include "validity.h"

#include <dlfcn.h>
#include <malloc.h>
#include <string.h>

#pragma GCC visibility push(default)

#define CALLER __builtin_return_address(0)

void __libc_free(void *block);
void *__libc_realloc(void *block, size_t size);

static void released(void *block, const void *at)
{
    size_t size = malloc_usable_size(block), bytes_left;
    if (!is_program_thread() || own_work_runs())
        return;
    struct mapping *mapping = mappings_left(&bytes_left) ? overlapping_mapping(block, size) : NULL;
    if (mapping && !mapping->dangling && code_offset(at)) {
        mapping->dangling = true; /* what lives there next is not to blame */
        report_finding(FREED_WHILE_MAPPED, at, mapping, mapping->host,
                       "memory is released while its copy is on the device");
    }
    forget_host_range(block, size);
}

void free(void *block)
{
    if (block)
        released(block, CALLER);
    __libc_free(block);
}

void *realloc(void *block, size_t size)
{
    if (block)
        released(block, CALLER);
    return __libc_realloc(block, size);
}

static bool is_logged(void)
{
    return accesses_logged() && is_program_thread() && !own_work_runs() && !library_runs();
}

/* Libraries read for a statement of the program, which fortran_io.c logs; what they write counts
   whoever asked for it. */
static void log_read(const void *from, size_t size, const void *at)
{
    if (code_offset(at))
        log_access(from, size, false, at);
}

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    static void *(*next)(void *, const void *, size_t);
    if (!next)
        next = (void *(*)(void *, const void *, size_t))dlsym(RTLD_NEXT, "memcpy");
    if (is_logged()) {
        log_read(from, size, CALLER);
        log_access(to, size, true, CALLER);
    }
    return next(to, from, size);
}

void *memmove(void *to, const void *from, size_t size)
{
    static void *(*next)(void *, const void *, size_t);
    if (!next)
        next = (void *(*)(void *, const void *, size_t))dlsym(RTLD_NEXT, "memmove");
    if (is_logged()) {
        log_read(from, size, CALLER);
        log_access(to, size, true, CALLER);
    }
    return next(to, from, size);
}

void *memset(void *to, int byte, size_t size)
{
    static void *(*next)(void *, int, size_t);
    if (!next)
        next = (void *(*)(void *, int, size_t))dlsym(RTLD_NEXT, "memset");
    if (is_logged())
        log_access(to, size, true, CALLER);
    return next(to, byte, size);
}
