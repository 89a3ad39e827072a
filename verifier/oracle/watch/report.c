#define _GNU_SOURCE
#include "report.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cells.h"
#include "dead_storage.h"
#include "trace.h"

static int report = -1;

EXPORT void oracle_report(void)
{
    static const char *const names[KINDS] = {"flow",  "anti",     "output", "carried",
                                             "entry", "live-out", "update"};
    static bool done;
    if (!loops || done || report < 0)
        return;
    done = true;
    leave(0, false);
    flush_trace();
    for (int number = 0; number <= highest_loop; number++) {
        struct loop *loop = &loops[number];
        if (!loop->instances)
            continue;
        dprintf(report, "loop %d %u %u %u\n", number, loop->instances, loop->most_iterations,
                loop->most_writing);
        for (int kind = 0; kind < KINDS; kind++) {
            struct finding *f = &loop->findings[kind];
            if (f->count)
                dprintf(report, "found %d %s %llu %x %x %d %u %u\n", number, names[kind],
                        (unsigned long long)f->count, f->earlier, f->later, f->variable, f->first,
                        f->second);
        }
        for (int i = 0; i < loop->placed; i++)
            dprintf(report, "place %d %d %c %x\n", number, loop->places[i].variable,
                    loop->places[i].writes ? 'w' : 'r', loop->places[i].code);
    }
}

static void died(int signal)
{
    dprintf(report, "signal %d\n", signal);
    oracle_report();
    _exit(128 + signal);
}

void start(void)
{
    const char *to = getenv("ORACLE_REPORT"), *traced = getenv("ORACLE_TRACE");
    if (loops || !to)
        return;
    report = open(to, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (report < 0)
        _exit(76);
    expect_stack_below((uintptr_t)__builtin_frame_address(0) + (1u << 20));
    if (traced)
        trace_loops(traced, open(getenv("ORACLE_TRACE_FILE"), O_WRONLY | O_CREAT | O_APPEND, 0666));
    static char signal_stack[65536];
    sigaltstack(&(stack_t){.ss_sp = signal_stack, .ss_size = sizeof signal_stack}, NULL);
    for (const int *s = (const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGTERM, 0};
         *s; s++)
        sigaction(*s, &(struct sigaction){.sa_handler = died, .sa_flags = SA_ONSTACK}, NULL);
    loops = pages(MAX_LOOPS * sizeof *loops);
    atexit(oracle_report);
}

/* Runs each trial in a process of its own; `number` is the trial, the result 1 in the child. */
EXPORT int oracle_trial_(const int *number, const int *seconds)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        start();
        dprintf(report, "trial %d\n", *number);
        alarm((unsigned)*seconds);
        return 1;
    }
    int status = 0;
    waitpid(child, &status, 0);
    return 0;
}

EXPORT void oracle_done_(const int *number)
{
    oracle_report();
    dprintf(report, "done %d\n", *number);
    _exit(0);
}
