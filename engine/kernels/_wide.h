/* The search of _bits.py on rows of 64 bytes (_lanes.h): the same nodes, the same answers, the same updates; see there
 * for levels, ways and forced moves. What differs is how counts are kept: one byte per item, 64 items per row. A table
 * (_lanes_table.h) tells how many of the 8 options in a byte of a set hold each item, so
 *
 *     counts -= what the table says of (byte j of a set)
 *
 * subtracts up to 8 options from 64 counts in a few instructions. Counting the alive options from scratch works in the
 * same way, with an addition. Each node does the one of the two that has fewer non-zero bytes to go through. A count of
 * more than 254 is stored as 255, which means "255 or more": a level with such a count (`full`) can only be counted from
 * scratch.
 *
 * Where the compiler or the processor is unknown to _lanes.h, `wide_open` returns NULL, and _bits.py runs instead, which
 * is the back end for words of 64 bits; this file is its twin. Free options are not supported. The memo stays in _bits.py; the twin asks for it by the codes RECALL
 * and CLOSE.
 */
#ifndef COVR_WIDE_H
#define COVR_WIDE_H

#include "_kernel.h"
#include "_lanes_table.h"

#if COVR_LANES_X86 || COVR_LANES_NEON

#define WIDE_SHORT 2 /* words of a set, up to which bit planes are quicker than registers of 128 bits */

/* lanes: the back end.  vectors: how many rows a set of options takes.  tail: which words of the last one are used.
 * groups: how many rows the counts of a level take.  alive: per level, `vectors` rows.
 * counts, active, dead_items: per level and group.  full: how many levels, from the first, have a count of 255.
 * item, least: per level the item to branch on and its count, as found when the counts were made.
 * smallest: the number of items in the smallest option.  The other fields are those of _bits.py, by the same names. */
typedef struct {
    int lanes, options, words, vectors, items, groups, smallest, nibbles;
    unsigned char tail;
    const int *begin;
    const word_t *holders, *compatible, *held;
    uint8_t *table, *counts, *scratch;
    word_t *alive, *active, *dead_items;
    int *item, *least, *nonzero_bytes;
    int *left, *rows, *next, *end, *mark, *path, *frame;
    double *weight, *share;
    long long *skip;
    int suspect[2];
    int full;
    int counting;
    void *memory;
} wide_t;

#define LANES_BODY "_wide_body.h"
#include "_lanes_each.h"

static int wide_run(void *state, long long end, long long until, long long *out) {
    LANES_CALL(wide, ((wide_t *)state)->lanes, run, ((wide_t *)state, end, until, out))
    return COVR_DONE; /* not reached: other back ends are not opened */
}

static void wide_begin(void *state) {
    LANES_CALL(wide, ((wide_t *)state)->lanes, begin, ((wide_t *)state))
}

static void wide_close(void *state) {
    if (state) { free(((wide_t *)state)->memory); free(state); }
}

static unsigned long long *wide_alive(void *state) { return ((wide_t *)state)->alive; }

static int wide_lanes(void *state) { return state ? ((wide_t *)state)->lanes : 0; }

/* most: how many bits a register may have. Returns NULL if there is no such back end or memory is short. The arrays are
 * the kernel's, and must live longer than this; behind `holders` and `compatible` there are 7 words more. */
static void *wide_open(int most, int options, int words, int items, int levels, int counting, const int *begin,
                        const int *members, const unsigned long long *holders, const unsigned long long *compatible,
                        const unsigned long long *held, unsigned long long *active, unsigned long long *dead_items,
                        int *left, int *rows, int *next, int *end, int *mark, int *path, int *frame, long long *skip,
                        double *weight, double *share) {
    const int lanes = lanes_widest(most);
    int nibbles;
    if (items == 0 || lanes < 128 || (lanes == 128 && words <= WIDE_SHORT)) return NULL;
    wide_t *s = (wide_t *)calloc(1, sizeof *s);
    if (!s) return NULL;
    size_t V = (words + 7) / 8, G = (items + 63) / 64, L = levels;
    size_t table = table_bytes(lanes, V, G, &nibbles), counts = L * 64 * G, scratch = 64 * V, alives = 64 * V * L;
    size_t ints = 4 * L, bytes = table + counts + scratch + alives + 2 * ints + 4 * 64 * V + 64 * 12;
    char *p = (char *)calloc(1, bytes);
    if (!p) { free(s); return NULL; }
    s->memory = p;
#define WIDE_PART(type, size) (type *)(p = (char *)(((uintptr_t)p + 63) & ~(uintptr_t)63), p += (size), p - (size))
    s->table = WIDE_PART(uint8_t, table);
    s->counts = WIDE_PART(uint8_t, counts);
    s->scratch = WIDE_PART(uint8_t, scratch);
    s->alive = WIDE_PART(word_t, alives);
    s->item = WIDE_PART(int, ints);
    s->least = WIDE_PART(int, ints);
    s->nonzero_bytes = WIDE_PART(int, 4 * 64 * V);
#undef WIDE_PART
    s->options = options, s->words = words, s->items = items, s->vectors = (int)V, s->groups = (int)G;
    s->lanes = lanes, s->nibbles = nibbles;
    s->tail = (unsigned char)(0xFF >> (8 * V - words));
    s->begin = begin, s->holders = holders, s->compatible = compatible, s->held = held;
    s->left = left, s->rows = rows, s->next = next, s->end = end, s->mark = mark, s->path = path;
    s->weight = weight, s->share = share, s->frame = frame, s->skip = skip, s->active = active, s->dead_items = dead_items;
    s->counting = counting;
    s->smallest = items;
    for (int b = 0; b < options; b++) {
        int size = begin[b + 1] - begin[b];
        if (size < s->smallest) s->smallest = size;
    }
    table_write(s->table, nibbles, options, G, begin, members);
    return s;
}

#else
static int wide_lanes(void *state) { (void)state; return 0; }
static void wide_close(void *state) { (void)state; }
static int wide_run(void *state, long long end, long long until, long long *out) {
    (void)state; (void)end; (void)until; (void)out; return 0;
}
static void *wide_open(int most, int options, int words, int items, int levels, int counting, const int *begin,
                        const int *members, const unsigned long long *holders, const unsigned long long *compatible,
                        const unsigned long long *held, unsigned long long *active, unsigned long long *dead_items,
                        int *left, int *rows, int *next, int *end, int *mark, int *path, int *frame, long long *skip,
                        double *weight, double *share) {
    (void)most; (void)options; (void)words; (void)items; (void)levels; (void)counting; (void)begin; (void)members; (void)holders;
    (void)compatible; (void)held; (void)active; (void)dead_items; (void)left; (void)rows; (void)next; (void)end; (void)mark;
    (void)path; (void)frame; (void)skip; (void)weight; (void)share;
    return 0;
}
static unsigned long long *wide_alive(void *state) { (void)state; return 0; }
static void wide_begin(void *state) { (void)state; }
#endif
#endif
