/* The search of _bits.py; see there for levels, ways and forced moves. It is written once, in _wide_body.h, and compiled
 * for each back end of _lanes.h, with a byte per count (_wide_bytes.h), and for words of 64 bits, with bit planes
 * (_wide_planes.h), which any C compiler and any processor can run: the same nodes, answers and updates. The memo stays in
 * _bits.py; the search asks for it by the codes RECALL and CLOSE.
 */
#ifndef COVR_WIDE_H
#define COVR_WIDE_H

#include "_kernel.h"
#include "_lanes_table.h"

#define WIDE_SHORT 2 /* words of a set, up to which bit planes are quicker than registers of 128 bits */
#define WIDE_FEW 2   /* rows of a set: so many sets of them stay in registers */
#define WIDE_DOUBT 64 /* by how much rounds of forced options are trusted less after they failed; by 1 more after each
                       * option that is then taken alone, and by 4 after they went well */
#define WIDE_TRUST 32 /* the most they are trusted */

/* lanes: the back end.  vectors: how many rows a set of options takes.  stride: how many words that is.  tail: which
 * words of the last row are used.  groups: how many words a set of items takes.  alive: per level, `vectors` rows.
 * counts: per level, in the form of the back end.  active, dead_items: per level and group.  full: how many levels, from
 * the first, can only be counted from scratch.  item, least: per level the item to branch on and its count, as found when
 * the counts were made.  smallest: the number of items in the smallest option.
 * size: per level, how many options are alive after its ways were hidden; above: how many there were at the level from
 * which the node's way was taken.  trust: rounds of forced options are tried from 0 on (WIDE_DOUBT).  spare: a level
 * for them.  sets: four sets of options for them.  ones, single: items with one option, as a set and as a list.  pure:
 * whether options exclude each other only over items that both hold; -1 if that is not known.
 * scratch: the options that were removed last.
 * Bytes only: table, nibbles, nonzero_bytes; first, an item with one option, or -1; full.
 * Planes only: planes, how many a level has; high, how many are in use; many, how many options are alive; list, pick.
 * The other fields are those of _bits.py, by the same names. */
typedef struct {
    int lanes, options, free, words, vectors, stride, items, groups, smallest, nibbles, planes;
    unsigned char tail;
    const int *begin, *members;
    const word_t *holders, *compatible, *held;
    uint8_t *table, *counts, *scratch;
    word_t *alive, *active, *dead_items, *pick;
    int *item, *least, *nonzero_bytes, *high, *list;
    int *left, *rows, *next, *end, *mark, *path, *frame;
    double *weight, *share;
    long long *skip;
    int suspect[2];
    int full, first, above, trust, spare, pure;
    int *size, *many, *single;
    word_t *sets, *ones;
    int counting;
    void *memory;
} wide_t;

/* Whether options exclude each other only over items that both hold. Takes as long as making the masks. */
static int wide_is_pure(const wide_t *s) {
    int b, k, w;
    for (b = 0; b < s->options; b++)
        for (w = 0; w < s->words; w++) {
            word_t x = s->compatible[(size_t)b * s->words + w];
            for (k = s->begin[b]; k < s->begin[b + 1]; k++) x |= s->holders[(size_t)s->members[k] * s->words + w];
            if (w == s->words - 1 && (s->options & 63)) x |= ~(word_t)0 << (s->options & 63);
            if (~x) return 0;
        }
    return 1;
}

#define LANES_BODY "_wide_body.h"
#include "_lanes_each.h"

static int wide_run(void *state, long long end, long long until, long long *out) {
    LANES_CALL(wide, ((wide_t *)state)->lanes, run, ((wide_t *)state, end, until, out))
    return wide64_run((wide_t *)state, end, until, out);
}

static void wide_begin(void *state) {
    LANES_CALL(wide, ((wide_t *)state)->lanes, begin, ((wide_t *)state))
    wide64_begin((wide_t *)state);
}

static void wide_close(void *state) {
    if (state) { free(((wide_t *)state)->memory); free(state); }
}

static unsigned long long *wide_alive(void *state) { return ((wide_t *)state)->alive; }

static int wide_stride(void *state) { return ((wide_t *)state)->stride; }

static int wide_lanes(void *state) { return ((wide_t *)state)->lanes; }

/* most: how many bits a register may have.  sizes: per item, how many options hold it. Returns NULL if memory is short.
 * The arrays are the kernel's, and must live longer than this; behind `holders` and `compatible` there are 7 words more,
 * and behind `held` a row for an option without items. */
static void *wide_open(int most, int options, int first_free, int words, int items, int levels, int counting, const int *begin,
                       const int *members, const int *sizes, const unsigned long long *holders,
                       const unsigned long long *compatible, const unsigned long long *held, unsigned long long *active,
                       int *left, int *rows, int *next, int *end, int *mark, int *path, int *frame, long long *skip,
                       double *weight, double *share) {
    const size_t G = items > 0 ? ((size_t)items + 63) / 64 : 1, L = levels, ints = 4 * L;
    int lanes = lanes_widest(most), nibbles = 0, planes = 3, b;
    if (lanes < 128 || (lanes == 128 && words <= WIDE_SHORT)) lanes = 64;
    const int wide = lanes > 64;
    const size_t V = wide ? ((size_t)words + 7) / 8 : (size_t)words, stride = wide ? 8 * V : V;
    for (b = 0; b < items; b++)
        while (sizes[b] >> planes) planes++;
    const size_t table = wide ? table_bytes(lanes, V, G, &nibbles) : 0;
    const size_t counts = L * (wide ? 64 * G : 8 * G * planes), alives = 8 * stride * L;
    const size_t scratch = 8 * stride, single = 4 * ((size_t)items + 8), noted = 4 * (wide ? 64 * V : (size_t)options + 7);
    wide_t *s = (wide_t *)calloc(1, sizeof *s);
    const size_t sets = 32 * stride + 8 * L * G + 24 * G, room = table + counts + scratch + alives + 5 * ints + noted + single;
    char *p = s ? (char *)calloc(1, room + sets + 64 * 17) : 0;
    if (!p) { free(s); return NULL; }
    s->memory = p;
#define WIDE_PART(type, size) (type *)(p = (char *)(((uintptr_t)p + 63) & ~(uintptr_t)63), p += (size), p - (size))
    s->table = WIDE_PART(uint8_t, table);
    s->counts = WIDE_PART(uint8_t, counts);
    s->scratch = WIDE_PART(uint8_t, scratch);
    s->alive = WIDE_PART(word_t, alives);
    s->dead_items = WIDE_PART(word_t, 8 * L * G);
    s->pick = WIDE_PART(word_t, 16 * G);
    s->ones = WIDE_PART(word_t, 8 * G);
    s->sets = WIDE_PART(word_t, 32 * stride);
    s->single = WIDE_PART(int, single);
    s->size = WIDE_PART(int, ints);
    s->many = WIDE_PART(int, ints);
    s->item = WIDE_PART(int, ints);
    s->least = WIDE_PART(int, ints);
    s->high = WIDE_PART(int, ints);
    s->nonzero_bytes = s->list = WIDE_PART(int, noted);
#undef WIDE_PART
    s->options = options, s->free = first_free, s->words = words, s->items = items, s->counting = counting;
    s->lanes = lanes, s->nibbles = nibbles, s->planes = planes;
    s->vectors = (int)V, s->stride = (int)stride, s->groups = (int)G;
    s->tail = (unsigned char)(0xFF >> (8 * V - words) % 8);
    s->begin = begin, s->members = members, s->holders = holders, s->compatible = compatible, s->held = held;
    s->left = left, s->rows = rows, s->next = next, s->end = end, s->mark = mark, s->path = path;
    s->weight = weight, s->share = share, s->frame = frame, s->skip = skip, s->active = active;
    s->spare = levels - 1, s->pure = -1;
    s->smallest = items;
    for (b = 0; b < options; b++) {
        int size = begin[b + 1] - begin[b];
        if (size < s->smallest) s->smallest = size;
    }
    if (table) table_write(s->table, nibbles, options, G, begin, members);
    return s;
}
#endif
