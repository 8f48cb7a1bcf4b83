/* The search of _wide.h, written in the rows of _lanes.h. No header guard: included once for each back end. */
#define W(name) LANES_JOIN(wide, LANES, _##name)
#define ROW L(t)
#define HERE LANES_INLINE LANES_TARGET

/* Write the least count to least and its item, the lowest on ties, to item. Returns 0 if an active item has none. */
HERE int W(choose)(wide_t *s, int level, const ROW *c, int G) {
    const word_t *active = s->active + (size_t)level * G;
    int g, least, first = -1;
    for (g = 0; g < G; g++) {
        word_t ones, none = active[g] & ~L(some)(c[g]);
        if (none) {
            s->suspect[1] = s->suspect[0];
            s->suspect[0] = 64 * g + lanes_lowest(none);
            return 0;
        }
        if (first >= 0) continue;
        ones = active[g] & L(equal)(c[g], L(fill)(1));
        if (ones) first = 64 * g + lanes_lowest(ones);
    }
    least = 1;
    if (first < 0) {
        ROW m = L(fill)(255);
        for (g = 0; g < G; g++) m = L(min)(m, L(kept)(active[g], c[g]));
        least = L(least)(m);
        for (g = 0; first < 0; g++) {
            word_t at = active[g] & L(equal)(c[g], L(fill)(least));
            if (at) first = 64 * g + lanes_lowest(at);
        }
    }
    s->least[level] = least;
    s->item[level] = first;
    return 1;
}

/* For a level where every count is 255 or more: count the options of each item exactly. */
LANES_TARGET static __attribute__((noinline)) void W(count_all)(wide_t *s, int level, int V) {
    int g, v, best = -1;
    for (g = 0; g < s->groups; g++) {
        word_t rest = s->active[(size_t)level * s->groups + g];
        for (; rest; rest &= rest - 1) {
            int i = 64 * g + lanes_lowest(rest), size;
            L(sum_t) sum = L(nothing)();
            for (v = 0; v < V; v++)
                sum = L(more)(sum, L(and)(L(load)(s->alive + ((size_t)level * V + v) * 8),
                                          L(part)(s->holders + (size_t)i * s->words, v, V, s->tail)));
            size = (int)L(total)(sum);
            if (best < 0 || size < best) best = size, s->item[level] = i;
        }
    }
    s->least[level] = best;
}

/* Make the counts of level `to`: those of level `from` minus the options in scratch (`gone` bytes of which are not 0),
 * or counted from scratch from its alive set (`kept` bytes of which are not 0). Leaves the counts in c. */
HERE void W(lower)(wide_t *s, int from, int to, int gone, int kept, ROW *c, int V, int G, int nibbles) {
    const uint8_t *from_counts = s->counts + (size_t)from * G * 64;
    const int full = from < s->full, anew = full || kept < gone;
    const uint8_t *set = anew ? (const uint8_t *)(s->alive + (size_t)to * V * 8) : s->scratch;
    int v, g;
    if (G <= 2) {
        for (g = 0; g < G; g++) c[g] = anew ? L(zero)() : L(load)(from_counts + 64 * g);
        for (v = 0; v < V; v++) {
            word_t m = L(some)(L(load)(set + 64 * v));
            for (; m; m &= m - 1) {
                size_t j = 64 * v + lanes_lowest(m);
                for (g = 0; g < G; g++) {
                    ROW n = L(in_byte)(s->table + 64 * g, j, set[j], G, nibbles);
                    c[g] = anew ? L(adds)(c[g], n) : L(sub)(c[g], n);
                }
            }
        }
    } else {
        int n = 0, k;
        int *nonzero_bytes = s->nonzero_bytes;
        for (v = 0; v < V; v++) {
            word_t m = L(some)(L(load)(set + 64 * v));
            for (; m; m &= m - 1) nonzero_bytes[n++] = 64 * v + lanes_lowest(m);
        }
        for (g = 0; g < G; g++) {
            ROW x = anew ? L(zero)() : L(load)(from_counts + 64 * g);
            for (k = 0; k < n; k++) {
                size_t j = nonzero_bytes[k];
                ROW d = L(in_byte)(s->table + 64 * g, j, set[j], G, nibbles);
                x = anew ? L(adds)(x, d) : L(sub)(x, d);
            }
            c[g] = x;
        }
    }
    if (full) {
        word_t some = 0;
        for (g = 0; g < G; g++) some |= s->active[(size_t)to * G + g] & L(equal)(c[g], L(fill)(255));
        s->full = some ? to + 1 : to == from ? from : from + 1;
    }
}

/* Take option b and write what remains to level `to`, which may be `from`. Returns 0 as soon as an item has no option
 * left. */
HERE int W(take)(wide_t *s, int from, int to, int b, L(sum_t) *total, ROW *c, int V, int G, int nibbles) {
    const word_t *alive = s->alive + (size_t)from * V * 8;
    word_t *rest = s->alive + (size_t)to * V * 8;
    const word_t *keep = s->compatible + (size_t)b * s->words;
    int v, g, q, gone = 0, kept = 0;
    for (q = V == 1 ? 2 : 0; q < 2; q++) {
        int i = s->suspect[q];
        unsigned some = 0;
        if (!(s->active[(size_t)from * G + (i >> 6)] >> (i & 63) & 1)) continue;
        if (s->held[(size_t)b * G + (i >> 6)] >> (i & 63) & 1) continue;
        for (v = 0; v < V; v++)
            some |= L(words)(L(and)(L(and)(L(load)(alive + 8 * v), L(part)(keep, v, V, s->tail)),
                                    L(part)(s->holders + (size_t)i * s->words, v, V, s->tail)));
        if (!some) {
            if (q) s->suspect[1] = s->suspect[0], s->suspect[0] = i;
            return 0;
        }
    }
    for (v = 0; v < V; v++) {
        ROW a = L(load)(alive + 8 * v);
        ROW n = L(and)(a, L(part)(keep, v, V, s->tail));
        ROW r = L(xor)(a, n);
        L(store)(rest + 8 * v, n);
        L(store)(s->scratch + 64 * v, r);
        gone += lanes_bits(L(some)(r));
        kept += lanes_bits(L(some)(n));
    }
    for (g = 0; g < G; g++)
        s->active[(size_t)to * G + g] = s->active[(size_t)from * G + g] & ~s->held[(size_t)b * G + g];
    W(lower)(s, from, to, gone, kept, c, V, G, nibbles);
    if (!W(choose)(s, to, c, G)) return 0;
    for (g = 0; g < G; g++) L(store)(s->counts + ((size_t)to * G + g) * 64, c[g]);
    if (s->least[to] == 255) W(count_all)(s, to, V);
    for (v = 0; v < V; v++) *total = L(more)(*total, L(load)(s->scratch + 64 * v));
    return 1;
}

/* Hide the ways of the level's item: list them in rows from r on, and remove them from the level. */
HERE int W(hide)(wide_t *s, int level, int r, ROW *c, int V, int G, int nibbles) {
    word_t *alive = s->alive + (size_t)level * V * 8;
    int i = s->item[level], v, g, gone = 0, kept = 0;
    for (v = 0; v < V; v++) {
        ROW a = L(load)(alive + 8 * v);
        ROW x = L(and)(a, L(part)(s->holders + (size_t)i * s->words, v, V, s->tail));
        ROW n = L(xor)(a, x);
        unsigned m = L(words)(x);
        L(store)(alive + 8 * v, n);
        L(store)(s->scratch + 64 * v, x);
        gone += lanes_bits(L(some)(x));
        kept += lanes_bits(L(some)(n));
        for (; m; m &= m - 1) {
            int k = 8 * v + lanes_lowest(m);
            word_t w = ((word_t *)s->scratch)[k];
            for (; w; w &= w - 1) s->rows[r++] = 64 * k + lanes_lowest(w);
        }
    }
    s->active[(size_t)level * G + (i >> 6)] &= ~((word_t)1 << (i & 63));
    W(lower)(s, level, level, gone, kept, c, V, G, nibbles);
    for (g = 0; g < G; g++) {
        L(store)(s->counts + ((size_t)level * G + g) * 64, c[g]);
        s->dead_items[(size_t)level * G + g] = s->active[(size_t)level * G + g] & ~L(some)(c[g]);
    }
    return r;
}

/* For the case that option b leaves no more items than the smallest option holds, so that every option which holds one
 * of them holds all. Returns how many options do; if `list` is set, also writes them into rows from r on. */
HERE int W(last)(wide_t *s, int level, int b, int r, int list, int V, int G) {
    const word_t *alive = s->alive + (size_t)level * V * 8;
    int v, g = 0, k, i;
    word_t rest;
    L(sum_t) sum = L(nothing)();
    while (!(rest = s->active[(size_t)level * G + g] & ~s->held[(size_t)b * G + g])) g++;
    i = 64 * g + lanes_lowest(rest);
    for (v = 0; v < V; v++) {
        ROW x = L(and)(L(and)(L(load)(alive + 8 * v), L(part)(s->compatible + (size_t)b * s->words, v, V, s->tail)),
                       L(part)(s->holders + (size_t)i * s->words, v, V, s->tail));
        if (list) {
            L(store)(s->scratch, x);
            for (k = 0; k < 8; k++) {
                word_t w = ((word_t *)s->scratch)[k];
                for (; w; w &= w - 1) s->rows[r++] = 64 * (8 * v + k) + lanes_lowest(w);
            }
        }
        sum = L(more)(sum, x);
    }
    return (int)L(total)(sum);
}

/* Does what `Bits._run` does. out: nodes, updates, answers, level, depth, state; read and written. */
HERE int W(body)(wide_t *own, long long end, long long until, long long *out, int V, int G, int nibbles) {
    wide_t here = *own, *s = &here;  /* a local copy, so that the compiler need not read pointers again */
    const int counting = s->counting;
    long long nodes = out[0], updates = out[1], answers = out[2];
    int level = (int)out[3], depth = (int)out[4], state = (int)out[5], code = COVR_DONE;
    int *left = s->left, *rows = s->rows, *next = s->next, *last = s->end, *mark = s->mark, *path = s->path;
    const int *begin = s->begin;
    const int smallest = s->smallest;
    ROW c[G];
    L(sum_t) total = L(nothing)();
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
            while (!(m = L(words)(L(and)(L(load)(alive + 8 * v), L(part)(has, v, V, s->tail))))) v++;
            int w = 8 * v + lanes_lowest(m);
            b = 64 * w + lanes_lowest(alive[w] & has[w]);
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
        if (W(take)(s, level, target, b, &total, c, V, G, nibbles)) {
            level = target;
            left[level] = after;
            state = COVR_BITS_ENTER;
        }
    }
    updates += L(total)(total);
    out[0] = nodes, out[1] = updates, out[2] = answers, out[3] = level, out[4] = depth, out[5] = state;
    own->suspect[0] = s->suspect[0], own->suspect[1] = s->suspect[1], own->full = s->full;
    return code;
}

/* For short sets and few items the compiler is told how many there are. */
#define WIDE_NIBBLES (LANES < 512) /* whether there is usually a table of counts */
#define WIDE_FOR(name, V, G, nibbles) \
    LANES_TARGET static int name(wide_t *s, long long e, long long u, long long *o) { return W(body)(s, e, u, o, V, G, nibbles); }
WIDE_FOR(W(1_1), 1, 1, WIDE_NIBBLES)
WIDE_FOR(W(1_2), 1, 2, WIDE_NIBBLES)
WIDE_FOR(W(n_1), s->vectors, 1, WIDE_NIBBLES)
WIDE_FOR(W(n_2), s->vectors, 2, WIDE_NIBBLES)
WIDE_FOR(W(n_n), s->vectors, s->groups, s->nibbles)
#undef WIDE_FOR

static int W(run)(wide_t *s, long long end, long long until, long long *out) {
    if (s->groups > 2 || s->nibbles != WIDE_NIBBLES) return W(n_n)(s, end, until, out);
    if (s->groups == 1) return s->vectors == 1 ? W(1_1)(s, end, until, out) : W(n_1)(s, end, until, out);
    return s->vectors == 1 ? W(1_2)(s, end, until, out) : W(n_2)(s, end, until, out);
}

/* Make the counts of level 0 from its alive options and active items. */
LANES_TARGET static void W(begin)(wide_t *s) {
    int V = s->vectors, G = s->groups, g;
    ROW c[G];
    s->full = 1;
    s->least[0] = 0;
    if (s->left[0] == 0) return;
    W(lower)(s, 0, 0, 0, 0, c, V, G, s->nibbles);
    if (!W(choose)(s, 0, c, G)) s->least[0] = 0;
    else if (s->least[0] == 255) W(count_all)(s, 0, V);
    for (g = 0; g < G; g++) L(store)(s->counts + 64 * g, c[g]);
}

#undef W
#undef WIDE_NIBBLES
#undef ROW
#undef HERE
