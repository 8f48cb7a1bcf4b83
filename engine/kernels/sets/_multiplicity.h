/* The search of _multiplicity.py on rows of 64 bytes (_lanes.h): sets of options, and items with bounds.
 * _multiplicity.py describes the search; _wide_bytes.h describes counts that are bytes, and the table that lowers them.
 * Every count, need and room is less than 255 here, so all of them are exact.
 */
#ifndef COVR_MULTIPLICITY_H
#define COVR_MULTIPLICITY_H

#include "_kernel.h"
#include "_lanes_table.h"

#if COVR_LANES
/* lanes, vectors, groups, tail, table, holders, compatible, held: as in _wide.h.
 * Per level: alive, counts, needs, rooms; item, the item to branch on, -1 if none is unmet; its ways; starved.
 * narrow: the items whose room is kept.  path: per level the option taken from it. */
typedef struct {
    int lanes, options, words, vectors, groups, nibbles;
    unsigned char tail;
    const word_t *holders, *compatible, *held, *narrow;
    uint8_t *table, *scratch, *counts, *needs, *rooms;
    word_t *alive;
    int *item, *ways, *starved, *path;
    double *weight;
    void *memory;
} multiplicity_t;

#define LANES_BODY "_multiplicity_body.h"
#include "_lanes_each.h"

static int multiplicity_run(void *state, long long end, long long until, long long *out) {
    LANES_CALL(multiplicity, ((multiplicity_t *)state)->lanes, run, ((multiplicity_t *)state, end, until, out))
    return multiplicity64_run((multiplicity_t *)state, end, until, out);
}

static void multiplicity_choose(multiplicity_t *s) {
    LANES_CALL(multiplicity, s->lanes, begin, (s))
    multiplicity64_begin(s);
}

static int multiplicity_lanes(void *state) { return state ? ((multiplicity_t *)state)->lanes : 0; }

static void multiplicity_close(void *state) {
    if (state) { free(((multiplicity_t *)state)->memory); free(state); }
}

static void multiplicity_begin(multiplicity_t *s, const int *needs, const int *rooms, int items) {
    int i, o, k;
    for (o = 0; o < s->options; o++) s->alive[o >> 6] |= (word_t)1 << (o & 63);
    for (i = 0; i < items; i++) {
        int size = 0;
        for (k = 0; k < s->words; k++) size += lanes_bits(s->holders[(size_t)i * s->words + k]);
        s->counts[i] = (uint8_t)size;
        s->needs[i] = (uint8_t)needs[i];
        s->rooms[i] = (uint8_t)rooms[i];
    }
    multiplicity_choose(s);
}

/* most: how many bits a register may have. Returns NULL if there is no such back end or memory is short. The arrays must
 * live longer than this; behind `holders` and `compatible` there are 7 words more. */
static void *multiplicity_open(int most, int options, int words, int items, const int *begin, const int *members,
                         const unsigned long long *holders, const unsigned long long *compatible,
                         const unsigned long long *held, const unsigned long long *narrow, const int *needs,
                         const int *rooms, int *path, double *weight) {
    const int lanes = lanes_widest(most);
    int nibbles;
    if (!lanes) return NULL;
    multiplicity_t *s = (multiplicity_t *)calloc(1, sizeof *s);
    if (!s) return NULL;
    size_t V = (words + 7) / 8, G = (items + 63) / 64, L = (size_t)options + 2;
    size_t table = table_bytes(lanes, V, G, &nibbles), counts = L * 64 * G, alives = 64 * V * L, ints = 4 * L;
    char *p = (char *)calloc(1, table + 3 * counts + alives + 64 * V + 3 * ints + 64 * 12);
    if (!p) { free(s); return NULL; }
    s->memory = p;
#define MULTIPLICITY_PART(type, size) (type *)(p = (char *)(((uintptr_t)p + 63) & ~(uintptr_t)63), p += (size), p - (size))
    s->table = MULTIPLICITY_PART(uint8_t, table);
    s->scratch = MULTIPLICITY_PART(uint8_t, 64 * V);
    s->counts = MULTIPLICITY_PART(uint8_t, counts);
    s->needs = MULTIPLICITY_PART(uint8_t, counts);
    s->rooms = MULTIPLICITY_PART(uint8_t, counts);
    s->alive = MULTIPLICITY_PART(word_t, alives);
    s->item = MULTIPLICITY_PART(int, ints);
    s->ways = MULTIPLICITY_PART(int, ints);
    s->starved = MULTIPLICITY_PART(int, ints);
#undef MULTIPLICITY_PART
    s->options = options, s->words = words, s->vectors = (int)V, s->groups = (int)G;
    s->lanes = lanes, s->nibbles = nibbles;
    s->tail = (unsigned char)(0xFF >> (8 * V - words));
    s->holders = holders, s->compatible = compatible, s->held = held, s->narrow = narrow;
    s->path = path, s->weight = weight;
    table_write(s->table, nibbles, options, G, begin, members);
    multiplicity_begin(s, needs, rooms, items);
    return s;
}

#else
static int multiplicity_lanes(void *state) { (void)state; return 0; }
static void multiplicity_close(void *state) { (void)state; }
static int multiplicity_run(void *state, long long end, long long until, long long *out) {
    (void)state; (void)end; (void)until; (void)out; return 0;
}
static void *multiplicity_open(int most, int options, int words, int items, const int *begin, const int *members,
                         const unsigned long long *holders, const unsigned long long *compatible,
                         const unsigned long long *held, const unsigned long long *narrow, const int *needs,
                         const int *rooms, int *path, double *weight) {
    (void)most; (void)options; (void)words; (void)items; (void)begin; (void)members; (void)holders; (void)compatible; (void)held;
    (void)narrow; (void)needs; (void)rooms; (void)path; (void)weight; return 0;
}
#endif
#endif
