/* What a WRITE or PRINT statement reads. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "accesses.h"

#define ITEM(name, size_type)                                                                      \
    EXPORT void _gfortran_transfer_##name##_write(void *statement, void *item, size_type size)      \
    {                                                                                              \
        static void (*next)(void *, void *, size_type);                                            \
        if (!next)                                                                                 \
            next = (void (*)(void *, void *, size_type))dlsym(                                     \
                RTLD_NEXT, "_gfortran_transfer_" #name "_write");                                  \
        touch(item, (size_t)size, false, HERE);                                                    \
        next(statement, item, size);                                                               \
    }

ITEM(integer, int)
ITEM(real, int)
ITEM(logical, int)
ITEM(character, size_t)
