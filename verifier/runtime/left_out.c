#include "left_out.h"

#include "code_address.h"
#include "ledger.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4096 };

static const void *left_out[MOST];
static size_t left_out_count;
static bool spoiled;

static _Noreturn void refuse(const char *text)
{
    fprintf(stderr, "ACCLIMATE_LEAVE_OUT: no list of code offsets: %s\n", text);
    exit(2);
}

void read_left_out(void)
{
    spoiled = getenv("ACCLIMATE_SPOIL");
    const char *text = getenv("ACCLIMATE_LEAVE_OUT");
    for (const char *next = text; next && *next;) {
        char *end;
        errno = 0;
        unsigned long offset = strtoul(next, &end, 0);
        if (errno || end == next || (*end && *end != ',') || left_out_count == MOST)
            refuse(text);
        /* The report names the call, one byte before where it returns to. */
        left_out[left_out_count++] = (const char *)program_code(offset) + 1;
        next = *end ? end + 1 : end;
    }
}

bool is_left_out(const void *at)
{
    for (size_t i = 0; i < left_out_count; i++)
        if (left_out[i] == at) {
            totals.left_out++;
            return true;
        }
    return false;
}

bool left_out_is_spoiled(void)
{
    return spoiled;
}
