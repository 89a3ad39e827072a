/* The hooks of -fsanitize=thread, defined here instead of in the sanitizer's own library. */
#include "access_log.h"

#include "code_address.h"
#include "findings.h"
#include "iterations.h"
#include "present_table.h"
#include "report.h"
#include "validity.h"

#include <stdint.h>

#define HERE __builtin_return_address(0)
#define EXPORT __attribute__((visibility("default")))
#define KERNEL_STACK (64 << 20) /* B */
#define MAX_DEPTH 65536

static bool logging, in_kernel;
static const char *kernel_frame;
static const void *frames[MAX_DEPTH]; /* of the procedures that run, outermost first */
static size_t depth;

bool accesses_logged(void)
{
    return logging;
}

void kernel_begins(const void *frame)
{
    if (!logging)
        return;
    kernel_frame = frame;
    in_kernel = true;
    iterations_begin();
}

void kernel_ends(void)
{
    in_kernel = false;
    iterations_end();
}

static bool is_private(const char *address)
{
    return address < kernel_frame && address > kernel_frame - KERNEL_STACK;
}

static void kernel_access(const char *address, size_t size, bool writes, bool atomic,
                          const void *at)
{
    if (is_private(address))
        return;
    struct mapping *mapping = mapping_of_device_address(address);
    if (!mapping) {
        /* The rest is made by the runtime: descriptors, firstprivate copies, address lists. */
        if (is_static_address(address))
            report_finding(HOST_MEMORY_IN_KERNEL, at, NULL, address,
                           "a kernel reaches a static variable that is not mapped");
        return;
    }
    size_t room = (size_t)(mapping->device + mapping->size - address);
    if (size > room)
        size = room;
    if (writes)
        kernel_writes(mapping, address, size, at);
    else
        kernel_reads(mapping, address, size, at);
    iteration_access(mapping, address, size, writes, atomic, at);
}

static inline void access(const void *address, size_t size, bool writes, bool atomic,
                          const void *at)
{
    if (in_kernel)
        kernel_access(address, size, writes, atomic, at);
    else if (writes)
        host_writes(address, size, at);
    else
        host_reads(address, size, at);
}

void log_access(const void *address, size_t size, bool writes, const void *at)
{
    if (logging && size)
        access(address, size, writes, false, at);
}

EXPORT void __tsan_init(void)
{
    if (logging)
        return;
    logging = true;
    start_emulation();
    keep_validity();
}

EXPORT void __tsan_func_entry(void *caller)
{
    (void)caller;
    if (depth < MAX_DEPTH)
        frames[depth] = __builtin_frame_address(0);
    depth++;
}

EXPORT void __tsan_func_exit(void)
{
    if (depth > 0)
        depth--;
    if (depth > 0 && depth <= MAX_DEPTH)
        forget_stack_below(frames[depth - 1]);
}

EXPORT void __tsan_read_range(void *address, size_t size)
{
    access(address, size, false, false, HERE);
}

EXPORT void __tsan_write_range(void *address, size_t size)
{
    access(address, size, true, false, HERE);
}

EXPORT void __tsan_vptr_update(void *address, void *value)
{
    (void)value;
    access(address, sizeof(void *), true, false, HERE);
}

EXPORT void __tsan_vptr_read(void *address)
{
    access(address, sizeof(void *), false, false, HERE);
}

#define PLAIN(name, bytes, writes)                                                                 \
    EXPORT void __tsan_##name##bytes(void *address)                                                \
    {                                                                                              \
        access(address, bytes, writes, false, HERE);                                               \
    }
#define PLAIN_SIZES(name, writes)                                                                  \
    PLAIN(name, 1, writes)                                                                         \
    PLAIN(name, 2, writes)                                                                         \
    PLAIN(name, 4, writes)                                                                         \
    PLAIN(name, 8, writes)                                                                         \
    PLAIN(name, 16, writes)

PLAIN_SIZES(read, false)
PLAIN_SIZES(write, true)
PLAIN_SIZES(unaligned_read, false)
PLAIN_SIZES(unaligned_write, true)
PLAIN_SIZES(volatile_read, false)
PLAIN_SIZES(volatile_write, true)
PLAIN_SIZES(unaligned_volatile_read, false)
PLAIN_SIZES(unaligned_volatile_write, true)

#define FETCH(bits, type, operation)                                                               \
    EXPORT type __tsan_atomic##bits##_fetch_##operation(type *address, type value, int order)      \
    {                                                                                              \
        (void)order;                                                                               \
        access(address, bits / 8, true, true, HERE);                                               \
        return __atomic_fetch_##operation(address, value, __ATOMIC_SEQ_CST);                       \
    }
#define COMPARE(bits, type, strength, weak)                                                        \
    EXPORT int __tsan_atomic##bits##_compare_exchange_##strength(                                  \
        type *address, type *expected, type value, int order, int failure_order)                   \
    {                                                                                              \
        (void)order, (void)failure_order;                                                          \
        access(address, bits / 8, true, true, HERE);                                               \
        return __atomic_compare_exchange_n(address, expected, value, weak, __ATOMIC_SEQ_CST,       \
                                           __ATOMIC_SEQ_CST);                                      \
    }
#define ATOMICS(bits, type)                                                                        \
    EXPORT type __tsan_atomic##bits##_load(const type *address, int order)                         \
    {                                                                                              \
        (void)order;                                                                               \
        access(address, bits / 8, false, true, HERE);                                              \
        return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                         \
    }                                                                                              \
    EXPORT void __tsan_atomic##bits##_store(type *address, type value, int order)                  \
    {                                                                                              \
        (void)order;                                                                               \
        access(address, bits / 8, true, true, HERE);                                               \
        __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                        \
    }                                                                                              \
    EXPORT type __tsan_atomic##bits##_exchange(type *address, type value, int order)               \
    {                                                                                              \
        (void)order;                                                                               \
        access(address, bits / 8, true, true, HERE);                                               \
        return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                              \
    }                                                                                              \
    EXPORT type __tsan_atomic##bits##_compare_exchange_val(type *address, type expected,           \
                                                           type value, int order,                  \
                                                           int failure_order)                      \
    {                                                                                              \
        (void)order, (void)failure_order;                                                          \
        access(address, bits / 8, true, true, HERE);                                               \
        __atomic_compare_exchange_n(address, &expected, value, 0, __ATOMIC_SEQ_CST,                \
                                    __ATOMIC_SEQ_CST);                                             \
        return expected;                                                                           \
    }                                                                                              \
    FETCH(bits, type, add)                                                                         \
    FETCH(bits, type, sub)                                                                         \
    FETCH(bits, type, and)                                                                         \
    FETCH(bits, type, or)                                                                          \
    FETCH(bits, type, xor)                                                                         \
    COMPARE(bits, type, strong, 0)                                                                 \
    COMPARE(bits, type, weak, 1)

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

EXPORT void __tsan_atomic_thread_fence(int order)
{
    (void)order;
}
