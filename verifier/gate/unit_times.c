/* Processor time of each procedure without what it calls, by the hooks of -finstrument-functions.

   Linked into a build of the model. The file named by ACCLIMATE_TIMES gets a line `gauge SECONDS`
   for a fixed piece of work, and one line `ADDRESS CALLS SECONDS` for each procedure. A procedure
   is timed for its first 20000 calls; later ones count as part of their caller, so that small
   ones cost little, and always the same calls are timed. Only the first thread is. */
#define _GNU_SOURCE
#include <link.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define QUIET __attribute__((no_instrument_function))
#define TABLE 65536 /* procedures; a power of two */
#define DEPTH 4096
#define MOST_CALLS 20000

typedef struct {
    const void *code;
    long calls;
    double seconds;
} Procedure;

typedef struct {
    Procedure *procedure; /* NULL: not timed */
    double begin, inside;
} Frame;

static Procedure table[TABLE];
static Frame stack[DEPTH];
static long depth;
static pthread_t first;
static uintptr_t bias;
static double gauge;

QUIET static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

QUIET static int visit(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    bias = info->dlpi_addr;
    return 1; /* the first object is the program */
}

/* Arithmetic, memory and a library function, as models use them; some milliseconds. */
QUIET static double measure_gauge(void)
{
    enum { SIZE = 1 << 15 };
    static double a[SIZE], b[SIZE];
    double best = 1e30;
    for (int i = 0; i < SIZE; i++)
        a[i] = 1.0 + i * 1e-6;
    for (int repeat = 0; repeat < 5; repeat++) {
        double begin = now();
        for (int sweep = 0; sweep < 20; sweep++)
            for (int i = 1; i < SIZE - 1; i++)
                b[i] = 0.25 * (a[i - 1] + 2.0 * a[i] + a[i + 1]) / (1.0 + a[i] * a[i]);
        for (int i = 0; i < SIZE; i += 8)
            b[i] += exp(-a[i]);
        double took = now() - begin;
        __asm__ volatile("" : : "r"(b) : "memory");
        best = took < best ? took : best;
    }
    return best;
}

QUIET __attribute__((constructor)) static void begin(void)
{
    first = pthread_self();
    dl_iterate_phdr(visit, NULL);
    gauge = measure_gauge();
}

QUIET static Procedure *find(const void *code)
{
    size_t at = ((uintptr_t)code >> 4) * 2654435761u % TABLE;
    for (size_t tried = 0; tried < TABLE; tried++, at = (at + 1) % TABLE) {
        if (table[at].code == NULL)
            table[at].code = code;
        if (table[at].code == code)
            return &table[at];
    }
    return NULL;
}

QUIET void __cyg_profile_func_enter(void *code, void *site)
{
    (void)site;
    if (!pthread_equal(pthread_self(), first) || depth++ >= DEPTH)
        return;
    Frame *frame = &stack[depth - 1];
    Procedure *procedure = find(code);
    frame->procedure = procedure && procedure->calls++ < MOST_CALLS ? procedure : NULL;
    frame->inside = 0.0;
    if (frame->procedure)
        frame->begin = now();
}

QUIET void __cyg_profile_func_exit(void *code, void *site)
{
    (void)code, (void)site;
    if (!pthread_equal(pthread_self(), first) || --depth >= DEPTH || depth < 0)
        return;
    Frame *frame = &stack[depth];
    double took = frame->inside;
    if (frame->procedure) {
        took = now() - frame->begin;
        frame->procedure->seconds += took - frame->inside;
    }
    if (depth > 0)
        stack[depth - 1].inside += took;
}

QUIET __attribute__((destructor)) static void end(void)
{
    const char *name = getenv("ACCLIMATE_TIMES");
    FILE *file = name ? fopen(name, "w") : NULL;
    if (!file)
        return;
    double again = measure_gauge();
    fprintf(file, "gauge %.9f\n", again < gauge ? again : gauge);
    for (size_t at = 0; at < TABLE; at++)
        if (table[at].code)
            fprintf(file, "%#lx %ld %.9f\n", (unsigned long)((uintptr_t)table[at].code - bias),
                    table[at].calls, table[at].seconds);
    fclose(file);
}
