/* What MPI reads of the program's memory when it sends: the Fortran names of its procedures. */
#define _GNU_SOURCE
#include "access_log.h"

#include <dlfcn.h>
#include <stdint.h>

#pragma GCC visibility push(default)

#define CALLER __builtin_return_address(0)

/* Weak: there where there is MPI. Bounds are of kind MPI_ADDRESS_KIND. */
void mpi_type_size_(int *type, int *size, int *error) __attribute__((weak));
void mpi_type_get_extent_(int *type, intptr_t *lower, intptr_t *extent, int *error)
    __attribute__((weak));
void mpi_type_get_true_extent_(int *type, intptr_t *lower, intptr_t *extent, int *error)
    __attribute__((weak));

/* The bytes of one element, 0 where they have gaps: what lies in these is not sent. */
static size_t without_gaps(int *type)
{
    int size = 0, error = 0;
    intptr_t lower = 0, extent = 0, true_lower = 0, true_extent = 0;
    if (!mpi_type_size_ || !mpi_type_get_extent_ || !mpi_type_get_true_extent_)
        return 0;
    mpi_type_size_(type, &size, &error);
    if (!error)
        mpi_type_get_extent_(type, &lower, &extent, &error);
    if (!error)
        mpi_type_get_true_extent_(type, &true_lower, &true_extent, &error);
    bool dense = !lower && !true_lower && extent == size && true_extent == size;
    return !error && dense && size > 0 ? (size_t)size : 0;
}

static void sends(const void *buffer, const int *count, int *type, const int *to, const void *at)
{
    /* Ranks are not negative: this is MPI_PROC_NULL, to which nothing is sent. */
    if (!accesses_logged() || *count <= 0 || *to < 0)
        return;
    size_t size = without_gaps(type);
    if (size)
        log_access(buffer, (size_t)*count * size, false, at);
}

#define SEND(name)                                                                                 \
    void name(void *buffer, int *count, int *type, int *to, int *tag, int *comm, int *error)       \
    {                                                                                              \
        sends(buffer, count, type, to, CALLER);                                                    \
        void (*next)(void *, int *, int *, int *, int *, int *, int *) =                           \
            (void (*)(void *, int *, int *, int *, int *, int *, int *))dlsym(RTLD_NEXT, #name);   \
        if (next)                                                                                  \
            next(buffer, count, type, to, tag, comm, error);                                       \
    }
#define BEGIN_SEND(name)                                                                           \
    void name(void *buffer, int *count, int *type, int *to, int *tag, int *comm, int *request,     \
              int *error)                                                                          \
    {                                                                                              \
        sends(buffer, count, type, to, CALLER);                                                    \
        void (*next)(void *, int *, int *, int *, int *, int *, int *, int *) =                    \
            (void (*)(void *, int *, int *, int *, int *, int *, int *, int *))dlsym(RTLD_NEXT,    \
                                                                                     #name);       \
        if (next)                                                                                  \
            next(buffer, count, type, to, tag, comm, request, error);                              \
    }

SEND(mpi_send_)
SEND(mpi_ssend_)
SEND(mpi_bsend_)
SEND(mpi_rsend_)
BEGIN_SEND(mpi_isend_)
BEGIN_SEND(mpi_issend_)
BEGIN_SEND(mpi_ibsend_)
BEGIN_SEND(mpi_irsend_)
