/* The search of _wide.h. No header guard: included once for each back end. How sets are stored and options are counted is
 * said in _wide_bytes.h for the back ends of _lanes.h, and in _wide_planes.h for words of 64 bits. Both define
 *
 *     WIDE_NIBBLES              whether there is usually a table of counts; else it has bits, or there is none
 *     WIDE_SUSPECTS(V)          whether the suspects are worth checking, for sets of V rows
 *     WIDE_SKIPS(a)             whether a row is empty, if it pays to ask
 *     ROW, ROW_WORDS, S(name)   what sets consist of, its length in words, and its operations, which _lanes.h describes
 *     note                      a row of a set was divided into options that are removed and options that stay; those that
 *                               are removed are also left in scratch
 *     count, lower              make the counts of the root; make those of a level from those of another
 *     choose                    find the item to branch on
 *     keep, unmet, many         store counts; items without options; how many options are alive
 *     ones, move                items with one option; copy the counts of a level to another
 *     WIDE_ROUNDS(V)            whether forced options are taken in rounds (_wide_rounds.h), for sets of V rows
 */
#define W(name) LANES_JOIN(wide, LANES, _##name)
#define HERE LANES_INLINE LANES_TARGET
#if LANES == 64
#include "_wide_planes.h"
#else
#include "_wide_bytes.h"
#endif
#include "_wide_rounds.h"

/* Take option b and write what remains to level `to`, which may be `from`. Returns 0 as soon as an item has no option
 * left. covers: whether that covers all items. */
HERE int W(take)(wide_t *s, int from, int to, int b, int covers, ROW *c, int V, int G, int nibbles) {
    const word_t *alive = s->alive + (size_t)from * V * ROW_WORDS;
    word_t *rest = s->alive + (size_t)to * V * ROW_WORDS;
    const word_t *keep = s->compatible + (size_t)b * s->words;
    int v, g, q, gone = 0, kept = 0;
    for (q = WIDE_SUSPECTS(V) ? 0 : 2; q < 2; q++) {
        int i = s->suspect[q];
        unsigned some = 0;
        if (!(s->active[(size_t)from * G + (i >> 6)] >> (i & 63) & 1)) continue;
        if (s->held[(size_t)b * G + (i >> 6)] >> (i & 63) & 1) continue;
        for (v = 0; v < V; v++)
            some |= S(words)(S(and)(S(and)(S(load)(alive + ROW_WORDS * v), S(part)(keep, v, V, s->tail)),
                                    S(part)(s->holders + (size_t)i * s->words, v, V, s->tail)));
        if (!some) {
            if (q) s->suspect[1] = s->suspect[0], s->suspect[0] = i;
            return 0;
        }
    }
    for (v = 0; v < V; v++) {
        ROW a = S(load)(alive + ROW_WORDS * v);
        if (WIDE_SKIPS(a)) { S(store)(rest + ROW_WORDS * v, a); continue; }
        ROW n = S(and)(a, S(part)(keep, v, V, s->tail));
        ROW r = S(xor)(a, n);
        S(store)(rest + ROW_WORDS * v, n);
        W(note)(s, v, r, n, &gone, &kept);
    }
    if (!covers) {
        for (g = 0; g < G; g++)
            s->active[(size_t)to * G + g] = s->active[(size_t)from * G + g] & ~s->held[(size_t)b * G + g];
        if (!W(lower)(s, from, to, gone, kept, 0, c, V, G, nibbles)) return 0;
        if (!W(choose)(s, to, c, V, G)) return 0;
        W(keep)(s, to, c, G);
    }
    return 1;
}

/* Hide the ways of the level's item: list them in rows from r on, and remove them from the level. */
HERE int W(hide)(wide_t *s, int level, int r, ROW *c, int V, int G, int nibbles) {
    word_t *alive = s->alive + (size_t)level * V * ROW_WORDS;
    int i = s->item[level], v, g, gone = 0, kept = 0;
    for (v = 0; v < V; v++) {
        ROW a = S(load)(alive + ROW_WORDS * v);
        if (WIDE_SKIPS(a)) continue;
        ROW x = S(and)(a, S(part)(s->holders + (size_t)i * s->words, v, V, s->tail));
        ROW n = S(xor)(a, x);
        unsigned m = S(words)(x);
        S(store)(alive + ROW_WORDS * v, n);
        W(note)(s, v, x, n, &gone, &kept);
        for (; m; m &= m - 1) {
            int k = ROW_WORDS * v + lanes_lowest(m);
            word_t w = ((word_t *)s->scratch)[k];
            for (; w; w &= w - 1) s->rows[r++] = 64 * k + lanes_lowest(w);
        }
    }
    s->active[(size_t)level * G + (i >> 6)] &= ~((word_t)1 << (i & 63));
    W(lower)(s, level, level, gone, kept, 1, c, V, G, nibbles);
    W(keep)(s, level, c, G);
    for (g = 0; g < G; g++) s->dead_items[(size_t)level * G + g] = W(unmet)(s, level, c, g, G);
    return r;
}

/* For the case that option b leaves no more items than the smallest option holds, so that every option which holds one
 * of them holds all. Returns how many options do; if `list` is set, also writes them into rows from r on. */
HERE int W(last)(wide_t *s, int level, int b, int r, int list, int V, int G) {
    const word_t *alive = s->alive + (size_t)level * V * ROW_WORDS;
    int v, g = 0, k, i;
    word_t rest;
    S(sum_t) sum = S(nothing)();
    while (!(rest = s->active[(size_t)level * G + g] & ~s->held[(size_t)b * G + g])) g++;
    i = 64 * g + lanes_lowest(rest);
    for (v = 0; v < V; v++) {
        ROW x = S(and)(S(and)(S(load)(alive + ROW_WORDS * v), S(part)(s->compatible + (size_t)b * s->words, v, V, s->tail)),
                       S(part)(s->holders + (size_t)i * s->words, v, V, s->tail));
        if (list) {
            S(store)(s->scratch, x);
            for (k = 0; k < ROW_WORDS; k++) {
                word_t w = ((word_t *)s->scratch)[k];
                for (; w; w &= w - 1) s->rows[r++] = 64 * (ROW_WORDS * v + k) + lanes_lowest(w);
            }
        }
        sum = S(more)(sum, x);
    }
    return (int)S(total)(sum);
}

/* The search. any_free: whether there are free options, or no items.  out: nodes, updates, answers, level, depth, state; read and written. */
HERE int W(body)(wide_t *own, long long end, long long until, long long *out, int V, int G, int nibbles, int any_free) {
    wide_t here = *own, *s = &here;  /* a local copy, so that the compiler need not read pointers again */
    const int counting = s->counting;
    long long nodes = out[0], updates = out[1], answers = out[2];
    int level = (int)out[3], depth = (int)out[4], state = (int)out[5], code = COVR_DONE;
    int *left = s->left, *rows = s->rows, *next = s->next, *last = s->end, *mark = s->mark, *path = s->path;
    const int *begin = s->begin;
    const int smallest = s->smallest;
    ROW c[2]; /* counts that stay in registers */
    int bold = 1, trust = own->trust; /* see `trust` */
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
                last[level] = W(hide)(s, level, r, c, V, G, nibbles);
                least = s->least[level];
                s->size[level] = W(many)(s, level, V);
                if (left[level] > smallest) updates += s->above - s->size[level];
                s->share[level] = s->weight[level] / least;
                mark[level] = depth;
                state = COVR_BITS_NEXT;
                continue;
            }
            if (nodes >= end) { code = COVR_SLICE; break; }
            if (!any_free && WIDE_ROUNDS(V) && bold && trust >= 0 && level >= s->full) {
                int items = 0, taken;
                for (g = 0; g < G; g++) items += lanes_bits(W(ones)(s, level, g, G));
                if (items > smallest) { /* which may be those of several options */
                    r = W(settle)(s, level, depth, end - nodes, answers + 1 < until, &left[level], &taken, c, V, G, nibbles);
                    bold = r > 0;
                    trust = !bold ? trust - WIDE_DOUBT : trust < WIDE_TRUST ? trust + 4 : trust;
                    if (bold) {
                        nodes += taken;
                        depth += taken;
                        if (r == 1) continue;
                        state = COVR_BITS_BACK;
                        if (++answers >= until) { code = COVR_FOUND; break; }
                        continue;
                    }
                }
            } else if (trust < 0) trust++;
            nodes++;
            const word_t *alive = s->alive + (size_t)level * V * ROW_WORDS, *has = s->holders + (size_t)i * s->words;
            int v = 0;
            unsigned m;
            while (!(m = S(words)(S(and)(S(load)(alive + ROW_WORDS * v), S(part)(has, v, V, s->tail))))) v++;
            int w = ROW_WORDS * v + lanes_lowest(m);
            b = 64 * w + lanes_lowest(alive[w] & has[w]);
            path[depth++] = b;
            after = left[level] - (begin[b + 1] - begin[b]);
            target = level;
            state = COVR_BITS_BACK;
            if (after == 0 && !any_free) {
                if (++answers >= until) { code = COVR_FOUND; break; }
                continue;
            }
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
            if (after == 0 && !any_free) {
                if (++answers >= until) { code = COVR_FOUND; break; }
                continue;
            }
            word_t missed = 0;
            for (g = 0; g < G; g++) missed |= s->dead_items[(size_t)level * G + g] & ~s->held[(size_t)b * G + g];
            if (missed) continue;
            s->above = s->size[level];
            bold = 1;
            target = r < last[level] || s->frame[level] ? level + 1 : level;
            s->weight[target] = s->share[level];
            if (target == level) state = COVR_BITS_BACK;
        } else if (state == COVR_BITS_BACK) {
            if (level == 0) { state = COVR_BITS_END; break; }
            level--;
            state = COVR_BITS_NEXT;
            if (any_free && left[level] == 0) {
                depth = mark[level];
                state = COVR_BITS_FREE;
            }
            continue;
        } else if (state == COVR_BITS_HIDE) {
            if (any_free && left[level] == 0) { state = COVR_BITS_FREE; continue; }
            least = s->least[level];
            goto hide;
        } else if (any_free && state == COVR_BITS_OPEN) {
            s->frame[level] = 0;
            state = COVR_BITS_FREE;
            if (counting) {
                if (s->skip[0] > 0) s->skip[0]--;
                else { code = COVR_RECALL; break; }
            }
            continue;
        } else if (any_free && state == COVR_BITS_FREE) {
            word_t *alive = s->alive + (size_t)level * V * ROW_WORDS;
            const word_t *keep;
            int w = s->free >> 6;
            while (w < s->words && !alive[w]) w++;
            if (w == s->words) {
                state = COVR_BITS_BACK;
                answers++;
                if (counting && s->frame[level]) { code = COVR_CLOSE; break; }
                if (answers >= until) { code = COVR_FOUND; break; }
                continue;
            }
            if (nodes >= end) { code = COVR_SLICE; break; }
            nodes++;
            b = 64 * w + lanes_lowest(alive[w]);
            alive[w] &= alive[w] - 1;
            next[level] = last[level] = level > 0 ? last[level - 1] : 0;
            mark[level] = depth;
            path[depth++] = b;
            keep = s->compatible + (size_t)b * s->words;
            for (w = 0; w < s->words; w++) alive[V * ROW_WORDS + w] = alive[w] & keep[w];
            s->weight[level] *= 0.5;
            s->weight[level + 1] = s->weight[level];
            left[++level] = 0;
            state = COVR_BITS_OPEN;
            continue;
        } else { /* START */
            if (nodes >= end) { code = COVR_SLICE; break; }
            nodes++;
            state = COVR_BITS_ENTER;
            if (any_free && left[0] == 0) {
                state = COVR_BITS_OPEN;
                continue;
            }
            if (s->least[0] == 0) { state = COVR_BITS_END; break; }
            continue;
        }
        if (after <= smallest && !(any_free && after == 0)) {
            r = target > 0 ? last[target - 1] : 0;
            int n = W(last)(s, level, b, 0, 0, V, G);
            if (nodes + n <= end && answers + n < until) {
                nodes += n;
                answers += n;
            } else {
                next[target] = r;
                last[target] = r + W(last)(s, level, b, r, 1, V, G);
                left[target] = after;
                mark[target] = depth;
                s->frame[target] = 0;
                s->share[target] = s->weight[target] / n;
                level = target;
                state = COVR_BITS_NEXT;
            }
            continue;
        }
        if (W(take)(s, level, target, b, any_free && after == 0, c, V, G, nibbles)) {
            level = target;
            left[level] = after;
            state = any_free && after == 0 ? COVR_BITS_OPEN : COVR_BITS_ENTER;
        }
    }
    out[0] = nodes, out[1] = updates, out[2] = answers, out[3] = level, out[4] = depth, out[5] = state;
    own->suspect[0] = s->suspect[0], own->suspect[1] = s->suspect[1], own->full = s->full;
    own->trust = trust, own->above = s->above, own->pure = s->pure;
    return code;
}

/* For short sets and few items the compiler is told how many there are; and where there are none, of free options. On
 * x86, the back ends that only processors of before 2013 need do without: each search takes a second to compile. */
#define WIDE_FOR(name, V, G, nibbles, any_free) \
    LANES_TARGET static int name(wide_t *s, long long end, long long until, long long *out) { \
        return W(body)(s, end, until, out, V, G, nibbles, any_free); \
    }
WIDE_FOR(W(n_n), s->vectors, s->groups, s->nibbles, 0)
WIDE_FOR(W(any), s->vectors, s->groups, s->nibbles, 1)
#if LANES > 128 || !COVR_LANES_X86
WIDE_FOR(W(1_1), 1, 1, WIDE_NIBBLES, 0)
WIDE_FOR(W(1_2), 1, 2, WIDE_NIBBLES, 0)
WIDE_FOR(W(n_1), s->vectors, 1, WIDE_NIBBLES, 0)
WIDE_FOR(W(n_2), s->vectors, 2, WIDE_NIBBLES, 0)
WIDE_FOR(W(2_n), 2, s->groups, WIDE_NIBBLES, 0)
#endif
#undef WIDE_FOR

static int W(run)(wide_t *s, long long end, long long until, long long *out) {
    if (s->free < s->options || s->left[0] == 0) return W(any)(s, end, until, out);
#if LANES > 128 || !COVR_LANES_X86
    if (s->nibbles == WIDE_NIBBLES) {
        if (s->groups == 1) return s->vectors == 1 ? W(1_1)(s, end, until, out) : W(n_1)(s, end, until, out);
        if (s->groups == 2) return s->vectors == 1 ? W(1_2)(s, end, until, out) : W(n_2)(s, end, until, out);
        if (s->vectors == 2) return W(2_n)(s, end, until, out);
    }
#endif
    return W(n_n)(s, end, until, out);
}

/* Make the counts of the root from its alive options and active items. */
LANES_TARGET static void W(begin)(wide_t *s) {
    int V = s->vectors, G = s->groups, v;
    ROW c[2]; /* counts that stay in registers */
    s->least[0] = 0;
    s->above = 0;
    for (v = 0; v < s->words; v++) s->above += lanes_bits(s->alive[v]);
    if (s->left[0] == 0) return;
    if (W(count)(s, c, V, G) && W(choose)(s, 0, c, V, G)) W(keep)(s, 0, c, G);
    else s->least[0] = 0;
}

#undef W
#undef S
#undef ROW
#undef ROW_WORDS
#undef HERE
#undef WIDE_NIBBLES
#undef WIDE_SUSPECTS
#undef WIDE_SKIPS
#undef WIDE_ROUNDS
