/* gfortran's array descriptor. */
#ifndef ACCLIMATE_ARRAY_DESCRIPTOR_H
#define ACCLIMATE_ARRAY_DESCRIPTOR_H

#include <stddef.h>

struct array_descriptor {
    char *base;
    size_t offset;
    struct {
        size_t element; /* B */
        int version;
        signed char rank, type;
        short attribute;
    } dtype;
    ptrdiff_t span; /* B between elements one stride unit apart; 0 means the element's size */
    struct {
        ptrdiff_t stride, lower, upper;
    } dimension[];
};

static inline size_t array_extent(const struct array_descriptor *array, int dimension)
{
    ptrdiff_t extent = array->dimension[dimension].upper - array->dimension[dimension].lower + 1;
    return extent > 0 ? (size_t)extent : 0;
}

static inline size_t array_bytes(const struct array_descriptor *array)
{
    size_t bytes = array->dtype.element;
    for (int i = 0; i < array->dtype.rank; i++)
        bytes *= array_extent(array, i);
    return bytes;
}

#endif
