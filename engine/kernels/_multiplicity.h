/* The search of _multiplicity.py on wide registers: sets of options, and items with bounds. _multiplicity.py describes
 * the search; _wide.h describes counts that are bytes, and the table that lowers them. Every count, need and room is
 * less than 255 here, so all of them are exact.
 */
#ifndef COVR_MULTIPLICITY_H
#define COVR_MULTIPLICITY_H

#include "_kernel.h"
#include "_wide.h"

#if COVR_WIDE
/* vectors, groups, tail, table, holders, compatible, held: as in _wide.h.
 * Per level: alive, counts, needs, rooms; item, the item to branch on, -1 if none is unmet; its ways; starved.
 * narrow: the items whose room is kept.  path: per level the option taken from it. */
typedef struct {
    int options, words, vectors, groups;
    __mmask8 tail;
    const word_t *holders, *compatible, *held, *narrow;
    uint8_t *table, *scratch, *counts, *needs, *rooms;
    word_t *alive;
    int *item, *ways, *starved, *path;
    double *weight;
    void *memory;
} multiplicity_t;

WIDE_INLINE __m512i multiplicity_load(const multiplicity_t *s, const word_t *set, int v, int V) {
    return _mm512_maskz_loadu_epi64(v == V - 1 ? s->tail : (__mmask8)0xFF, set + 8 * v);
}

/* Choose the level's item. Its counts and needs must be up to date. */
WIDE_INLINE void multiplicity_choose(multiplicity_t *s, int level, int G) {
    const uint8_t *counts = s->counts + (size_t)level * G * 64, *needs = s->needs + (size_t)level * G * 64;
    __m512i least = _mm512_set1_epi8(-1);
    int g;
    word_t some = 0;
    s->item[level] = -1;
    s->starved[level] = 1;
    for (g = 0; g < G; g++) {
        __m512i n = _mm512_load_si512(needs + 64 * g), c = _mm512_load_si512(counts + 64 * g);
        word_t unmet = _mm512_test_epi8_mask(n, n);
        if (_mm512_cmpgt_epu8_mask(n, c)) return;
        some |= unmet;
        least = _mm512_min_epu8(least, _mm512_mask_sub_epi8(_mm512_set1_epi8(-1), unmet, c, n));
    }
    s->starved[level] = 0;
    if (!some) return;
    __m256i h = _mm256_min_epu8(_mm512_castsi512_si256(least), _mm512_extracti64x4_epi64(least, 1));
    __m128i q = _mm_min_epu8(_mm256_castsi256_si128(h), _mm256_extracti128_si256(h, 1));
    q = _mm_minpos_epu16(_mm_min_epu8(q, _mm_srli_epi16(q, 8)));
    int slack = _mm_cvtsi128_si32(q) & 0xFF;
    for (g = 0;; g++) {
        __m512i n = _mm512_load_si512(needs + 64 * g), c = _mm512_load_si512(counts + 64 * g);
        word_t at = _mm512_mask_cmpeq_epi8_mask(
            _mm512_test_epi8_mask(n, n), _mm512_sub_epi8(c, n), _mm512_set1_epi8((char)slack));
        if (at) {
            s->item[level] = 64 * g + (int)_tzcnt_u64(at);
            s->ways[level] = slack + 1;
            return;
        }
    }
}

/* Remove option o from the level for good. */
WIDE_INLINE void multiplicity_exclude(multiplicity_t *s, int level, int o, int V, int G) {
    int g;
    s->alive[(size_t)level * V * 8 + (o >> 6)] &= ~((word_t)1 << (o & 63));
    s->starved[level] = 0;
    for (g = 0; g < G; g++) {
        uint8_t *counts = s->counts + ((size_t)level * G + g) * 64;
        __m512i c = _mm512_load_si512(counts);
        c = _mm512_mask_sub_epi8(c, s->held[(size_t)o * G + g], c, _mm512_set1_epi8(1));
        _mm512_store_si512(counts, c);
        if (_mm512_cmpgt_epu8_mask(_mm512_load_si512(s->needs + ((size_t)level * G + g) * 64), c)) s->starved[level] = 1;
    }
}

/* Take option o, which was removed from the level, and write what remains to level + 1. Returns how many options that
 * removes. */
WIDE_INLINE int multiplicity_take(multiplicity_t *s, int level, int o, int V, int G) {
    const word_t *alive = s->alive + (size_t)level * V * 8;
    word_t *rest = s->alive + (size_t)(level + 1) * V * 8;
    int v, g, gone = 0, kept = 0;
    for (v = 0; v < V; v++)
        _mm512_store_si512(rest + 8 * v, _mm512_and_si512(
            _mm512_load_si512(alive + 8 * v), multiplicity_load(s, s->compatible + (size_t)o * s->words, v, V)));
    for (g = 0; g < G; g++) {
        size_t at = ((size_t)level * G + g) * 64, to = at + (size_t)G * 64;
        word_t held = s->held[(size_t)o * G + g], narrow = held & s->narrow[g];
        __m512i room = _mm512_load_si512(s->rooms + at);
        room = _mm512_mask_sub_epi8(room, narrow, room, _mm512_set1_epi8(1));
        _mm512_store_si512(s->rooms + to, room);
        __m512i need = _mm512_load_si512(s->needs + at);
        _mm512_store_si512(s->needs + to, _mm512_mask_subs_epu8(need, held, need, _mm512_set1_epi8(1)));
        word_t full = _mm512_mask_testn_epi8_mask(narrow, room, room);
        for (; full; full &= full - 1) {
            const word_t *has = s->holders + (size_t)(64 * g + (int)_tzcnt_u64(full)) * s->words;
            for (v = 0; v < V; v++)
                _mm512_store_si512(rest + 8 * v, _mm512_andnot_si512(
                    multiplicity_load(s, has, v, V), _mm512_load_si512(rest + 8 * v)));
        }
    }
    __m512i sum = _mm512_setzero_si512();
    for (v = 0; v < V; v++) {
        __m512i n = _mm512_load_si512(rest + 8 * v), r = _mm512_xor_si512(_mm512_load_si512(alive + 8 * v), n);
        _mm512_store_si512(s->scratch + 64 * v, r);
        gone += (int)_mm_popcnt_u64(_mm512_test_epi8_mask(r, r));
        kept += (int)_mm_popcnt_u64(_mm512_test_epi8_mask(n, n));
        sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(r));
    }
    const int anew = kept < gone;
    const uint8_t *set = anew ? (const uint8_t *)rest : s->scratch;
    for (g = 0; g < G; g++) {
        size_t at = ((size_t)level * G + g) * 64;
        __m512i c = anew ? _mm512_setzero_si512() : _mm512_load_si512(s->counts + at);
        for (v = 0; v < V; v++) {
            __m512i x = _mm512_load_si512(set + 64 * v);
            word_t m = _mm512_test_epi8_mask(x, x);
            for (; m; m &= m - 1) {
                size_t j = 64 * v + _tzcnt_u64(m);
                __m512i d = _mm512_popcnt_epi8(_mm512_and_si512(
                    _mm512_set1_epi8((char)set[j]), _mm512_load_si512(s->table + (j * G + g) * 64)));
                c = anew ? _mm512_add_epi8(c, d) : _mm512_sub_epi8(c, d);
            }
        }
        _mm512_store_si512(s->counts + at + (size_t)G * 64, c);
    }
    multiplicity_choose(s, level + 1, G);
    return (int)_mm512_reduce_add_epi64(sum);
}

/* The lowest option in a level's alive set and in `among`, if given; -1 if there is none. */
WIDE_INLINE int multiplicity_lowest(const multiplicity_t *s, int level, const word_t *among, int V) {
    const word_t *alive = s->alive + (size_t)level * V * 8;
    int v;
    for (v = 0; v < V; v++) {
        __m512i x = _mm512_load_si512(alive + 8 * v);
        if (among) x = _mm512_and_si512(x, multiplicity_load(s, among, v, V));
        unsigned m = _mm512_test_epi64_mask(x, x);
        if (m) {
            int w = 8 * v + (int)_tzcnt_u32(m);
            return 64 * w + (int)_tzcnt_u64(among ? alive[w] & among[w] : alive[w]);
        }
    }
    return -1;
}

/* The search. out: nodes, updates, answers, level, state; read and written. */
WIDE_INLINE int multiplicity_body(multiplicity_t *own, long long end, long long until, long long *out, int V, int G) {
    multiplicity_t here = *own, *s = &here;
    long long nodes = out[0], updates = out[1], answers = out[2];
    int level = (int)out[3], state = (int)out[4], code = COVR_DONE;
    while (state != COVR_MULTIPLICITY_END) {
        if (state == COVR_MULTIPLICITY_NEXT) {
            int i = s->item[level], o;
            if (s->starved[level]) { state = COVR_MULTIPLICITY_BACK; continue; }
            o = multiplicity_lowest(s, level, i < 0 ? 0 : s->holders + (size_t)i * s->words, V);
            if (o < 0) {
                state = COVR_MULTIPLICITY_BACK;
                if (++answers >= until) { code = COVR_FOUND; break; }
                continue;
            }
            s->weight[level + 1] = s->weight[level] / (i < 0 ? 2 : s->ways[level]--);
            s->weight[level] -= s->weight[level + 1];
            multiplicity_exclude(s, level, o, V, G);
            updates += 1 + multiplicity_take(s, level, o, V, G);
            s->path[level++] = o;
            state = COVR_MULTIPLICITY_ENTER;
        } else if (state == COVR_MULTIPLICITY_ENTER) {
            if (nodes >= end) { code = COVR_SLICE; break; }
            nodes++;
            state = s->starved[level] ? COVR_MULTIPLICITY_BACK : COVR_MULTIPLICITY_NEXT;
        } else {
            if (level == 0) { state = COVR_MULTIPLICITY_END; break; }
            level--;
            state = COVR_MULTIPLICITY_NEXT;
        }
    }
    out[0] = nodes, out[1] = updates, out[2] = answers, out[3] = level, out[4] = state;
    return code;
}

WIDE_TARGET static int multiplicity_1_1(multiplicity_t *s, long long e, long long u, long long *o) { return multiplicity_body(s, e, u, o, 1, 1); }
WIDE_TARGET static int multiplicity_1_2(multiplicity_t *s, long long e, long long u, long long *o) { return multiplicity_body(s, e, u, o, 1, 2); }
WIDE_TARGET static int multiplicity_n_n(multiplicity_t *s, long long e, long long u, long long *o) { return multiplicity_body(s, e, u, o, s->vectors, s->groups); }

static int multiplicity_run(void *state, long long end, long long until, long long *out) {
    multiplicity_t *s = (multiplicity_t *)state;
    if (s->vectors == 1 && s->groups == 1) return multiplicity_1_1(s, end, until, out);
    if (s->vectors == 1 && s->groups == 2) return multiplicity_1_2(s, end, until, out);
    return multiplicity_n_n(s, end, until, out);
}

static void multiplicity_close(void *state) {
    if (state) { free(((multiplicity_t *)state)->memory); free(state); }
}

WIDE_TARGET static void multiplicity_begin(multiplicity_t *s, const int *needs, const int *rooms, int items) {
    int V = s->vectors, G = s->groups, i, o, k;
    for (o = 0; o < s->options; o++) s->alive[o >> 6] |= (word_t)1 << (o & 63);
    for (i = 0; i < items; i++) {
        int size = 0;
        for (k = 0; k < s->words; k++) size += (int)_mm_popcnt_u64(s->holders[(size_t)i * s->words + k]);
        s->counts[i] = (uint8_t)size;
        s->needs[i] = (uint8_t)needs[i];
        s->rooms[i] = (uint8_t)rooms[i];
    }
    (void)V;
    multiplicity_choose(s, 0, G);
}

/* Returns NULL if the processor lacks the instructions or memory is short. The arrays must live longer than this. */
static void *multiplicity_open(int options, int words, int items, const int *begin, const int *members,
                         const unsigned long long *holders, const unsigned long long *compatible,
                         const unsigned long long *held, const unsigned long long *narrow, const int *needs,
                         const int *rooms, int *path, double *weight) {
    if (!wide_can()) return NULL;
    multiplicity_t *s = (multiplicity_t *)calloc(1, sizeof *s);
    if (!s) return NULL;
    size_t V = (words + 7) / 8, G = (items + 63) / 64, L = (size_t)options + 2;
    size_t table = 64 * V * 64 * G, counts = L * 64 * G, alives = 64 * V * L, ints = 4 * L;
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
    s->tail = (__mmask8)(0xFF >> (8 * V - words));
    s->holders = holders, s->compatible = compatible, s->held = held, s->narrow = narrow;
    s->path = path, s->weight = weight;
    for (int b = 0; b < options; b++)
        for (int k = begin[b]; k < begin[b + 1]; k++)
            s->table[(size_t)(b >> 3) * 64 * G + members[k]] |= (uint8_t)(1 << (b & 7));
    multiplicity_begin(s, needs, rooms, items);
    return s;
}

#else
static void multiplicity_close(void *state) { (void)state; }
static int multiplicity_run(void *state, long long end, long long until, long long *out) {
    (void)state; (void)end; (void)until; (void)out; return 0;
}
static void *multiplicity_open(int options, int words, int items, const int *begin, const int *members,
                         const unsigned long long *holders, const unsigned long long *compatible,
                         const unsigned long long *held, const unsigned long long *narrow, const int *needs,
                         const int *rooms, int *path, double *weight) {
    (void)options; (void)words; (void)items; (void)begin; (void)members; (void)holders; (void)compatible; (void)held;
    (void)narrow; (void)needs; (void)rooms; (void)path; (void)weight; return 0;
}
#endif
#endif
