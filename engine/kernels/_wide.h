/* The search of _bits.py on wide registers: the same nodes, the same answers, the same updates; see there for levels,
 * ways and forced moves. What differs is how counts are kept: one byte per item, 64 items per register. The table has,
 * for every 8 options (a byte of a set) and every item, which of the 8 options hold the item. So
 *
 *     counts -= popcount per byte (removed byte, repeated  &  table row of that byte)
 *
 * subtracts up to 8 options from 64 counts in three instructions. Counting the alive options from scratch works in the
 * same way, with an addition. Each node does the one of the two that has fewer non-zero bytes to go through. A count of
 * more than 254 is stored as 255, which means "255 or more": a level with such a count (`full`) can only be counted from
 * scratch.
 *
 * This needs AVX-512 with BITALG (Intel since Ice Lake, AMD since Zen 4), which is checked at run time. Elsewhere
 * `wide_open` returns NULL, and _bits.py runs instead; this file is its twin. Free options are not supported. The memo
 * stays in _bits.py; the twin asks for it by the codes RECALL and CLOSE.
 */
#ifndef COVR_WIDE_H
#define COVR_WIDE_H

#if defined(__x86_64__) && ((defined(__GNUC__) && __GNUC__ >= 9) || (defined(__clang__) && __clang_major__ >= 9)) \
    && !defined(_WIN32)
#define COVR_WIDE 1
#include <immintrin.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "_kernel.h"

#define WIDE_TARGET \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512bitalg,avx512vpopcntdq,popcnt,bmi,bmi2,lzcnt")))
#define WIDE_MAYBE __attribute__((unused)) /* _multiplicity.h includes this file for the counts only */
#define WIDE_INLINE static inline __attribute__((always_inline)) WIDE_TARGET

typedef unsigned long long word_t;

/* vectors: how many registers a set of options takes.  tail: which words of the last one are used.
 * groups: how many registers the counts of a level take.  alive: per level, `vectors` registers.
 * counts, active, dead_items: per level and group.  full: how many levels, from the first, have a count of 255.
 * item, least: per level the item to branch on and its count, as found when the counts were made.
 * smallest: the number of items in the smallest option.  The other fields are those of _bits.py, by the same names. */
typedef struct {
    int options, words, vectors, items, groups, smallest;
    __mmask8 tail;
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

WIDE_INLINE __m512i wide_load(const wide_t *s, const word_t *set, int v, int V) {
    return _mm512_maskz_loadu_epi64(v == V - 1 ? s->tail : (__mmask8)0xFF, set + 8 * v);
}

/* Write the least count to least and its item, the lowest on ties, to item. Returns 0 if an active item has none. */
WIDE_INLINE int wide_choose(wide_t *s, int level, const __m512i *c, int G) {
    const word_t *active = s->active + (size_t)level * G;
    word_t ones = 0;
    int g, first = -1;
    for (g = 0; g < G; g++) {
        if (_mm512_mask_testn_epi8_mask(active[g], c[g], c[g])) {
            word_t z = _mm512_mask_testn_epi8_mask(active[g], c[g], c[g]);
            s->suspect[1] = s->suspect[0];
            s->suspect[0] = 64 * g + (int)_tzcnt_u64(z);
            return 0;
        }
        ones = _mm512_mask_cmpeq_epi8_mask(active[g], c[g], _mm512_set1_epi8(1));
        if (ones && first < 0) first = 64 * g + (int)_tzcnt_u64(ones);
    }
    if (first < 0) {
        __m512i m = _mm512_set1_epi8(-1);
        for (g = 0; g < G; g++) m = _mm512_min_epu8(m, _mm512_mask_mov_epi8(_mm512_set1_epi8(-1), active[g], c[g]));
        __m256i h = _mm256_min_epu8(_mm512_castsi512_si256(m), _mm512_extracti64x4_epi64(m, 1));
        __m128i q = _mm_min_epu8(_mm256_castsi256_si128(h), _mm256_extracti128_si256(h, 1));
        q = _mm_minpos_epu16(_mm_min_epu8(q, _mm_srli_epi16(q, 8)));
        int least = _mm_cvtsi128_si32(q) & 0xFF;
        s->least[level] = least;
        for (g = 0; first < 0; g++) {
            word_t at = _mm512_mask_cmpeq_epi8_mask(active[g], c[g], _mm512_set1_epi8((char)least));
            if (at) first = 64 * g + (int)_tzcnt_u64(at);
        }
        s->item[level] = first;
        return 1;
    }
    s->least[level] = 1;
    s->item[level] = first;
    return 1;
}

/* For a level where every count is 255 or more: count the options of each item exactly. */
WIDE_TARGET static void wide_count_all(wide_t *s, int level, int V) {
    int g, v, best = -1;
    for (g = 0; g < s->groups; g++) {
        word_t rest = s->active[(size_t)level * s->groups + g];
        for (; rest; rest &= rest - 1) {
            int i = 64 * g + (int)_tzcnt_u64(rest);
            __m512i sum = _mm512_setzero_si512();
            for (v = 0; v < V; v++)
                sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_and_si512(
                    _mm512_loadu_si512(s->alive + ((size_t)level * V + v) * 8),
                    wide_load(s, s->holders + (size_t)i * s->words, v, V))));
            int size = (int)_mm512_reduce_add_epi64(sum);
            if (best < 0 || size < best) best = size, s->item[level] = i;
        }
    }
    s->least[level] = best;
}

/* Make the counts of level `to`: those of level `from` minus the options in scratch (`gone` bytes of which are not 0),
 * or counted from scratch from its alive set (`kept` bytes of which are not 0). Leaves the counts in c. */
WIDE_INLINE void wide_lower(wide_t *s, int from, int to, int gone, int kept, __m512i *c, int V, int G) {
    const uint8_t *from_counts = s->counts + (size_t)from * G * 64;
    const int full = from < s->full, anew = full || kept < gone;
    const uint8_t *set = anew ? (const uint8_t *)(s->alive + (size_t)to * V * 8) : s->scratch;
    int v, g;
    if (G <= 2) {
        for (g = 0; g < G; g++)
            c[g] = anew ? _mm512_setzero_si512() : _mm512_load_si512(from_counts + 64 * g);
        for (v = 0; v < V; v++) {
            __m512i x = _mm512_load_si512(set + 64 * v);
            word_t m = _mm512_test_epi8_mask(x, x);
            for (; m; m &= m - 1) {
                size_t j = 64 * v + _tzcnt_u64(m);
                __m512i y = _mm512_set1_epi8((char)set[j]);
                for (g = 0; g < G; g++) {
                    __m512i n = _mm512_popcnt_epi8(_mm512_and_si512(y, _mm512_load_si512(s->table + (j * G + g) * 64)));
                    c[g] = anew ? _mm512_adds_epu8(c[g], n) : _mm512_sub_epi8(c[g], n);
                }
            }
        }
    } else {
        int n = 0, k;
        int *nonzero_bytes = s->nonzero_bytes;
        for (v = 0; v < V; v++) {
            __m512i x = _mm512_load_si512(set + 64 * v);
            word_t m = _mm512_test_epi8_mask(x, x);
            for (; m; m &= m - 1) nonzero_bytes[n++] = 64 * v + (int)_tzcnt_u64(m);
        }
        for (g = 0; g < G; g++) {
            __m512i x = anew ? _mm512_setzero_si512() : _mm512_load_si512(from_counts + 64 * g);
            for (k = 0; k < n; k++) {
                size_t j = nonzero_bytes[k];
                __m512i d = _mm512_popcnt_epi8(_mm512_and_si512(
                    _mm512_set1_epi8((char)set[j]), _mm512_load_si512(s->table + (j * G + g) * 64)));
                x = anew ? _mm512_adds_epu8(x, d) : _mm512_sub_epi8(x, d);
            }
            c[g] = x;
        }
    }
    if (full) {
        word_t some = 0;
        for (g = 0; g < G; g++)
            some |= _mm512_mask_cmpeq_epi8_mask(s->active[(size_t)to * G + g], c[g], _mm512_set1_epi8(-1));
        s->full = some ? to + 1 : to == from ? from : from + 1;
    }
}

/* Take option b and write what remains to level `to`, which may be `from`. Returns 0 as soon as an item has no option
 * left. */
WIDE_INLINE int wide_take(wide_t *s, int from, int to, int b, __m512i *total, __m512i *c, int V, int G) {
    const word_t *alive = s->alive + (size_t)from * V * 8;
    word_t *rest = s->alive + (size_t)to * V * 8;
    const word_t *keep = s->compatible + (size_t)b * s->words;
    int v, g, q, gone = 0, kept = 0;
    for (q = V == 1 ? 2 : 0; q < 2; q++) {
        int i = s->suspect[q];
        if (!(s->active[(size_t)from * G + (i >> 6)] >> (i & 63) & 1)) continue;
        if (s->held[(size_t)b * G + (i >> 6)] >> (i & 63) & 1) continue;
        __mmask8 some = 0;
        for (v = 0; v < V; v++)
            some |= _mm512_test_epi64_mask(
                _mm512_and_si512(_mm512_load_si512(alive + 8 * v), wide_load(s, keep, v, V)),
                wide_load(s, s->holders + (size_t)i * s->words, v, V));
        if (!some) {
            if (q) s->suspect[1] = s->suspect[0], s->suspect[0] = i;
            return 0;
        }
    }
    __m512i sum = _mm512_setzero_si512();
    for (v = 0; v < V; v++) {
        __m512i a = _mm512_load_si512(alive + 8 * v);
        __m512i n = _mm512_and_si512(a, wide_load(s, keep, v, V));
        __m512i r = _mm512_xor_si512(a, n);
        _mm512_store_si512(rest + 8 * v, n);
        _mm512_store_si512(s->scratch + 64 * v, r);
        gone += (int)_mm_popcnt_u64(_mm512_test_epi8_mask(r, r));
        kept += (int)_mm_popcnt_u64(_mm512_test_epi8_mask(n, n));
        sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(r));
    }
    for (g = 0; g < G; g++)
        s->active[(size_t)to * G + g] = s->active[(size_t)from * G + g] & ~s->held[(size_t)b * G + g];
    wide_lower(s, from, to, gone, kept, c, V, G);
    if (!wide_choose(s, to, c, G)) return 0;
    for (g = 0; g < G; g++) _mm512_store_si512(s->counts + ((size_t)to * G + g) * 64, c[g]);
    if (s->least[to] == 255) wide_count_all(s, to, V);
    *total = _mm512_add_epi64(*total, sum);
    return 1;
}

/* Hide the ways of the level's item: list them in rows from r on, and remove them from the level. */
WIDE_INLINE int wide_hide(wide_t *s, int level, int r, __m512i *c, int V, int G) {
    word_t *alive = s->alive + (size_t)level * V * 8;
    int i = s->item[level], v, g, k, gone = 0, kept = 0;
    for (v = 0; v < V; v++) {
        __m512i a = _mm512_load_si512(alive + 8 * v);
        __m512i x = _mm512_and_si512(a, wide_load(s, s->holders + (size_t)i * s->words, v, V));
        __m512i n = _mm512_xor_si512(a, x);
        _mm512_store_si512(alive + 8 * v, n);
        _mm512_store_si512(s->scratch + 64 * v, x);
        gone += (int)_mm_popcnt_u64(_mm512_test_epi8_mask(x, x));
        kept += (int)_mm_popcnt_u64(_mm512_test_epi8_mask(n, n));
        unsigned m = _mm512_test_epi64_mask(x, x);
        for (; m; m &= m - 1) {
            k = (int)_tzcnt_u32(m);
            word_t w = ((word_t *)s->scratch)[8 * v + k];
            for (; w; w &= w - 1) s->rows[r++] = 64 * (8 * v + k) + (int)_tzcnt_u64(w);
        }
    }
    s->active[(size_t)level * G + (i >> 6)] &= ~((word_t)1 << (i & 63));
    wide_lower(s, level, level, gone, kept, c, V, G);
    for (g = 0; g < G; g++) {
        _mm512_store_si512(s->counts + ((size_t)level * G + g) * 64, c[g]);
        s->dead_items[(size_t)level * G + g] =
            _mm512_mask_testn_epi8_mask(s->active[(size_t)level * G + g], c[g], c[g]);
    }
    return r;
}

/* For the case that option b leaves no more items than the smallest option holds, so that every option which holds one
 * of them holds all. Returns how many options do; if `list` is set, also writes them into rows from r on. */
WIDE_INLINE int wide_last(wide_t *s, int level, int b, int r, int list, int V, int G) {
    const word_t *alive = s->alive + (size_t)level * V * 8;
    int v, g = 0, k, i;
    word_t rest;
    while (!(rest = s->active[(size_t)level * G + g] & ~s->held[(size_t)b * G + g])) g++;
    i = 64 * g + (int)_tzcnt_u64(rest);
    __m512i sum = _mm512_setzero_si512();
    for (v = 0; v < V; v++) {
        __m512i x = _mm512_and_si512(
            _mm512_and_si512(_mm512_load_si512(alive + 8 * v), wide_load(s, s->compatible + (size_t)b * s->words, v, V)),
            wide_load(s, s->holders + (size_t)i * s->words, v, V));
        if (list) {
            _mm512_store_si512(s->scratch, x);
            for (k = 0; k < 8; k++) {
                word_t w = ((word_t *)s->scratch)[k];
                for (; w; w &= w - 1) s->rows[r++] = 64 * (8 * v + k) + (int)_tzcnt_u64(w);
            }
        }
        sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(x));
    }
    return (int)_mm512_reduce_add_epi64(sum);
}

/* Does what `Bits._run` does. out: nodes, updates, answers, level, depth, state; read and written. */
WIDE_INLINE int wide_body(wide_t *own, long long end, long long until, long long *out, int V, int G) {
    wide_t here = *own, *s = &here;  /* a local copy, so that the compiler need not read pointers again */
    const int counting = s->counting;
    long long nodes = out[0], updates = out[1], answers = out[2];
    int level = (int)out[3], depth = (int)out[4], state = (int)out[5], code = COVR_DONE;
    int *left = s->left, *rows = s->rows, *next = s->next, *last = s->end, *mark = s->mark, *path = s->path;
    const int *begin = s->begin;
    const int smallest = s->smallest;
    __m512i c[G], total = _mm512_setzero_si512();
    while (state != COVR_BITS_END) {
        int b, target, after, r, g, i, least;
        if (state == COVR_BITS_ENTER) {
            i = s->item[level];
            least = s->least[level];
            if (least > 1) {
                if (left[level] <= smallest && nodes + least <= end && answers + least < until) {
                    nodes += least;
                    answers += least;
                    state = COVR_BITS_BACK;
                    continue;
                }
                s->frame[level] = 0;
                if (counting && left[level] > smallest) {
                    if (s->skip[left[level]] > 0) s->skip[left[level]]--;
                    else { code = COVR_RECALL; break; }
                }
            hide:
                r = level > 0 ? last[level - 1] : 0;
                next[level] = r;
                last[level] = wide_hide(s, level, r, c, V, G);
                if (left[level] > smallest) updates += last[level] - r;
                s->share[level] = s->weight[level] / least;
                mark[level] = depth;
                state = COVR_BITS_NEXT;
                continue;
            }
            if (nodes >= end) { code = COVR_SLICE; break; }
            nodes++;
            const word_t *alive = s->alive + (size_t)level * V * 8, *has = s->holders + (size_t)i * s->words;
            int v = 0;
            unsigned m;
            __m512i x;
            for (;; v++) {
                x = _mm512_and_si512(_mm512_load_si512(alive + 8 * v), wide_load(s, has, v, V));
                m = _mm512_test_epi64_mask(x, x);
                if (m) break;
            }
            int w = 8 * v + (int)_tzcnt_u32(m);
            b = 64 * w + (int)_tzcnt_u64(alive[w] & has[w]);
            path[depth++] = b;
            after = left[level] - (begin[b + 1] - begin[b]);
            target = level;
            if (after == 0) {
                state = COVR_BITS_BACK;
                if (++answers >= until) { code = COVR_FOUND; break; }
                continue;
            }
            state = COVR_BITS_BACK;
        } else if (state == COVR_BITS_NEXT) {
            r = next[level];
            if (r == last[level]) {
                if (counting && s->frame[level]) { code = COVR_CLOSE; break; }
                state = COVR_BITS_BACK;
                continue;
            }
            if (nodes >= end) { code = COVR_SLICE; break; }
            nodes++;
            b = rows[r++];
            next[level] = r;
            depth = mark[level];
            path[depth++] = b;
            after = left[level] - (begin[b + 1] - begin[b]);
            if (after == 0) {
                if (++answers >= until) { code = COVR_FOUND; break; }
                continue;
            }
            word_t missed = 0;
            for (g = 0; g < G; g++) missed |= s->dead_items[(size_t)level * G + g] & ~s->held[(size_t)b * G + g];
            if (missed) continue;
            target = r < last[level] || s->frame[level] ? level + 1 : level;
            s->weight[target] = s->share[level];
            if (target == level) state = COVR_BITS_BACK;
        } else if (state == COVR_BITS_BACK) {
            if (level == 0) { state = COVR_BITS_END; break; }
            level--;
            state = COVR_BITS_NEXT;
            continue;
        } else if (state == COVR_BITS_HIDE) {
            least = s->least[level];
            goto hide;
        } else { /* START */
            if (nodes >= end) { code = COVR_SLICE; break; }
            nodes++;
            state = COVR_BITS_ENTER;
            if (left[0] == 0) {
                state = COVR_BITS_BACK;
                if (++answers >= until) { code = COVR_FOUND; break; }
                continue;
            }
            if (s->least[0] == 0) { state = COVR_BITS_END; break; }
            continue;
        }
        if (after <= smallest) {
            r = target > 0 ? last[target - 1] : 0;
            int n = wide_last(s, level, b, 0, 0, V, G);
            if (nodes + n <= end && answers + n < until) {
                nodes += n;
                answers += n;
            } else {
                next[target] = r;
                last[target] = r + wide_last(s, level, b, r, 1, V, G);
                left[target] = after;
                mark[target] = depth;
                s->frame[target] = 0;
                s->share[target] = s->weight[target] / n;
                level = target;
                state = COVR_BITS_NEXT;
            }
            continue;
        }
        if (wide_take(s, level, target, b, &total, c, V, G)) {
            level = target;
            left[level] = after;
            state = COVR_BITS_ENTER;
        }
    }
    updates += _mm512_reduce_add_epi64(total);
    out[0] = nodes, out[1] = updates, out[2] = answers, out[3] = level, out[4] = depth, out[5] = state;
    own->suspect[0] = s->suspect[0], own->suspect[1] = s->suspect[1], own->full = s->full;
    return code;
}

WIDE_TARGET static int wide_1_1(wide_t *s, long long e, long long u, long long *o) { return wide_body(s, e, u, o, 1, 1); }
WIDE_TARGET static int wide_1_2(wide_t *s, long long e, long long u, long long *o) { return wide_body(s, e, u, o, 1, 2); }
WIDE_TARGET static int wide_n_1(wide_t *s, long long e, long long u, long long *o) { return wide_body(s, e, u, o, s->vectors, 1); }
WIDE_TARGET static int wide_n_2(wide_t *s, long long e, long long u, long long *o) { return wide_body(s, e, u, o, s->vectors, 2); }
WIDE_TARGET static int wide_n_n(wide_t *s, long long e, long long u, long long *o) { return wide_body(s, e, u, o, s->vectors, s->groups); }

WIDE_MAYBE static int wide_run(void *state, long long end, long long until, long long *out) {
    wide_t *s = (wide_t *)state;
    if (s->groups == 1) return s->vectors == 1 ? wide_1_1(s, end, until, out) : wide_n_1(s, end, until, out);
    if (s->groups == 2) return s->vectors == 1 ? wide_1_2(s, end, until, out) : wide_n_2(s, end, until, out);
    return wide_n_n(s, end, until, out);
}

static int wide_can(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bitalg")
        && __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("bmi2");
}

WIDE_MAYBE static void wide_close(void *state) {
    if (state) { free(((wide_t *)state)->memory); free(state); }
}

WIDE_MAYBE static unsigned long long *wide_alive(void *state) { return ((wide_t *)state)->alive; }

/* Make the counts of level 0 from its alive options and active items. */
WIDE_MAYBE WIDE_TARGET static void wide_begin(void *state) {
    wide_t *s = (wide_t *)state;
    int V = s->vectors, G = s->groups, g;
    __m512i c[G];
    s->full = 1;
    s->least[0] = 0;
    if (s->left[0] == 0) return;
    wide_lower(s, 0, 0, 0, 0, c, V, G);
    if (!wide_choose(s, 0, c, G)) s->least[0] = 0;
    else if (s->least[0] == 255) wide_count_all(s, 0, V);
    for (g = 0; g < G; g++) _mm512_store_si512(s->counts + 64 * g, c[g]);
}

/* Returns NULL if the processor lacks the instructions or memory is short. The arrays are the kernel's, and must live
 * longer than this. */
WIDE_MAYBE static void *wide_open(int options, int words, int items, int levels, int counting, const int *begin,
                        const int *members, const unsigned long long *holders, const unsigned long long *compatible,
                        const unsigned long long *held, unsigned long long *active, unsigned long long *dead_items,
                        int *left, int *rows, int *next, int *end, int *mark, int *path, int *frame, long long *skip,
                        double *weight, double *share) {
    if (items == 0 || !wide_can()) return NULL;
    wide_t *s = (wide_t *)calloc(1, sizeof *s);
    if (!s) return NULL;
    size_t V = (words + 7) / 8, G = (items + 63) / 64, L = levels;
    size_t table = 64 * V * 64 * G, counts = L * 64 * G, scratch = 64 * V, alives = 64 * V * L;
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
    s->tail = (__mmask8)(0xFF >> (8 * V - words));
    s->begin = begin, s->holders = holders, s->compatible = compatible, s->held = held;
    s->left = left, s->rows = rows, s->next = next, s->end = end, s->mark = mark, s->path = path;
    s->weight = weight, s->share = share, s->frame = frame, s->skip = skip, s->active = active, s->dead_items = dead_items;
    s->counting = counting;
    s->smallest = items;
    for (int b = 0; b < options; b++) {
        int size = begin[b + 1] - begin[b];
        if (size < s->smallest) s->smallest = size;
        for (int k = begin[b]; k < begin[b + 1]; k++)
            s->table[(size_t)(b >> 3) * 64 * G + members[k]] |= (uint8_t)(1 << (b & 7));
    }
    return s;
}

#else
static int wide_can(void) { return 0; }
static void wide_close(void *state) { (void)state; }
static int wide_run(void *state, long long end, long long until, long long *out) {
    (void)state; (void)end; (void)until; (void)out; return 0;
}
static void *wide_open(int options, int words, int items, int levels, int counting, const int *begin,
                        const int *members, const unsigned long long *holders, const unsigned long long *compatible,
                        const unsigned long long *held, unsigned long long *active, unsigned long long *dead_items,
                        int *left, int *rows, int *next, int *end, int *mark, int *path, int *frame, long long *skip,
                        double *weight, double *share) {
    (void)options; (void)words; (void)items; (void)levels; (void)counting; (void)begin; (void)members; (void)holders;
    (void)compatible; (void)held; (void)active; (void)dead_items; (void)left; (void)rows; (void)next; (void)end; (void)mark;
    (void)path; (void)frame; (void)skip; (void)weight; (void)share;
    return 0;
}
static unsigned long long *wide_alive(void *state) { (void)state; return 0; }
static void wide_begin(void *state) { (void)state; }
#endif
#endif
