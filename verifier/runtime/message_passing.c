/* What MPI reads of the program's memory when it sends: the Fortran names of its procedures. */
#define _GNU_SOURCE
#include "access_log.h"

#include <dlfcn.h>

#pragma GCC visibility push(default)

#define CALLER __builtin_return_address(0)

void mpi_type_size_(int *type, int *size, int *error) __attribute__((weak)); /* where there is MPI */

static void sends(const void *buffer, const int *count, int *type, const void *at)
{
    int size = 0, error = 0;
    if (!accesses_logged() || !mpi_type_size_)
        return;
    mpi_type_size_(type, &size, &error);
    if (!error && *count > 0 && size > 0)
        log_access(buffer, (size_t)*count * (size_t)size, false, at);
}

#define SEND(name)                                                                                 \
    void name(void *buffer, int *count, int *type, int *to, int *tag, int *comm, int *error)       \
    {                                                                                              \
        sends(buffer, count, type, CALLER);                                                        \
        void (*next)(void *, int *, int *, int *, int *, int *, int *) =                           \
            (void (*)(void *, int *, int *, int *, int *, int *, int *))dlsym(RTLD_NEXT, #name);   \
        if (next)                                                                                  \
            next(buffer, count, type, to, tag, comm, error);                                       \
    }
#define BEGIN_SEND(name)                                                                           \
    void name(void *buffer, int *count, int *type, int *to, int *tag, int *comm, int *request,     \
              int *error)                                                                          \
    {                                                                                              \
        sends(buffer, count, type, CALLER);                                                        \
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
