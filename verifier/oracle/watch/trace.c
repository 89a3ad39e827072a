#include "trace.h"

#include <stdlib.h>
#include <unistd.h>

#define TRACED 6000 /* accesses of one traced loop in one process */
#define BUFFERED 4096

struct traced {
    uint64_t address;
    uint32_t process, loop, instance, iteration, code, size, writes, unused;
};

static int trace = -1;
static struct traced buffer[BUFFERED];
static int buffered;
static uint16_t room[MAX_LOOPS]; /* accesses of a loop that will still be written down */

void trace_loops(const char *numbers, int to)
{
    trace = to;
    for (char *rest = (char *)numbers; *rest; rest += *rest == ',') {
        long number = strtol(rest, &rest, 10);
        if (number > 0 && number < MAX_LOOPS)
            room[number] = TRACED;
    }
}

void flush_trace(void)
{
    if (trace >= 0 && buffered && write(trace, buffer, (size_t)buffered * sizeof *buffer) < 0)
        _exit(78);
    buffered = 0;
}

void trace_access(uintptr_t address, size_t size, bool writes, uint32_t code)
{
    for (int i = 0; trace >= 0 && i < depth; i++) {
        struct level *level = &levels[i];
        if (!level->iteration || !room[level->loop])
            continue;
        if (address < level->frame && address > (uintptr_t)__builtin_frame_address(0))
            continue;
        room[level->loop]--;
        buffer[buffered++] =
            (struct traced){address,          (uint32_t)getpid(), (uint32_t)level->loop,
                            level->instance,  level->iteration,   code,
                            (uint32_t)size,   writes,             0};
        if (buffered == BUFFERED)
            flush_trace();
    }
}
