#define _GNU_SOURCE
#include "report.h"

#include "access_log.h"
#include "code_address.h"
#include "findings.h"
#include "ledger.h"
#include "left_out.h"
#include "present_table.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool started, written;
static pid_t process;
static __thread bool program_thread;

bool is_program_thread(void)
{
    return program_thread;
}

static FILE *open_report(void)
{
    const char *path = getenv("ACCLIMATE_REPORT");
    if (!path)
        return NULL;
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (!rank)
        rank = getenv("PMI_RANK");
    char name[4096];
    snprintf(name, sizeof name, "%s%s%s", path, rank ? "." : "", rank ? rank : "");
    return fopen(name, "w");
}

static void put_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            fprintf(out, "\\u%04x", *text);
        else
            fputc(*text, out);
    }
    fputc('"', out);
}

/* `back` is 1 for return addresses: the call stands before them. */
static void put_code(FILE *out, const char *key, const void *address, int back)
{
    uintptr_t offset;
    int module = address ? module_of((const char *)address - back, &offset) : -1;
    if (module < 0)
        fprintf(out, "\"%s\":null", key);
    else
        fprintf(out, "\"%s\":[%d,%zu]", key, module, (size_t)offset);
}

static void put_totals(FILE *out)
{
    size_t moved[2][2][2] = {0}; /* direction, small, count or bytes */
    for (size_t i = 0; i < transfer_site_count; i++) {
        const struct transfer_site *site = &transfer_sites[i];
        if (site->direction == ALLOCATION)
            continue;
        moved[site->direction][0][0] += site->count;
        moved[site->direction][0][1] += site->bytes;
        moved[site->direction][1][0] += site->small_count;
        moved[site->direction][1][1] += site->small_bytes;
    }
    size_t bytes_left, left = mappings_left(&bytes_left);
    fprintf(out,
            "\"totals\":{\"launches\":%zu,\"host_launches\":%zu,\"asynchronous\":%zu,\"waits\":%zu,"
            "\"left_out\":%zu,"
            "\"to_device\":%zu,\"bytes_to_device\":%zu,\"to_host\":%zu,\"bytes_to_host\":%zu,"
            "\"small_to_device\":%zu,\"small_bytes_to_device\":%zu,"
            "\"small_to_host\":%zu,\"small_bytes_to_host\":%zu,"
            "\"peak_bytes\":%zu,\"mapped_at_exit\":%zu,\"bytes_mapped_at_exit\":%zu,"
            "\"processor_seconds\":%.6f,\"kernel_seconds\":%.6f,\"runtime_seconds\":%.6f},\n",
            totals.launches, totals.host_launches, totals.asynchronous, totals.waits,
            totals.left_out, moved[0][0][0], moved[0][0][1], moved[1][0][0], moved[1][0][1],
            moved[0][1][0], moved[0][1][1], moved[1][1][0], moved[1][1][1], peak_bytes, left,
            bytes_left, processor_time() / 1e6, totals.kernel_microseconds / 1e6,
            totals.own_microseconds / 1e6);
}

static void put_kernels(FILE *out)
{
    fputs("\"kernels\":[", out);
    for (size_t i = 0; i < kernel_site_count; i++) {
        const struct kernel_site *site = &kernel_sites[i];
        fputs(i ? ",\n{" : "\n{", out);
        put_code(out, "at", site->at, 1);
        fputc(',', out);
        put_code(out, "function", site->function, 0);
        fprintf(out,
                ",\"launches\":%zu,\"microseconds\":%.1f,\"bytes_to_device\":%zu,"
                "\"bytes_to_host\":%zu}",
                site->launches, site->microseconds, site->bytes_to_device, site->bytes_to_host);
    }
    fputs("],\n", out);
}

static void put_transfers(FILE *out)
{
    fputs("\"transfers\":[", out);
    for (size_t i = 0; i < transfer_site_count; i++) {
        const struct transfer_site *site = &transfer_sites[i];
        fputs(i ? ",\n{" : "\n{", out);
        put_code(out, "at", site->at, 1);
        fprintf(out,
                ",\"reason\":\"%s\",\"direction\":\"%s\",\"count\":%zu,\"bytes\":%zu,"
                "\"changed\":%zu,\"small_count\":%zu,\"small_bytes\":%zu}",
                reason_name(site->reason), direction_name(site->direction), site->count,
                site->bytes, site->changed, site->small_count, site->small_bytes);
    }
    fputs("],\n", out);
}

static void put_finding(FILE *out, const struct finding *finding)
{
    fprintf(out, "{\"kind\":\"%s\",\"error\":%s,\"count\":%zu,\"detail\":",
            finding_name(finding->kind), finding_is_error(finding->kind) ? "true" : "false",
            finding->count);
    put_string(out, finding->detail);
    fputc(',', out);
    put_code(out, "at", finding->at, 1);
    fputc(',', out);
    put_code(out, "writer", finding->writer, 1);
    fputc(',', out);
    put_code(out, "mapped_at", finding->mapped_at, 1);
    fputc(',', out);
    put_code(out, "object", is_static_address(finding->object) ? finding->object : NULL, 0);
    fprintf(out, ",\"object_bytes\":%zu,\"offset\":%zu,\"loop\":%d,\"iterations\":[%lld,%lld]}",
            finding->object_size, finding->offset, finding->loop, (long long)finding->earlier,
            (long long)finding->later);
}

static void put_findings(FILE *out)
{
    fputs("\"findings\":[", out);
    for (size_t i = 0; i < finding_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        put_finding(out, &findings[i]);
    }
    fprintf(out, "],\n\"findings_dropped\":%zu,\n", findings_dropped);
}

static void put_modules(FILE *out)
{
    fputs("\"modules\":[", out);
    for (size_t i = 0; i < module_count(); i++) {
        fputs(i ? "," : "", out);
        put_string(out, module_path(i));
    }
    fputs("]}\n", out);
}

void write_report(const char *ended)
{
    if (written || !started || getpid() != process)
        return;
    written = true;
    FILE *out = open_report();
    if (!out)
        return;
    fprintf(out, "{\"schema\":1,\"ended\":\"%s\",\"poison\":%d,\"accesses_logged\":%s,\n", ended,
            poison_byte(), accesses_logged() ? "true" : "false");
    put_totals(out);
    put_kernels(out);
    put_transfers(out);
    put_findings(out);
    put_modules(out);
    fclose(out);
}

static struct sigaction previous[NSIG];

/* Best effort: the program is about to die, and what it did so far is worth more than purity. */
static void report_signal(int number)
{
    write_report("signal");
    sigaction(number, &previous[number], NULL);
    raise(number);
}

static void watch_signals(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT, SIGXCPU};
    struct sigaction action = {.sa_handler = report_signal, .sa_flags = SA_NODEFER};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &action, &previous[fatal[i]]);
}

/* libgfortran takes its handler off before it aborts. */
__attribute__((visibility("default"))) _Noreturn void abort(void)
{
    write_report("signal");
    void (*next)(void) = (void (*)(void))dlsym(RTLD_NEXT, "abort");
    next();
    _exit(EXIT_FINDING);
}

void start_emulation(void)
{
    if (started)
        return;
    started = program_thread = true;
    process = getpid();
    read_poison();
    locate_program();
    read_left_out();
    watch_signals();
}

__attribute__((destructor)) static void program_ends(void)
{
    write_report("exit");
}
