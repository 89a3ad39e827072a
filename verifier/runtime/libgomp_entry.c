/* The functions that compiled OpenACC constructs call. Defining them here takes them from libgomp. */
#include "access_log.h"
#include "ledger.h"
#include "left_out.h"
#include "regions.h"
#include "report.h"

#include <stdarg.h>
#include <stdlib.h>

#pragma GCC visibility push(default)

#define CALLER __builtin_return_address(0)

enum { ASYNC_SYNC = -2 };

/* Flags arrive complemented; bit 0 says that an `if` clause was false. */
static bool on_host(int flags)
{
    return ~flags & 1;
}

struct open_region {
    struct region *region; /* NULL: the construct does nothing */
    struct open_region *outer;
};

static struct open_region *innermost;

static void begin(void)
{
    start_emulation();
    own_work_begins();
}

void GOACC_data_start(int flags, size_t count, void **hosts, size_t *sizes, unsigned short *kinds)
{
    begin();
    struct open_region *open = malloc(sizeof *open);
    if (!open)
        abort();
    struct clauses clauses = {count, hosts, sizes, kinds};
    *open = (struct open_region){NULL, innermost};
    if (!on_host(flags))
        open->region = enter_region(clauses, false, CALLER, BY_REGION);
    innermost = open;
    own_work_ends();
}

void GOACC_data_end(void)
{
    begin();
    struct open_region *open = innermost;
    if (open) {
        innermost = open->outer;
        if (open->region)
            leave_region(open->region, CALLER, BY_REGION);
        free(open);
    }
    own_work_ends();
}

static void count_async(int async)
{
    if (async != ASYNC_SYNC)
        totals.asynchronous++;
}

void GOACC_enter_data(int flags, size_t count, void **hosts, size_t *sizes, unsigned short *kinds,
                      int async, int waits, ...)
{
    (void)waits;
    begin();
    count_async(async);
    if (!on_host(flags))
        enter_data((struct clauses){count, hosts, sizes, kinds}, CALLER, BY_ENTER);
    own_work_ends();
}

void GOACC_exit_data(int flags, size_t count, void **hosts, size_t *sizes, unsigned short *kinds,
                     int async, int waits, ...)
{
    (void)waits;
    begin();
    count_async(async);
    if (!on_host(flags))
        exit_data((struct clauses){count, hosts, sizes, kinds}, CALLER, BY_EXIT);
    own_work_ends();
}

void GOACC_update(int flags, size_t count, void **hosts, size_t *sizes, unsigned short *kinds,
                  int async, int waits, ...)
{
    (void)waits;
    begin();
    count_async(async);
    bool made = !on_host(flags) && !is_left_out(CALLER);
    if (made || (!on_host(flags) && left_out_is_spoiled()))
        update_data((struct clauses){count, hosts, sizes, kinds}, CALLER, !made);
    own_work_ends();
}

/* `declare` of local variables: on entry to and on exit from the procedure. */
void GOACC_declare(int flags, size_t count, void **hosts, size_t *sizes, unsigned short *kinds)
{
    (void)flags;
    begin();
    for (size_t i = 0; i < count; i++)
        declare_data((struct clauses){1, hosts + i, sizes + i, kinds + i}, CALLER);
    own_work_ends();
}

void GOACC_wait(int async, int count, ...)
{
    (void)async, (void)count;
    start_emulation();
    totals.waits++;
}

/* The launch arguments behind the mappings: a tag word, then what its code says. */
static bool launch_is_asynchronous(va_list arguments)
{
    enum { DIMENSIONS = 1, ASYNC = 2, WAIT = 3, ASYNC_FOLLOWS = 0xffff };
    bool asynchronous = false;
    for (unsigned tag; (tag = va_arg(arguments, unsigned));) {
        unsigned code = tag >> 28, operand = tag & 0xffff;
        if (code == DIMENSIONS) {
            for (unsigned axis = 0; axis < 3; axis++)
                if (operand & (1u << axis))
                    (void)va_arg(arguments, unsigned);
        } else if (code == ASYNC) {
            asynchronous = true;
            if (operand == ASYNC_FOLLOWS)
                (void)va_arg(arguments, unsigned);
        } else if (code == WAIT) {
            for (int waits = (short)operand; waits > 0; waits--)
                (void)va_arg(arguments, int);
        } else {
            break;
        }
    }
    return asynchronous;
}

static void run_kernel(void (*function)(void *), struct clauses clauses, const void *at)
{
    charge_kernel(kernel_site((const void *)function, at));
    struct region *region = enter_region(clauses, true, at, BY_KERNEL);
    charge_kernel(NULL);
    kernel_begins(__builtin_frame_address(0));
    own_work_ends();
    double began = processor_time();
    function(region->devices);
    double took = processor_time() - began;
    own_work_begins();
    kernel_ends();
    struct kernel_site *site = kernel_site((const void *)function, at);
    site->launches++;
    site->microseconds += took;
    totals.kernel_microseconds += took;
    charge_kernel(site);
    leave_region(region, at, BY_KERNEL);
    charge_kernel(NULL);
}

void GOACC_parallel_keyed(int flags, void (*function)(void *), size_t count, void **hosts,
                          size_t *sizes, unsigned short *kinds, ...)
{
    const void *at = CALLER;
    begin();
    va_list arguments;
    va_start(arguments, kinds);
    totals.asynchronous += launch_is_asynchronous(arguments);
    va_end(arguments);
    if (on_host(flags)) {
        totals.host_launches++;
        own_work_ends();
        function(hosts);
        return;
    }
    totals.launches++;
    run_kernel(function, (struct clauses){count, hosts, sizes, kinds}, at);
    own_work_ends();
}
