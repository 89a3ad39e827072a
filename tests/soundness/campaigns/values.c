/* Seeded values for made-up arguments, and the end of procedures that nobody provides. */
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static uint64_t state;

void oracle_seed(uint64_t seed)
{
    state = seed * 0x9E3779B97F4A7C15ull + 88172645463325252ull;
}

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

enum { INTEGER = 1, REAL, LOGICAL, CHARACTER };

/* Fills `size` bytes at `address` with elements of `bits` bits. */
void oracle_value_(const int *kind, const int *low, const int *high, const int64_t *address,
                   const int64_t *size, const int64_t *bits)
{
    int64_t step = *bits / 8;
    char *at = (char *)*address;
    if (!at || step <= 0 || *size <= 0 || *size > (int64_t)1 << 28)
        return;
    if (*kind == CHARACTER) {
        memset(at, 'a', (size_t)*size);
        return;
    }
    if (*kind == REAL && step % 8 && step != 4)
        return;
    int64_t unit = *kind == REAL ? (step == 4 ? 4 : 8) : step;
    for (char *end = at + *size; at + unit <= end; at += unit) {
        double fraction = 0.5 + (double)(next() >> 11) / 9007199254740992.0;
        int64_t whole = *low + (int64_t)((next() >> 20) % (uint64_t)(*high - *low + 1));
        float single = (float)fraction;
        int64_t truth = (next() >> 20) & 1;
        if (*kind == REAL)
            memcpy(at, unit == 4 ? (void *)&single : (void *)&fraction, (size_t)unit);
        else
            memcpy(at, *kind == INTEGER ? &whole : &truth, (size_t)(unit < 8 ? unit : 8));
    }
}

static int choice;

void oracle_choose(int number)
{
    choice = number;
}

int oracle_choice_(void)
{
    return choice;
}

void oracle_missing(void)
{
    _exit(99);
}
