/* The search of _batch.py for one instance after the other, compiled; plain_batch.py is the same in Python, and visits the
 * same nodes. It is written once, in _batch_body.h, and compiled for each back end of _lanes.h, and for words of 64 bits,
 * which any C compiler and any processor can run.
 */
#ifndef COVR_BATCH_H
#define COVR_BATCH_H

#include "_kernel.h"
#include "_lanes.h"
#include "_lanes_table.h"

#define BATCH_PLANES 32 /* bits of a count at most */
#define BATCH_OUT (-1)  /* in `renumber`: no answer takes this option */
#define BATCH_OWN (-2)  /* every answer takes it */

/* lanes: the back end.  vectors, groups: how many rows a set of options, and a set of items, takes.  stride, across: how
 * many words these are.  tail: which words of the last row of a set of options are used.  planes: bits of a count.
 * first, past: per item, which rows of its set of options can hold any.
 * held: per option, its items; behind them, a set without any.  all: every item.  full: every option.  root: the counts of
 * `full`.
 * alive, active, counts, size: per level, the options alive, the items to be covered, their counts, and how many options
 * are alive. Counts are in bit planes, and each bit is turned over.
 * before: the options alive before those of a round were taken.  ones: the items that have one option.  chosen: those
 * options.  taken: the options that the instance is given.  list: members of a set.
 * The other fields are those of _batch.py, by the same names. */
typedef struct {
    int lanes, options, items, words, vectors, stride, groups, across, planes, limit, instances;
    unsigned char tail;
    const word_t *holders, *compatible;
    const int *numbers, *renumber, *givens, *given_from;
    int *found, *answer_end, *answers;
    int *first, *past, *rows, *next, *end, *mark, *path, *size, *list;
    word_t *held, *all, *full, *root, *alive, *active, *counts, *before, *chosen, *ones, *taken, *pick;
    long long budget;
    word_t random;
    void *memory;
} batch_t;

/* A random number after another: xorshift, as `next_random` of words.py. */
LANES_INLINE word_t batch_random(word_t x) { x ^= x << 13, x ^= x >> 7, x ^= x << 17; return x; }

#define LANES_BODY "_batch_body.h"
#include "_lanes_each.h"

/* Search until `end` nodes were visited in all, or every instance is finished.  where: see COVR_BATCH_NODES. */
static void batch_run(void *state, long long end, long long *where) {
#if COVR_LANES_X86
    if (((batch_t *)state)->lanes == 512) { batch512_run((batch_t *)state, end, where); return; }
    if (((batch_t *)state)->lanes == 256) { batch256_run((batch_t *)state, end, where); return; }
#endif
#if COVR_LANES_128
    if (((batch_t *)state)->lanes == 128) { batch128_run((batch_t *)state, end, where); return; }
#endif
    batch64_run((batch_t *)state, end, where);
}

static void batch_close(void *state) {
    if (state) { free(((batch_t *)state)->memory); free(state); }
}

static int batch_lanes(void *state) { return ((batch_t *)state)->lanes; }

/* The instances that `batch_run` solves next; _batch.py describes the arrays, which must live as long. */
static void batch_load(void *state, const int *givens, const int *given_from, int *found, int *answer_end, int *answers,
                       int instances, int limit, long long budget, unsigned long long random) {
    batch_t *s = (batch_t *)state;
    s->givens = givens, s->given_from = given_from, s->found = found, s->answer_end = answer_end, s->answers = answers;
    s->instances = instances, s->limit = limit, s->budget = budget, s->random = random;
}

/* most: how many bits a register may have.  sizes: per item, how many options hold it. Returns NULL if memory is short.
 * The arrays are the kernel's, and must live longer than this; behind `holders` and `compatible` there are 7 words more. */
static void *batch_open(int most, int options, int words, int items, const int *begin, const int *members, const int *sizes,
                        const unsigned long long *holders, const unsigned long long *compatible, const int *numbers,
                        const int *renumber) {
    int lanes = lanes_widest(most), planes = 3, b, i, k, p;
    if (lanes < 128) lanes = 64;
    for (i = 0; i < items; i++)
        while (sizes[i] >> planes) planes++;
    const int row = lanes > 64 ? 8 : 1, V = (words + row - 1) / row, G = items > 0 ? (items + 64 * row - 1) / (64 * row) : 1;
    const size_t across = (size_t)G * row, stride = (size_t)V * row, L = (size_t)(items < options ? items : options) + 2;
    const size_t ints = 4 * (L + 128), N = options, counts = (size_t)planes * across;
    const size_t words_of = (N + 1) * across + (2 * across + stride + counts) + L * (stride + across + counts)
        + 3 * stride + 3 * across;
    batch_t *s = (batch_t *)calloc(1, sizeof *s);
    char *o = s ? (char *)calloc(1, 8 * words_of + 5 * ints + 8 * (size_t)items + 4 * (2 * N + items + 128) + 64 * 24) : 0;
    if (!o) { free(s); return NULL; }
    s->memory = o;
#define BATCH_PART(type, size) (type *)(o = (char *)(((uintptr_t)o + 63) & ~(uintptr_t)63), o += (size), o - (size))
    s->held = BATCH_PART(word_t, 8 * (N + 1) * across);
    s->all = BATCH_PART(word_t, 8 * across);
    s->full = BATCH_PART(word_t, 8 * stride);
    s->root = BATCH_PART(word_t, 8 * counts);
    s->alive = BATCH_PART(word_t, 8 * L * stride);
    s->active = BATCH_PART(word_t, 8 * L * across);
    s->counts = BATCH_PART(word_t, 8 * L * counts);
    s->before = BATCH_PART(word_t, 8 * stride);
    s->chosen = BATCH_PART(word_t, 8 * stride);
    s->taken = BATCH_PART(word_t, 8 * stride);
    s->ones = BATCH_PART(word_t, 8 * across);
    s->pick = BATCH_PART(word_t, 16 * across);
    s->next = BATCH_PART(int, ints);
    s->end = BATCH_PART(int, ints);
    s->mark = BATCH_PART(int, ints);
    s->path = BATCH_PART(int, ints);
    s->size = BATCH_PART(int, ints);
    s->first = BATCH_PART(int, 4 * (size_t)items);
    s->past = BATCH_PART(int, 4 * (size_t)items);
    s->rows = BATCH_PART(int, 4 * (N + 64));
    s->list = BATCH_PART(int, 4 * (N + items + 64));
#undef BATCH_PART
    s->lanes = lanes, s->options = options, s->items = items, s->words = words, s->planes = planes;
    s->vectors = V, s->stride = (int)stride, s->groups = G, s->across = (int)across;
    s->tail = (unsigned char)(0xFF >> (stride - words) % 8);
    s->holders = holders, s->compatible = compatible, s->numbers = numbers, s->renumber = renumber;
    for (i = 0; i < items; i++) {
        s->all[i >> 6] |= (word_t)1 << (i & 63);
        s->first[i] = V;
        for (p = 0; p < planes; p++)
            if (!(sizes[i] >> p & 1))
                s->root[(size_t)p * across + (i >> 6)] |= (word_t)1 << (i & 63);
    }
    for (b = 0; b < options; b++) {
        const int v = (b >> 6) / row;
        s->full[b >> 6] |= (word_t)1 << (b & 63);
        for (k = begin[b]; k < begin[b + 1]; k++) {
            i = members[k];
            s->held[(size_t)b * across + (i >> 6)] |= (word_t)1 << (i & 63);
            if (v < s->first[i]) s->first[i] = v;
            s->past[i] = v + 1;
        }
    }
    return s;
}
#endif
