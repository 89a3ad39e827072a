/* Changes the values of arrays in place, and sizes, the same way in every build.
 *
 * ACCLIMATE_SHAKE holds the number of a procedure and the class of values or sizes, separated by a
 * blank. Instrumented procedures call acclimate_shake_ for each array at their start, with Fortran's
 * convention; what calls them asks acclimate_smaller_ for each of their sizes, and acclimate_times_,
 * acclimate_over_ and acclimate_more_ for their scalars: whole numbers, which change no kind. The
 * sizes of arrays at the start of each call of that procedure are counted, different ones once, and
 * their number is written to the file ACCLIMATE_SHAPES when the program ends.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum shake {
    NONE, REVERSED, MOVED, ASCENDING, DESCENDING, ALIKE, ZERO, HALVED, SHUFFLED,
    NEGATED, MIXED, LARGE, TINY
};
enum smaller { EMPTY = 21, ONE, TWO, THREE, HALF, ONE_LESS };
enum scalar { NOTHING = 41, HALVED_SCALAR, DOUBLED, NEGATED_SCALAR, MORE };
enum { MOST_SHAPES = 64 };

static int chosen_class(int unit)
{
    static int chosen = -1, class = NONE;
    if (chosen < 0) {
        const char *text = getenv("ACCLIMATE_SHAKE");
        chosen = 0;
        if (text == NULL || sscanf(text, "%d %d", &chosen, &class) != 2)
            chosen = 0;
    }
    return unit == chosen ? class : NONE;
}

static uint64_t shapes[MOST_SHAPES], shape;
static int shape_count, is_counting;

static void end_shape(void)
{
    for (int i = 0; i < shape_count; i++)
        if (shapes[i] == shape)
            return;
    if (shape_count < MOST_SHAPES)
        shapes[shape_count++] = shape;
}

static void write_shapes(void)
{
    const char *path = getenv("ACCLIMATE_SHAPES");
    FILE *file = path == NULL ? NULL : fopen(path, "w");
    if (file == NULL)
        return;
    end_shape();
    fprintf(file, "%d\n", shape_count);
    fclose(file);
}

/* The first array of a procedure begins the shape of another call. */
static void count_shape(int unit, int position, int32_t size)
{
    if (chosen_class(unit) == NONE)
        return;
    if (position == 1 && is_counting)
        end_shape();
    if (!is_counting)
        atexit(write_shapes);
    is_counting = 1;
    shape = position == 1 ? 1469598103934665603u : shape;
    shape = (shape ^ (uint32_t)size) * 1099511628211u;
}

static void exchange(char *a, char *b, size_t width)
{
    char kept[16];
    memcpy(kept, a, width);
    memcpy(a, b, width);
    memcpy(b, kept, width);
}

#define COMPARISON(name, type)                        \
    static int name(const void *left, const void *right) \
    {                                                 \
        type a = *(const type *)left, b = *(const type *)right; \
        return (a > b) - (a < b);                     \
    }
COMPARISON(by_double, double)
COMPARISON(by_float, float)
COMPARISON(by_int, int32_t)
COMPARISON(by_long, int64_t)

static void reverse(char *a, int32_t n, size_t width)
{
    for (int32_t i = 0, j = n - 1; i < j; i++, j--)
        exchange(a + i * width, a + j * width, width);
}

static void permute(char *a, int32_t n, size_t width, int real, enum shake class)
{
    if (class == MOVED)
        for (int32_t i = n - 1; i > 0; i--)
            exchange(a + i * width, a + (i - 1) * width, width);
    if (class == SHUFFLED) {
        uint64_t state = 20261130u;
        for (int32_t i = n - 1; i > 0; i--) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            exchange(a + i * width, a + (state >> 33) % (uint64_t)(i + 1) * width, width);
        }
    }
    if (class == ASCENDING || class == DESCENDING)
        qsort(a, n, width, real ? (width == 8 ? by_double : by_float)
                                : (width == 8 ? by_long : by_int));
    if (class == DESCENDING || class == REVERSED)
        reverse(a, n, width);
}

static double factor(enum shake class, int32_t i)
{
    switch (class) {
    case HALVED:
        return 0.5;
    case NEGATED:
        return -1.0;
    case MIXED:
        return i % 2 ? 1.0 : -1.0;
    case LARGE:
        return 1e6;
    case TINY:
        return 1e-9;
    default:
        return 0.0;
    }
}

static void replace(char *a, int32_t n, size_t width, enum shake class)
{
    for (int32_t i = 0; i < n; i++) {
        if (class == ALIKE)
            memcpy(a + i * width, a, width);
        else if (width == 8)
            ((double *)a)[i] *= factor(class, i);
        else
            ((float *)a)[i] *= (float)factor(class, i);
    }
}

/* Tables of whole numbers keep their values and change the order only: they may be places. */
void acclimate_shake_(const int32_t *unit, const int32_t *position, const int32_t *n,
                      const int32_t *bits, const int32_t *real, void *array)
{
    int class = chosen_class(*unit);
    size_t width = *bits / 8;
    count_shape(*unit, *position, *n);
    if (class == NONE || class > TINY || *n < 1 || (width != 4 && width != 8))
        return;
    if (class == ALIKE || class == ZERO || class == HALVED || class > SHUFFLED) {
        if (*real)
            replace(array, *n, width, class);
    } else {
        permute(array, *n, width, *real, class);
    }
}

int32_t acclimate_smaller_(const int32_t *unit, const int32_t *size)
{
    int32_t n = *size, wanted = n;
    switch (chosen_class(*unit)) {
    case EMPTY:
    case ONE:
    case TWO:
    case THREE:
        wanted = chosen_class(*unit) - EMPTY;
        break;
    case HALF:
        wanted = (n + 1) / 2;
        break;
    case ONE_LESS:
        wanted = n - 1;
        break;
    }
    return wanted < n ? wanted : n;
}

int32_t acclimate_times_(const int32_t *unit)
{
    switch (chosen_class(*unit)) {
    case NOTHING:
        return 0;
    case DOUBLED:
        return 2;
    case NEGATED_SCALAR:
        return -1;
    case MORE:
        return 5;
    }
    return 1;
}

int32_t acclimate_over_(const int32_t *unit)
{
    switch (chosen_class(*unit)) {
    case HALVED_SCALAR:
        return 2;
    case MORE:
        return 4;
    }
    return 1;
}

int32_t acclimate_more_(const int32_t *unit)
{
    return chosen_class(*unit) == MORE ? 7 : chosen_class(*unit) == NEGATED_SCALAR ? -3 : 0;
}
