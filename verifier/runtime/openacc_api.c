/* The OpenACC library routines, in C and under the names that gfortran's `openacc` module uses. */
#include "array_descriptor.h"
#include "findings.h"
#include "ledger.h"
#include "present_table.h"
#include "report.h"
#include "transfers.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)

#define CALLER __builtin_return_address(0)

static void begin(void)
{
    start_emulation();
    own_work_begins();
}

static void *enter(void *host, size_t size, bool copies, const void *at)
{
    begin();
    struct mapping *mapping = find_mapping(host, size);
    if (!mapping) {
        if (overlapping_mapping(host, size))
            stop_with_finding(PARTIALLY_PRESENT, at, host, size,
                              "only a part of the data is on the device");
        mapping = add_mapping(host, size, at);
        if (copies)
            copy_to_device(mapping, host, size, at, BY_API);
        else
            record_transfer(at, BY_API, ALLOCATION, size, false);
    }
    mapping->dynamic++;
    own_work_ends();
    return in_device_copy(mapping, host);
}

static void leave(void *host, size_t size, bool copies, bool finalize, const void *at)
{
    begin();
    struct mapping *mapping = find_mapping(host, size);
    if (!mapping) {
        report_finding(EXIT_ABSENT, at, NULL, host, "exit data: not on the device");
    } else {
        if (mapping->dynamic)
            mapping->dynamic = finalize ? 0 : mapping->dynamic - 1;
        if (!mapping->dynamic && !mapping->structured) {
            if (copies)
                copy_to_host(mapping, host, size, at, BY_API);
            remove_mapping(mapping, at);
        }
    }
    own_work_ends();
}

static void update(void *host, size_t size, bool to_device, const void *at)
{
    begin();
    struct mapping *mapping = find_mapping(host, size);
    if (!mapping)
        stop_with_finding(UPDATE_ABSENT, at, host, size,
                          "update of data that is not on the device");
    if (to_device)
        copy_to_device(mapping, host, size, at, BY_API);
    else
        copy_to_host(mapping, host, size, at, BY_API);
    own_work_ends();
}

static void count_queue(int queue)
{
    (void)queue;
    totals.asynchronous++;
}

/* One routine in its five forms: C, Fortran with 32- and 64-bit lengths and with an array, and
   asynchronous C. `action` uses host, size and at. */
#define ROUTINE(result, name, action)                                                              \
    result name(void *host, size_t size)                                                           \
    {                                                                                              \
        const void *at = CALLER;                                                                   \
        action;                                                                                    \
    }                                                                                              \
    result name##_32_h_(void *host, const int32_t *length)                                         \
    {                                                                                              \
        const void *at = CALLER;                                                                   \
        size_t size = (size_t)*length;                                                             \
        action;                                                                                    \
    }                                                                                              \
    result name##_64_h_(void *host, const int64_t *length)                                         \
    {                                                                                              \
        const void *at = CALLER;                                                                   \
        size_t size = (size_t)*length;                                                             \
        action;                                                                                    \
    }                                                                                              \
    result name##_array_h_(const struct array_descriptor *array)                                   \
    {                                                                                              \
        const void *at = CALLER;                                                                   \
        void *host = array->base;                                                                  \
        size_t size = array_bytes(array);                                                          \
        action;                                                                                    \
    }
#define ASYNC_ROUTINE(name, action)                                                                \
    void name##_async(void *host, size_t size, int queue)                                          \
    {                                                                                              \
        const void *at = CALLER;                                                                   \
        count_queue(queue);                                                                        \
        action;                                                                                    \
    }                                                                                              \
    void name##_async_32_h_(void *host, const int32_t *length, const int *queue)                   \
    {                                                                                              \
        const void *at = CALLER;                                                                   \
        size_t size = (size_t)*length;                                                             \
        count_queue(*queue);                                                                       \
        action;                                                                                    \
    }                                                                                              \
    void name##_async_64_h_(void *host, const int64_t *length, const int *queue)                   \
    {                                                                                              \
        const void *at = CALLER;                                                                   \
        size_t size = (size_t)*length;                                                             \
        count_queue(*queue);                                                                       \
        action;                                                                                    \
    }                                                                                              \
    void name##_async_array_h_(const struct array_descriptor *array, const int *queue)             \
    {                                                                                              \
        const void *at = CALLER;                                                                   \
        void *host = array->base;                                                                  \
        size_t size = array_bytes(array);                                                          \
        count_queue(*queue);                                                                       \
        action;                                                                                    \
    }

ROUTINE(void *, acc_copyin, return enter(host, size, true, at))
ROUTINE(void *, acc_present_or_copyin, return enter(host, size, true, at))
ROUTINE(void *, acc_create, return enter(host, size, false, at))
ROUTINE(void *, acc_present_or_create, return enter(host, size, false, at))
ROUTINE(void, acc_copyout, leave(host, size, true, false, at))
ROUTINE(void, acc_copyout_finalize, leave(host, size, true, true, at))
ROUTINE(void, acc_delete, leave(host, size, false, false, at))
ROUTINE(void, acc_delete_finalize, leave(host, size, false, true, at))
ROUTINE(void, acc_update_device, update(host, size, true, at))
ROUTINE(void, acc_update_self, update(host, size, false, at))
ROUTINE(int, acc_is_present, (void)at; return find_mapping(host, size) != NULL)
ASYNC_ROUTINE(acc_copyin, enter(host, size, true, at))
ASYNC_ROUTINE(acc_create, enter(host, size, false, at))
ASYNC_ROUTINE(acc_copyout, leave(host, size, true, false, at))
ASYNC_ROUTINE(acc_delete, leave(host, size, false, false, at))
ASYNC_ROUTINE(acc_update_device, update(host, size, true, at))
ASYNC_ROUTINE(acc_update_self, update(host, size, false, at))

void *acc_deviceptr(void *host)
{
    return device_address(host);
}

void *acc_hostptr(void *device)
{
    struct mapping *mapping = mapping_of_device_address(device);
    return mapping ? mapping->host + ((char *)device - mapping->device) : NULL;
}

void acc_attach(void **slot)
{
    if (!attach_pointer(slot, 0))
        stop_with_finding(ATTACH_ABSENT, CALLER, slot, sizeof *slot,
                          "the pointer or its target is not on the device");
}

void acc_detach(void **slot)
{
    detach_pointer(slot, false);
}

void *acc_malloc(size_t size)
{
    start_emulation();
    void *memory = malloc(size);
    if (memory)
        memset(memory, poison_byte(), size);
    return memory;
}

void acc_free(void *device)
{
    free(device);
}

void acc_memcpy_to_device(void *device, void *host, size_t size)
{
    memcpy(device, host, size);
    record_transfer(CALLER, BY_API, TO_DEVICE, size, true);
}

void acc_memcpy_from_device(void *host, void *device, size_t size)
{
    memcpy(host, device, size);
    record_transfer(CALLER, BY_API, TO_HOST, size, true);
}

/* --- the device itself: one, of NVIDIA's type, always ready -------------------------------------- */

enum { DEVICE_NONE = 0, DEVICE_HOST = 2, DEVICE_NVIDIA = 5 };

int acc_get_num_devices(int type)
{
    return type == DEVICE_NONE ? 0 : 1;
}

int acc_get_num_devices_h_(const int *type)
{
    return acc_get_num_devices(*type);
}

int acc_get_device_type(void)
{
    return DEVICE_NVIDIA;
}

int acc_get_device_type_h_(void)
{
    return DEVICE_NVIDIA;
}

int acc_get_device_num(int type)
{
    (void)type;
    return 0;
}

int acc_get_device_num_h_(const int *type)
{
    (void)type;
    return 0;
}

#define NOTHING(name, parameters)                                                                  \
    void name parameters                                                                           \
    {                                                                                              \
        start_emulation();                                                                         \
    }

NOTHING(acc_init, (int type __attribute__((unused))))
NOTHING(acc_init_h_, (const int *type __attribute__((unused))))
NOTHING(acc_shutdown, (int type __attribute__((unused))))
NOTHING(acc_shutdown_h_, (const int *type __attribute__((unused))))
NOTHING(acc_set_device_type, (int type __attribute__((unused))))
NOTHING(acc_set_device_type_h_, (const int *type __attribute__((unused))))
NOTHING(acc_set_device_num, (int number __attribute__((unused)), int type __attribute__((unused))))
NOTHING(acc_set_device_num_h_,
        (const int *number __attribute__((unused)), const int *type __attribute__((unused))))

static void count_wait(void)
{
    start_emulation();
    totals.waits++;
}

void acc_wait(int queue)
{
    (void)queue;
    count_wait();
}

void acc_wait_h_(const int *queue)
{
    (void)queue;
    count_wait();
}

void acc_wait_all(void)
{
    count_wait();
}

void acc_wait_all_h_(void)
{
    count_wait();
}

/* Everything is done when the call that starts it returns, so every test succeeds. */
int acc_async_test(int queue)
{
    (void)queue;
    return 1;
}

int acc_async_test_h_(const int *queue)
{
    (void)queue;
    return 1;
}

int acc_async_test_all(void)
{
    return 1;
}

int acc_async_test_all_h_(void)
{
    return 1;
}

void acc_wait_async(int queue, int other)
{
    (void)queue, (void)other;
    count_wait();
}

void acc_wait_async_h_(const int *queue, const int *other)
{
    (void)queue, (void)other;
    count_wait();
}

void acc_wait_all_async(int queue)
{
    (void)queue;
    count_wait();
}

void acc_wait_all_async_h_(const int *queue)
{
    (void)queue;
    count_wait();
}
