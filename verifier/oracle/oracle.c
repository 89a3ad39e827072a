/* The dynamic oracle: answers the hooks of -fsanitize=thread and watches the iterations of marked
   loops. Knows nothing of dependence analysis: an iteration touches bytes, and that is all.

   For each running loop there is one table of granules (8 bytes). A granule knows which of its bytes
   earlier iterations wrote and read, and which the present one did; so every conflict is seen, with
   its first example. Ranges tell what a verdict says of storage: private, firstprivate, reduction.
   What a called procedure keeps on its stack, and what is allocated within an iteration, is new each
   time and never conflicts. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define HERE ((uint32_t)(uintptr_t)__builtin_return_address(0))
#define MAX_LEVELS 24
#define MAX_RANGES 512
#define MAX_LOOPS 65536
#define KINDS 7
#define TRACED 6000 /* accesses of one traced loop in one process */
#define MAX_LINES 24 /* places that touch one reduction variable */

enum kind { FLOW, ANTI, OUTPUT, CARRIED, ENTRY, LIVE_OUT, UPDATE };
enum storage { PRIVATE, FIRSTPRIVATE, REDUCTION, LAST_VALUE, FIRST_AND_LAST, LOCAL, INDEX, IGNORED };

struct range {
    uintptr_t begin, end;
    int32_t storage, number; /* position of the variable in the loop's list */
    bool written;
};

struct cell {
    uint64_t granule;
    uint32_t instance, iteration;
    uint32_t writer, reader; /* code addresses of the last ones */
    uint32_t earlier_writer, earlier_reader, written_in, read_in; /* of earlier iterations */
    uint8_t written_before, written_now, read_before, read_now;
};

struct table {
    struct cell *cells;
    uint64_t capacity, used; /* used: cells of the present instance */
};

struct level {
    int32_t loop;
    uint32_t instance, iteration, writing; /* iterations; those that wrote shared storage */
    bool wrote;
    uintptr_t frame; /* what is below belongs to called procedures */
    uintptr_t base;  /* up to here it is the loop's own procedure's */
    int ranges, locals;
    uintptr_t lowest, highest; /* of all ranges */
    struct range range[MAX_RANGES];
    struct range local[MAX_RANGES]; /* named variables of the procedure; outermost loop only */
    struct table table;
};

struct finding {
    uint64_t count;
    uint32_t earlier, later; /* code addresses */
    int32_t variable;        /* number of the range, -1: shared storage */
    uint32_t first, second;  /* iterations, counted from 1 */
};

struct place {
    uint32_t code;
    int32_t variable;
    bool writes;
};

struct loop {
    uint32_t instances, most_iterations, most_writing;
    struct finding findings[KINDS];
    struct place places[MAX_LINES]; /* that meet on reduction variables */
    int placed;
};

/* A byte that was private to a loop and must be written before it is read again. */
struct dead {
    uint64_t granule, since;
    int32_t loop, variable;
    uint32_t writer;
    uint8_t bytes;
};

static struct level levels[MAX_LEVELS];
static struct loop *loops;
static int depth, highest_loop;
static uint32_t instances;
static struct dead *dead;
static uint64_t dead_capacity, dead_used, clock_;
static struct {
    uintptr_t frame;
    uint64_t at;
} exits[65536];
static int exit_count;
static int trace = -1;
static uintptr_t stack_top;

/* Made-up arguments may be too short for what a procedure takes them for. With room behind each
   block it does not run into another object, and two names stay two places. */
static size_t margin;

static void *pages(size_t size)
{
    void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED)
        _exit(77);
    return made;
}

static uint64_t hash(uint64_t granule)
{
    return (granule * 0x9E3779B97F4A7C15ull) >> 20;
}

/* The cell of a granule in this instance of the loop, NULL if it has none and none is wanted. */
static struct cell *cell_of(struct level *level, uint64_t granule, bool make)
{
    struct table *table = &level->table;
    if (make && 2 * (table->used + 1) > table->capacity) {
        struct table old = *table;
        table->capacity = old.capacity ? 4 * old.capacity : 4096;
        table->cells = pages(table->capacity * sizeof *table->cells);
        table->used = 0;
        for (uint64_t i = 0; i < old.capacity; i++)
            if (old.cells[i].instance == level->instance)
                *cell_of(level, old.cells[i].granule, true) = old.cells[i];
        if (old.cells)
            munmap(old.cells, old.capacity * sizeof *old.cells);
    }
    if (!table->capacity)
        return NULL;
    uint64_t mask = table->capacity - 1, at = hash(granule) & mask;
    while (table->cells[at].instance == level->instance && table->cells[at].granule != granule)
        at = (at + 1) & mask;
    struct cell *cell = &table->cells[at];
    if (cell->instance == level->instance)
        return cell;
    if (!make)
        return NULL;
    *cell = (struct cell){.granule = granule, .instance = level->instance,
                          .iteration = level->iteration};
    table->used++;
    return cell;
}

static void found(int loop, enum kind kind, uint32_t earlier, uint32_t later, int variable,
                  uint32_t first, uint32_t second)
{
    struct finding *finding = &loops[loop].findings[kind];
    if (finding->count++ == 0)
        *finding = (struct finding){1, earlier, later, variable, first, second};
}

static struct range *range_at(struct level *level, uintptr_t address)
{
    if (address < level->lowest || address >= level->highest)
        return NULL;
    for (int i = 0; i < level->ranges; i++)
        if (address >= level->range[i].begin && address < level->range[i].end)
            return &level->range[i];
    return NULL;
}

/* Whether an address of the procedure's own frame belongs to no variable: a temporary of the
   compiler, written anew wherever it is used. */
static bool is_temporary(struct level *level, uintptr_t address)
{
    if (address < level->frame || address >= level->base)
        return false;
    struct level *outermost = level;
    while (outermost > levels && outermost[-1].base == level->base)
        outermost--;
    for (int i = 0; i < outermost->locals; i++)
        if (address >= outermost->local[i].begin && address < outermost->local[i].end)
            return false;
    return true;
}

static void note_place(struct level *level, int variable, bool writes, uint32_t code)
{
    struct loop *loop = &loops[level->loop];
    for (int i = 0; i < loop->placed; i++)
        if (loop->places[i].code == code && loop->places[i].variable == variable &&
            loop->places[i].writes == writes)
            return;
    if (loop->placed < MAX_LINES)
        loop->places[loop->placed++] = (struct place){code, variable, writes};
    else
        found(level->loop, UPDATE, code, code, variable, 0, 0);
}

static void shared_access(struct level *level, struct cell *cell, uint8_t bytes, bool writes,
                          uint32_t code)
{
    if (writes) {
        level->wrote = true;
        if (cell->written_before & bytes)
            found(level->loop, OUTPUT, cell->earlier_writer, code, -1, cell->written_in,
                  level->iteration);
        if (cell->read_before & bytes)
            found(level->loop, ANTI, cell->earlier_reader, code, -1, cell->read_in, level->iteration);
    } else if (cell->written_before & bytes & ~cell->written_now) {
        found(level->loop, FLOW, cell->earlier_writer, code, -1, cell->written_in, level->iteration);
    }
}

/* Iterations may meet on a reduction or atomic variable; the places where they do are noted. */
static void update_access(struct level *level, struct cell *cell, uint8_t bytes, bool writes,
                          uint32_t code, int variable)
{
    level->wrote |= writes;
    bool wrote = cell->written_before & bytes, read = writes && cell->read_before & bytes;
    if (wrote)
        note_place(level, variable, true, cell->earlier_writer);
    if (read)
        note_place(level, variable, false, cell->earlier_reader);
    if (wrote || read)
        note_place(level, variable, writes, code);
}

static void private_access(struct level *level, struct cell *cell, uint8_t bytes, bool writes,
                           uint32_t code, struct range *range)
{
    if (writes) {
        range->written = true;
        return;
    }
    if (range->storage == INDEX) /* set by the loop itself, before the iteration is marked */
        return;
    uint8_t exposed = bytes & ~cell->written_now;
    if (exposed & cell->written_before)
        found(level->loop, CARRIED, cell->earlier_writer, code, range->number, cell->written_in,
              level->iteration);
    else if (exposed && range->storage != FIRSTPRIVATE && range->storage != FIRST_AND_LAST)
        found(level->loop, ENTRY, 0, code, range->number, 0, level->iteration);
}

static void level_access(struct level *level, uintptr_t address, uint64_t granule, uint8_t bytes,
                         bool writes, uint32_t code)
{
    struct range *range = range_at(level, address);
    if (range && range->storage == IGNORED)
        return;
    if (!range && is_temporary(level, address))
        return;
    struct cell *cell = cell_of(level, granule, true);
    bool moved = cell->iteration != level->iteration;
    if (moved && cell->written_now) {
        cell->earlier_writer = cell->writer;
        cell->written_in = cell->iteration;
    }
    if (moved && cell->read_now) {
        cell->earlier_reader = cell->reader;
        cell->read_in = cell->iteration;
    }
    if (moved) {
        cell->written_before |= cell->written_now;
        cell->read_before |= cell->read_now;
        cell->written_now = cell->read_now = 0;
    }
    if (range && range->storage == REDUCTION)
        update_access(level, cell, bytes, writes, code, range->number);
    else if (range)
        private_access(level, cell, bytes, writes, code, range);
    else
        shared_access(level, cell, bytes, writes, code);
    cell->iteration = level->iteration;
    if (writes) {
        cell->written_now |= bytes;
        cell->writer = code;
    } else {
        cell->read_now |= bytes;
        cell->reader = code;
    }
}

/* --- storage that is dead behind a loop -------------------------------------------------------- */

static struct dead *dead_at(uint64_t granule, bool make)
{
    if (make && 2 * (dead_used + 1) > dead_capacity) {
        struct dead *old = dead;
        uint64_t before = dead_capacity;
        dead_capacity = before ? 4 * before : 4096;
        dead = pages(dead_capacity * sizeof *dead);
        dead_used = 0;
        for (uint64_t i = 0; i < before; i++)
            if (old[i].bytes)
                *dead_at(old[i].granule, true) = old[i];
        if (old)
            munmap(old, before * sizeof *old);
    }
    if (!dead_capacity)
        return NULL;
    uint64_t mask = dead_capacity - 1, at = hash(granule) & mask;
    while (dead[at].granule && dead[at].granule != granule)
        at = (at + 1) & mask;
    if (dead[at].granule == granule)
        return &dead[at];
    if (!make)
        return NULL;
    dead_used++;
    dead[at].granule = granule;
    return &dead[at];
}

/* Whether the procedure whose stack held an address has returned since. */
static bool left_since(uintptr_t address, uint64_t since)
{
    if (address > stack_top || address < (uintptr_t)__builtin_frame_address(0))
        return false;
    int low = 0, high = exit_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (exits[middle].at > since)
            high = middle;
        else
            low = middle + 1;
    }
    return low < exit_count && exits[low].frame > address;
}

static void dead_access(uint64_t granule, uint8_t bytes, bool writes, uint32_t code)
{
    struct dead *cell = dead_at(granule, false);
    if (!cell || !(cell->bytes & bytes))
        return;
    if (!writes && !left_since(granule * 8, cell->since))
        found(cell->loop, LIVE_OUT, cell->writer, code, cell->variable, 0, 0);
    cell->bytes &= ~bytes;
}

static void bury(struct level *level)
{
    clock_++;
    for (int i = 0; i < level->ranges; i++) {
        struct range *range = &level->range[i];
        if (!range->written)
            continue;
        for (uintptr_t granule = range->begin / 8; granule <= (range->end - 1) / 8; granule++) {
            struct cell *cell = cell_of(level, granule, false);
            if (!cell)
                continue;
            uint8_t bytes = cell->written_before | cell->written_now;
            bool kept = range->storage == LAST_VALUE || range->storage == FIRST_AND_LAST;
            if (kept && cell->iteration == level->iteration)
                bytes &= ~cell->written_now;
            for (int byte = 0; byte < 8; byte++)
                if (granule * 8 + byte < range->begin || granule * 8 + byte >= range->end)
                    bytes &= ~(1u << byte);
            if (!bytes)
                continue;
            struct dead *grave = dead_at(granule, true);
            grave->bytes |= bytes;
            grave->since = clock_;
            grave->loop = level->loop;
            grave->variable = range->number;
            grave->writer = cell->writer;
        }
    }
}

/* --- every access ------------------------------------------------------------------------------ */

static void trace_access(uintptr_t address, size_t size, bool writes, uint32_t code);
static void trace_loops(const char *numbers);

static void granule_access(uintptr_t address, uint64_t granule, uint8_t bytes, bool writes,
                           uint32_t code)
{
    if (dead_used)
        dead_access(granule, bytes, writes, code);
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    for (int i = 0; i < depth; i++) {
        struct level *level = &levels[i];
        if (level->iteration && !(address < level->frame && address > here))
            level_access(level, address, granule, bytes, writes, code);
    }
}

static void touch(const void *place, size_t size, bool writes, uint32_t code)
{
    uintptr_t address = (uintptr_t)place;
    if (!size || (!depth && !dead_used) || !loops)
        return;
    if (trace >= 0)
        trace_access(address, size, writes, code);
    uintptr_t end = address + size;
    for (uint64_t granule = address / 8; granule <= (end - 1) / 8; granule++) {
        uint8_t bytes = 0xff;
        uintptr_t first = granule * 8;
        if (first < address)
            bytes &= 0xff << (address - first);
        if (first + 8 > end)
            bytes &= 0xff >> (first + 8 - end);
        granule_access(first < address ? address : first, granule, bytes, writes, code);
    }
}

/* --- marks ------------------------------------------------------------------------------------- */

static void leave(int to, bool bury_them)
{
    while (depth > to) {
        struct level *level = &levels[depth - 1];
        struct loop *loop = &loops[level->loop];
        level->writing += level->wrote;
        if (level->iteration > loop->most_iterations)
            loop->most_iterations = level->iteration;
        if (level->writing > loop->most_writing)
            loop->most_writing = level->writing;
        if (bury_them)
            bury(level);
        depth--;
    }
}

static int running(int loop, uintptr_t frame)
{
    for (int i = depth - 1; i >= 0; i--)
        if (levels[i].loop == loop && levels[i].frame >= frame)
            return i;
    return -1;
}

/* Left by RETURN or a jump: loops of procedures that are no longer there, and of this very one. */
static void drop_left(int loop, uintptr_t frame)
{
    int top = depth;
    while (top > 0 && levels[top - 1].frame < frame)
        top--;
    leave(top, false);
    for (int i = 0; i < depth; i++)
        if (levels[i].loop == loop && levels[i].frame == frame)
            leave(i, false);
}

EXPORT void oracle_begin_(const int *number)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    if (!loops || *number >= MAX_LOOPS)
        return;
    drop_left(*number, frame);
    if (depth == MAX_LEVELS)
        return;
    struct level *level = &levels[depth++];
    level->loop = *number;
    level->instance = ++instances;
    level->iteration = level->writing = 0;
    level->wrote = false;
    level->frame = frame;
    level->base = *(uintptr_t *)frame;
    level->ranges = level->locals = 0;
    level->highest = 0;
    level->table.used = 0;
    level->lowest = UINTPTR_MAX;
    loops[*number].instances++;
    if (*number > highest_loop)
        highest_loop = *number;
}

EXPORT void oracle_range_(const int *number, const int *storage, const int *variable,
                          const int64_t *address, const int64_t *size)
{
    if (!loops || !depth || levels[depth - 1].loop != *number || !*address || *size <= 0)
        return;
    struct level *level = &levels[depth - 1];
    uintptr_t begin = (uintptr_t)*address, end = begin + (uintptr_t)*size;
    if (*storage == LOCAL && level->locals < MAX_RANGES)
        level->local[level->locals++] = (struct range){begin, end, LOCAL, *variable, false};
    if (*storage == LOCAL || level->ranges == MAX_RANGES)
        return;
    level->range[level->ranges++] = (struct range){begin, end, *storage, *variable, false};
    if (begin < level->lowest)
        level->lowest = begin;
    if (end > level->highest)
        level->highest = end;
}

EXPORT void oracle_iteration_(const int *number)
{
    if (!loops)
        return;
    int at = running(*number, (uintptr_t)__builtin_frame_address(0));
    if (at < 0)
        return;
    leave(at + 1, false);
    struct level *level = &levels[at];
    level->writing += level->wrote;
    level->wrote = false;
    level->iteration++;
}

EXPORT void oracle_end_(const int *number)
{
    if (!loops)
        return;
    int at = running(*number, (uintptr_t)__builtin_frame_address(0));
    if (at >= 0)
        leave(at, true);
}

/* --- trace of chosen loops ---------------------------------------------------------------------- */

struct traced {
    uint64_t address;
    uint32_t process, loop, instance, iteration, code, size, writes, unused;
};
static struct traced buffer[4096];
static int buffered;
static uint16_t room[MAX_LOOPS]; /* accesses of a loop that will still be written down */

static void trace_loops(const char *numbers)
{
    for (char *rest = (char *)numbers; *rest; rest += *rest == ',') {
        long number = strtol(rest, &rest, 10);
        if (number > 0 && number < MAX_LOOPS)
            room[number] = TRACED;
    }
}

static void flush_trace(void)
{
    if (trace >= 0 && buffered && write(trace, buffer, (size_t)buffered * sizeof *buffer) < 0)
        _exit(78);
    buffered = 0;
}

static void trace_access(uintptr_t address, size_t size, bool writes, uint32_t code)
{
    for (int i = 0; i < depth; i++) {
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
        if (buffered == 4096)
            flush_trace();
    }
}

/* --- report ------------------------------------------------------------------------------------ */

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

static void start(void)
{
    const char *to = getenv("ORACLE_REPORT"), *traced = getenv("ORACLE_TRACE");
    if (loops || !to)
        return;
    report = open(to, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (report < 0)
        _exit(76);
    stack_top = (uintptr_t)__builtin_frame_address(0) + (1u << 20);
    if (traced) {
        trace_loops(traced);
        trace = open(getenv("ORACLE_TRACE_FILE"), O_WRONLY | O_CREAT | O_APPEND, 0666);
    }
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

/* --- the hooks --------------------------------------------------------------------------------- */

EXPORT void __tsan_init(void)
{
    if (getenv("ORACLE_TRIALS"))
        margin = 1u << 16;
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
    clock_++;
    /* The exiting procedure's frame lies above ours, up to its saved frame pointer. */
    uintptr_t base = *(uintptr_t *)frame;
    while (exit_count && exits[exit_count - 1].frame <= base)
        exit_count--;
    if (exit_count < 65536) {
        exits[exit_count].frame = base;
        exits[exit_count++].at = clock_;
    }
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

/* --- the C library ----------------------------------------------------------------------------- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

/* A new object lives here: what was known of the place is forgotten. */
static void *born(void *block, size_t size)
{
    if (!block || !loops || !(depth || dead_used))
        return block;
    uintptr_t begin = (uintptr_t)block;
    for (uint64_t granule = begin / 8; granule < (begin + size + 7) / 8; granule++) {
        for (int i = 0; i < depth; i++) {
            struct cell *cell = cell_of(&levels[i], granule, false);
            if (cell)
                cell->written_before = cell->written_now = cell->read_before = cell->read_now = 0;
        }
        struct dead *grave = dead_at(granule, false);
        if (grave)
            grave->bytes = 0;
    }
    return block;
}

EXPORT void *malloc(size_t size)
{
    return born(__libc_malloc(size + margin), size);
}

EXPORT void *calloc(size_t count, size_t size)
{
    return born(__libc_calloc(1, count * size + margin), count * size);
}

EXPORT void *realloc(void *block, size_t size)
{
    return born(__libc_realloc(block, size + margin), size);
}

EXPORT void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    touch(from, size, false, HERE);
    touch(to, size, true, HERE);
    for (size_t i = 0; i < size; i++)
        ((volatile char *)to)[i] = ((const volatile char *)from)[i];
    return to;
}

EXPORT void *memmove(void *to, const void *from, size_t size)
{
    touch(from, size, false, HERE);
    touch(to, size, true, HERE);
    if ((uintptr_t)to <= (uintptr_t)from)
        for (size_t i = 0; i < size; i++)
            ((volatile char *)to)[i] = ((const volatile char *)from)[i];
    else
        for (size_t i = size; i > 0; i--)
            ((volatile char *)to)[i - 1] = ((const volatile char *)from)[i - 1];
    return to;
}

EXPORT void *memset(void *to, int byte, size_t size)
{
    touch(to, size, true, HERE);
    for (size_t i = 0; i < size; i++)
        ((volatile char *)to)[i] = (char)byte;
    return to;
}

/* --- what a WRITE or PRINT statement reads ------------------------------------------------------ */

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
