/* What MPI reads of the program's memory when it sends: the Fortran names of its procedures. */
#define _GNU_SOURCE
#include "access_log.h"
#include "findings.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)

#define CALLER __builtin_return_address(0)

/* Weak: there where there is MPI. Bounds are of kind MPI_ADDRESS_KIND. */
void mpi_type_size_(int *type, int *size, int *error) __attribute__((weak));
void mpi_type_get_extent_(int *type, intptr_t *lower, intptr_t *extent, int *error)
    __attribute__((weak));
void mpi_type_get_true_extent_(int *type, intptr_t *lower, intptr_t *extent, int *error)
    __attribute__((weak));

void mpi_pack_size_(int *count, int *type, int *comm, int *size, int *error)
    __attribute__((weak));
void mpi_unpack_(void *packed, int *packed_size, int *position, void *buffer, int *count, int *type,
                 int *comm, int *error) __attribute__((weak));
/* MPI_BOTTOM of Open MPI and of MPICH: displacements from it are addresses. */
extern char mpi_fortran_bottom_[] __attribute__((weak));
extern char mpipriv1_[] __attribute__((weak));

#define LARGEST ((intptr_t)1 << 30) /* B from the first to the last byte of an element */

/* One element of a message: `size` bytes are sent of those between `first` and `end`. */
struct element {
    int size;
    intptr_t extent, first, end;
};

static bool describe(int *type, struct element *found)
{
    int error = 0;
    intptr_t lower = 0, length = 0;
    if (!mpi_type_size_ || !mpi_type_get_extent_ || !mpi_type_get_true_extent_)
        return false;
    mpi_type_size_(type, &found->size, &error);
    if (!error)
        mpi_type_get_extent_(type, &lower, &found->extent, &error);
    if (!error)
        mpi_type_get_true_extent_(type, &found->first, &length, &error);
    found->end = found->first + length;
    return !error;
}

/* Which bytes of an element are sent: those that arrive where nothing but ones is received. */
static unsigned char *arriving(const struct element *element, int *type, int *comm)
{
    intptr_t length = element->end - element->first;
    int one = 1, error = 0, position = 0, packed_size = 0;
    if (!mpi_unpack_ || !mpi_pack_size_ || length <= 0 || length > LARGEST)
        return NULL;
    mpi_pack_size_(&one, type, comm, &packed_size, &error);
    unsigned char *packed = !error && packed_size > 0 ? malloc((size_t)packed_size) : NULL;
    unsigned char *sent = calloc((size_t)length, 1);
    if (packed && sent) {
        memset(packed, 0xff, (size_t)packed_size);
        void *buffer = (void *)((uintptr_t)sent - (uintptr_t)element->first);
        mpi_unpack_(packed, &packed_size, &position, buffer, &one, type, comm, &error);
    }
    if (!packed || error) {
        free(sent);
        sent = NULL;
    }
    free(packed);
    return sent;
}

static void log_parts(const char *base, intptr_t count, const struct element *element,
                      const unsigned char *sent, const void *at)
{
    intptr_t length = element->end - element->first;
    for (intptr_t i = 0; i < count; i++) {
        const char *first = base + i * element->extent + element->first;
        for (intptr_t here = 0; here < length;) {
            intptr_t begin = here;
            while (here < length && sent[here])
                here++;
            if (here > begin)
                log_access(first + begin, (size_t)(here - begin), false, at);
            while (here < length && !sent[here])
                here++;
        }
    }
}

static void sends(const void *buffer, const int *count, int *type, const int *to, int *comm,
                  const void *at)
{
    /* Ranks are not negative: this is MPI_PROC_NULL, to which nothing is sent. */
    if (!accesses_logged() || *count <= 0 || *to < 0)
        return;
    struct element element = {0};
    unsigned char *sent = NULL;
    bool known = describe(type, &element);
    bool is_bottom = buffer == mpi_fortran_bottom_ || buffer == mpipriv1_;
    if (known && element.size == 0)
        return;
    if (known && !is_bottom && !element.first && element.extent == element.size &&
        element.end == element.size)
        log_access(buffer, (size_t)*count * (size_t)element.size, false, at);
    else if (known && (sent = arriving(&element, type, comm)))
        log_parts(is_bottom ? NULL : buffer, *count, &element, sent, at);
    else
        report_finding(UNWATCHED_SEND, at, NULL, buffer,
                       "which bytes are sent here could not be found out: stale ones would not show");
    free(sent);
}

#define SEND(name)                                                                                 \
    void name(void *buffer, int *count, int *type, int *to, int *tag, int *comm, int *error)       \
    {                                                                                              \
        sends(buffer, count, type, to, comm, CALLER);                                                    \
        void (*next)(void *, int *, int *, int *, int *, int *, int *) =                           \
            (void (*)(void *, int *, int *, int *, int *, int *, int *))dlsym(RTLD_NEXT, #name);   \
        if (next)                                                                                  \
            next(buffer, count, type, to, tag, comm, error);                                       \
    }
#define BEGIN_SEND(name)                                                                           \
    void name(void *buffer, int *count, int *type, int *to, int *tag, int *comm, int *request,     \
              int *error)                                                                          \
    {                                                                                              \
        sends(buffer, count, type, to, comm, CALLER);                                                    \
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
