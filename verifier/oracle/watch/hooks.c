/* What -fsanitize=thread calls. */
#include <stdlib.h>

#include "accesses.h"
#include "c_library.h"
#include "dead_storage.h"
#include "report.h"

EXPORT void __tsan_init(void)
{
    if (getenv("ORACLE_TRIALS"))
        keep_room_between_blocks();
    else
        start();
}

EXPORT void __tsan_func_entry(void *caller)
{
    (void)caller;
}

EXPORT void __tsan_func_exit(void)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    /* The exiting procedure's frame lies above ours, up to its saved frame pointer. */
    uintptr_t base = *(uintptr_t *)frame;
    procedure_left(base);
    while (depth && levels[depth - 1].frame < base && levels[depth - 1].frame >= frame)
        leave(depth - 1, false);
}

#define PLAIN(name, bytes, writes)                                                                 \
    EXPORT void __tsan_##name##bytes(void *address)                                                \
    {                                                                                              \
        touch(address, bytes, writes, HERE);                                                      \
    }
#define SIZES(name, writes)                                                                        \
    PLAIN(name, 1, writes)                                                                         \
    PLAIN(name, 2, writes)                                                                         \
    PLAIN(name, 4, writes)                                                                         \
    PLAIN(name, 8, writes)                                                                         \
    PLAIN(name, 16, writes)

SIZES(read, false)
SIZES(write, true)
SIZES(unaligned_read, false)
SIZES(unaligned_write, true)
SIZES(volatile_read, false)
SIZES(volatile_write, true)

EXPORT void __tsan_read_range(void *address, size_t size)
{
    touch(address, size, false, HERE);
}

EXPORT void __tsan_write_range(void *address, size_t size)
{
    touch(address, size, true, HERE);
}
