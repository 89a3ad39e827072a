/* What libgfortran reads and writes for the program: input and output lists, packed copies of
   sections, and array functions that are not compiled in line. */
#define _GNU_SOURCE
#include "access_log.h"
#include "array_descriptor.h"
#include "fortran_io.h"

#include <dlfcn.h>
#include <stdint.h>

#pragma GCC visibility push(default)

#define CALLER __builtin_return_address(0)
#define FIND_NEXT(name)                                                                            \
    if (!name##_next)                                                                              \
    name##_next = dlsym(RTLD_NEXT, "_gfortran_" #name)

/* One library function calls another through the same names; only the program's call counts. */
static int depth;

bool library_runs(void)
{
    return depth > 0;
}

static void log_item(const void *item, size_t size, bool writes, const void *at)
{
    if (!depth)
        log_access(item, size, writes, at);
}

static void log_dimension(const struct array_descriptor *array, int dimension, char *from,
                          bool writes, const void *at)
{
    ptrdiff_t unit = array->span ? array->span : (ptrdiff_t)array->dtype.element;
    if (dimension < 0) {
        log_access(from, array->dtype.element, writes, at);
        return;
    }
    ptrdiff_t step = array->dimension[dimension].stride * unit;
    size_t extent = array_extent(array, dimension);
    if (dimension == 0 && step == (ptrdiff_t)array->dtype.element) {
        log_access(from, extent * array->dtype.element, writes, at);
        return;
    }
    for (size_t i = 0; i < extent; i++)
        log_dimension(array, dimension - 1, from + (ptrdiff_t)i * step, writes, at);
}

static void log_array(const struct array_descriptor *array, bool writes, const void *at)
{
    if (accesses_logged() && !depth && array && array->base)
        log_dimension(array, array->dtype.rank - 1, array->base, writes, at);
}

/* --- items of input and output lists: READ writes memory, WRITE reads it ------------------------- */

#define NUMERIC_ITEM(name, parts, writes)                                                          \
    static void (*name##_next)(void *, void *, int);                                               \
    void _gfortran_##name(void *unit, void *item, int kind)                                        \
    {                                                                                              \
        log_item(item, (size_t)kind * (parts), writes, CALLER);                                    \
        FIND_NEXT(name);                                                                           \
        depth++;                                                                                   \
        name##_next(unit, item, kind);                                                             \
        depth--;                                                                                   \
    }

NUMERIC_ITEM(transfer_integer, 1, true)
NUMERIC_ITEM(transfer_integer_write, 1, false)
NUMERIC_ITEM(transfer_logical, 1, true)
NUMERIC_ITEM(transfer_logical_write, 1, false)
NUMERIC_ITEM(transfer_real, 1, true)
NUMERIC_ITEM(transfer_real_write, 1, false)
NUMERIC_ITEM(transfer_complex, 2, true)
NUMERIC_ITEM(transfer_complex_write, 2, false)

#define CHARACTER_ITEM(name, writes)                                                               \
    static void (*name##_next)(void *, void *, size_t);                                            \
    void _gfortran_##name(void *unit, void *item, size_t length)                                   \
    {                                                                                              \
        log_item(item, length, writes, CALLER);                                                    \
        FIND_NEXT(name);                                                                           \
        depth++;                                                                                   \
        name##_next(unit, item, length);                                                           \
        depth--;                                                                                   \
    }

CHARACTER_ITEM(transfer_character, true)
CHARACTER_ITEM(transfer_character_write, false)

#define ARRAY_ITEM(name, writes)                                                                   \
    static void (*name##_next)(void *, struct array_descriptor *, int, size_t);                    \
    void _gfortran_##name(void *unit, struct array_descriptor *array, int kind, size_t length)     \
    {                                                                                              \
        log_array(array, writes, CALLER);                                                          \
        FIND_NEXT(name);                                                                           \
        depth++;                                                                                   \
        name##_next(unit, array, kind, length);                                                    \
        depth--;                                                                                   \
    }

ARRAY_ITEM(transfer_array, true)
ARRAY_ITEM(transfer_array_write, false)

/* --- copies of sections that are not contiguous -------------------------------------------------- */

static void *(*internal_pack_next)(struct array_descriptor *);
void *_gfortran_internal_pack(struct array_descriptor *array)
{
    FIND_NEXT(internal_pack);
    depth++;
    void *packed = internal_pack_next(array);
    depth--;
    if (packed != array->base)
        log_array(array, false, CALLER);
    return packed;
}

static void (*internal_unpack_next)(struct array_descriptor *, const void *);
void _gfortran_internal_unpack(struct array_descriptor *array, const void *packed)
{
    if (packed != array->base)
        log_array(array, true, CALLER);
    FIND_NEXT(internal_unpack);
    depth++;
    internal_unpack_next(array, packed);
    depth--;
}

/* --- array functions: result, then one or two arrays, then other arguments ----------------------- */

typedef struct array_descriptor array;

#define ONE_ARRAY(name)                                                                            \
    static void (*name##_next)(array *, array *, void *, void *, intptr_t, intptr_t);              \
    void _gfortran_##name(array *result, array *source, void *a, void *b, intptr_t c, intptr_t d)  \
    {                                                                                              \
        log_array(source, false, CALLER);                                                          \
        FIND_NEXT(name);                                                                           \
        depth++;                                                                                   \
        name##_next(result, source, a, b, c, d);                                                   \
        depth--;                                                                                   \
        log_array(result, true, CALLER);                                                           \
    }
#define TWO_ARRAYS(name)                                                                           \
    static void (*name##_next)(array *, array *, array *, intptr_t, intptr_t, intptr_t);           \
    void _gfortran_##name(array *result, array *left, array *right, intptr_t a, intptr_t b,        \
                          intptr_t c)                                                              \
    {                                                                                              \
        log_array(left, false, CALLER);                                                            \
        log_array(right, false, CALLER);                                                           \
        FIND_NEXT(name);                                                                           \
        depth++;                                                                                   \
        name##_next(result, left, right, a, b, c);                                                 \
        depth--;                                                                                   \
        log_array(result, true, CALLER);                                                           \
    }
#define NUMERIC_KINDS(macro, name) macro(name##_i4) macro(name##_i8) macro(name##_r4) macro(name##_r8)
#define REDUCTION(name)                                                                            \
    NUMERIC_KINDS(ONE_ARRAY, name) NUMERIC_KINDS(ONE_ARRAY, m##name) NUMERIC_KINDS(ONE_ARRAY, s##name)

NUMERIC_KINDS(TWO_ARRAYS, matmul)
TWO_ARRAYS(matmul_c4)
TWO_ARRAYS(matmul_c8)
REDUCTION(maxval)
REDUCTION(minval)
REDUCTION(sum)
REDUCTION(product)
ONE_ARRAY(reshape_4)
ONE_ARRAY(reshape_8)
ONE_ARRAY(reshape_r4)
ONE_ARRAY(reshape_r8)
ONE_ARRAY(spread)
ONE_ARRAY(pack)
ONE_ARRAY(cshift0_4)
ONE_ARRAY(cshift0_8)

static void (*arandom_r4_next)(array *);
void _gfortran_arandom_r4(array *harvest)
{
    FIND_NEXT(arandom_r4);
    depth++;
    arandom_r4_next(harvest);
    depth--;
    log_array(harvest, true, CALLER);
}

static void (*arandom_r8_next)(array *);
void _gfortran_arandom_r8(array *harvest)
{
    FIND_NEXT(arandom_r8);
    depth++;
    arandom_r8_next(harvest);
    depth--;
    log_array(harvest, true, CALLER);
}
