/* The search of _batch.h. No header guard: included once for each back end. Sets are rows of ROW_WORDS words. */
#define B(name) LANES_JOIN(batch, LANES, _##name)
#define HERE LANES_INLINE LANES_TARGET
#if LANES == 64
#define ROW word_t
#define ROW_WORDS 1
#define S(name) word_##name
#define NONE ((word_t)0)
#define EVERY (~(word_t)0)
#else
#define ROW L(t)
#define ROW_WORDS 8
#define S(name) L(name)
#define NONE L(zero)()
#define EVERY L(fill)(255)
#endif

/* List the members of a set of so many words. Behind the list there is room for 64 more. Returns how many they are. */
HERE int B(listed)(const word_t *set, int words, int *list) {
    int k, n = 0;
    for (k = 0; k < words; k++) {
#if LANES == 512
        n += lanes512_listed(set[k], 64 * k, list + n);
#else
        word_t x = set[k];
        for (; x; x &= x - 1) list[n++] = 64 * k + lanes_lowest(x);
#endif
    }
    return n;
}

/* Make the counts of a level from those at `from` less the n listed options, or, if `anew` is set, of the listed options
 * alone. Returns 0 as soon as an active item has no option; 1 if none has just one; else 2, and leaves those in `ones`.
 * Seven options at a time are added up by full adders: subtracted, because every bit of a count is turned over. */
HERE int B(lower)(batch_t *s, const word_t *from, int level, int n, int anew, int G, int P) {
    const int across = G * ROW_WORDS;
    const word_t *held = s->held, *active = s->active + (size_t)level * across;
    word_t *to = s->counts + (size_t)level * across * P;
    int *list = s->list, k, g, p, some = 1;
    for (k = n; k < n + 6; k++) list[k] = s->options; /* which holds no item */
    for (g = 0; g < G; g++) {
        ROW plane[BATCH_PLANES];
        const word_t *own = held + g * ROW_WORDS;
        for (p = 0; p < P; p++) plane[p] = anew ? NONE : S(load)(from + p * across + g * ROW_WORDS);
#define HELD(j) S(load)(own + (size_t)list[k + j] * across)
        for (k = 0; k < n; k += 7) {
            ROW a = HELD(0), x = HELD(1), y = HELD(2), b, c, d, e, m;
            b = S(most)(a, x, y), a = S(odd)(a, x, y), x = HELD(3), y = HELD(4);
            d = S(most)(a, x, y), a = S(odd)(a, x, y), x = HELD(5), y = HELD(6);
            e = S(most)(a, x, y), a = S(odd)(a, x, y);
            c = S(most)(b, d, e), b = S(odd)(b, d, e);
            m = S(and)(plane[0], a), plane[0] = S(xor)(plane[0], a);
            x = S(most)(plane[1], b, m), plane[1] = S(odd)(plane[1], b, m);
            m = S(most)(plane[2], c, x), plane[2] = S(odd)(plane[2], c, x);
            for (p = 3; p < P; p++) x = S(and)(plane[p], m), plane[p] = S(xor)(plane[p], m), m = x;
        }
#undef HELD
        ROW one = S(load)(active + g * ROW_WORDS);
        if (anew) for (p = 0; p < P; p++) plane[p] = S(xor)(plane[p], EVERY);
        for (p = 1; p < P; p++) one = S(and)(one, plane[p]);
        if (S(words)(S(and)(one, plane[0]))) return 0;
        one = S(without)(plane[0], one);
        if (S(words)(one)) some = 2;
        S(store)(s->ones + g * ROW_WORDS, one);
        for (p = 0; p < P; p++) S(store)(to + p * across + g * ROW_WORDS, plane[p]);
    }
    return some;
}

/* Take option b: level `to`, which may be `from`, is what it leaves of `from`. */
HERE void B(take)(batch_t *s, int from, int to, int b, int V, int G) {
    const size_t stride = (size_t)V * ROW_WORDS, across = (size_t)G * ROW_WORDS;
    const word_t *keep = s->compatible + (size_t)b * s->words, *own = s->held + b * across;
    int v, g;
    for (v = 0; v < V; v++)
        S(store)(s->alive + to * stride + v * ROW_WORDS,
                 S(and)(S(load)(s->alive + from * stride + v * ROW_WORDS), S(part)(keep, v, V, s->tail)));
    for (g = 0; g < G; g++)
        S(store)(s->active + to * across + g * ROW_WORDS,
                 S(without)(S(load)(own + g * ROW_WORDS), S(load)(s->active + from * across + g * ROW_WORDS)));
}

/* The counts of a level whose options were `size` in number, and are now what `before` has and `alive` has. */
HERE int B(counted)(batch_t *s, const word_t *counts, int level, int size, int V, int G, int P) {
    const word_t *alive = s->alive + (size_t)level * V * ROW_WORDS;
    int v, gone = 0, anew;
    for (v = 0; v < V; v++) {
        ROW a = S(load)(s->before + v * ROW_WORDS);
        S(store)(s->before + v * ROW_WORDS, S(xor)(a, S(load)(alive + v * ROW_WORDS)));
    }
    gone = B(listed)(s->before, s->words, s->list);
    size -= gone;
    s->size[level] = size;
    anew = size < gone;
    if (anew) gone = B(listed)(alive, s->words, s->list);
    return B(lower)(s, counts, level, gone, anew, G, P);
}

HERE void B(remember)(batch_t *s, int level, int V) {
    int v;
    for (v = 0; v < V; v++)
        S(store)(s->before + v * ROW_WORDS, S(load)(s->alive + ((size_t)level * V + v) * ROW_WORDS));
}

/* The first option of item i that is alive, of which there is one. */
HERE int B(own)(const batch_t *s, const word_t *alive, int i, int V) {
    const word_t *has = s->holders + (size_t)i * s->words;
    unsigned m = 0;
    int v = V > 2 ? s->first[i] : 0, w;
    if (V == 2) { /* without a branch */
        m = S(words)(S(and)(S(load)(alive), S(part)(has, 0, V, s->tail)));
        m |= S(words)(S(and)(S(load)(alive + ROW_WORDS), S(part)(has, 1, V, s->tail))) << ROW_WORDS;
    } else {
        while (!(m = S(words)(S(and)(S(load)(alive + v * ROW_WORDS), S(part)(has, v, V, s->tail))))) v++;
    }
    w = ROW_WORDS * v + lanes_lowest(m);
    return 64 * w + lanes_lowest(alive[w] & has[w]);
}

/* Make the current instance the first level. Returns as `lower`. */
HERE int B(set_up)(batch_t *s, int instance, int V, int G, int P) {
    const int *given = s->givens + s->given_from[instance], *last = s->givens + s->given_from[instance + 1];
    word_t *alive = s->alive, *taken = s->taken;
    int v, g;
    for (v = 0; v < V; v++) {
        ROW a = S(load)(s->full + v * ROW_WORDS);
        S(store)(alive + v * ROW_WORDS, a), S(store)(s->before + v * ROW_WORDS, a), S(store)(taken + v * ROW_WORDS, NONE);
    }
    for (g = 0; g < G; g++) S(store)(s->active + g * ROW_WORDS, S(load)(s->all + g * ROW_WORDS));
    for (; given < last; given++) {
        if (*given < 0) continue;
        const int b = s->renumber[*given];
        if (b == BATCH_OWN || (b >= 0 && taken[b >> 6] >> (b & 63) & 1)) continue;
        if (b == BATCH_OUT || !(alive[b >> 6] >> (b & 63) & 1)) return 0;
        taken[b >> 6] |= (word_t)1 << (b & 63);
        B(take)(s, 0, 0, b, V, G);
    }
    return B(counted)(s, s->root, 0, s->options, V, G, P);
}

/* Take every item's only option until no item has just one, in rounds: no option that a round takes depends on another, so
 * that the processor looks for several at once. some: what `lower` said. Returns 0 if there is no answer, 1 if there may
 * be, 2 if this is one. */
HERE int B(settle)(batch_t *s, int level, int some, int *depth, long long *nodes, int V, int G, int P) {
    word_t *alive = s->alive + (size_t)level * V * ROW_WORDS, *active = s->active + (size_t)level * G * ROW_WORDS;
    int g, v, k, b;
    if (!some) return 0;
    while (some == 2) {
        const int items = B(listed)(s->ones, (s->items + 63) / 64, s->list);
        for (v = 0; v < V; v++) {
            S(store)(s->before + v * ROW_WORDS, S(load)(alive + v * ROW_WORDS));
            S(store)(s->chosen + v * ROW_WORDS, NONE);
        }
        int *taken = s->path + *depth, options = 0;
        for (k = 0; k < items; k++) { /* each option once, and without a branch for that, too */
            b = B(own)(s, alive, s->list[k], V);
            const word_t bit = (word_t)1 << (b & 63), had = s->chosen[b >> 6];
            taken[options] = b;
            options += !(had & bit);
            s->chosen[b >> 6] = had | bit;
        }
        word_t all = 1;
        *depth += options;
        ++*nodes;
        for (k = 0; k < options; k++) {
            b = taken[k];
            all &= alive[b >> 6] >> (b & 63);
            B(take)(s, level, level, b, V, G);
        }
        if (!(all & 1)) return 0;
        some = B(counted)(s, s->counts + (size_t)level * G * ROW_WORDS * P, level, s->size[level], V, G, P);
        if (!some) return 0;
        *nodes += options - 1;
    }
    for (g = 0; g < G; g++)
        if (S(words)(S(load)(active + g * ROW_WORDS))) return 1;
    return 2;
}

/* The item with the fewest options, the lowest on ties. */
HERE int B(choose)(batch_t *s, int level, int G, int P) {
    const int across = G * ROW_WORDS;
    const word_t *active = s->active + (size_t)level * across, *plane = s->counts + (size_t)level * across * P;
    word_t *pick = s->pick, *next = s->pick + across;
    int g, p = P, w = 0;
    if (G == 1) {
        ROW one = S(load)(active);
        while (p--) {
            ROW less = S(and)(one, S(load)(plane + p * across));
            one = S(words)(less) ? less : one;
        }
        S(store)(pick, one);
    } else {
        for (g = 0; g < G; g++) S(store)(pick + g * ROW_WORDS, S(load)(active + g * ROW_WORDS));
        while (p--) {
            unsigned some = 0;
            for (g = 0; g < G; g++) {
                ROW less = S(and)(S(load)(pick + g * ROW_WORDS), S(load)(plane + p * across + g * ROW_WORDS));
                S(store)(next + g * ROW_WORDS, less);
                some |= S(words)(less);
            }
            for (g = 0; some && g < G; g++) S(store)(pick + g * ROW_WORDS, S(load)(next + g * ROW_WORDS));
        }
    }
    while (!pick[w]) w++;
    return 64 * w + lanes_lowest(pick[w]);
}

/* List the options of item i in rows, from r on, in their order or a random one. Returns where they end. */
HERE int B(ways)(batch_t *s, int level, int i, int r, int V) {
    const word_t *alive = s->alive + (size_t)level * V * ROW_WORDS, *has = s->holders + (size_t)i * s->words;
    const int first = s->first[i] * ROW_WORDS, past = s->past[i] * ROW_WORDS, begin = r;
    int w, k, b;
    for (w = first; w < past && w < s->words; w++) {
        word_t x = alive[w] & has[w];
        for (; x; x &= x - 1) s->rows[r++] = 64 * w + lanes_lowest(x);
    }
    for (k = r - 1; s->random && k > begin; k--) {
        s->random = batch_random(s->random);
        w = begin + (int)(s->random % (word_t)(k - begin + 1));
        b = s->rows[k], s->rows[k] = s->rows[w], s->rows[w] = b;
    }
    return r;
}

/* Keep the answer just found, in the order of its options. Returns whether the instance has as many as are wanted. */
HERE int B(keep_answer)(batch_t *s, int instance, int depth, long long *where, int V) {
    word_t *taken = s->taken;
    int *answers = s->answers, filled = (int)where[COVR_BATCH_FILLED], k, w;
    for (k = 0; k < depth; k++) taken[s->path[k] >> 6] |= (word_t)1 << (s->path[k] & 63);
    for (w = 0; w < V * ROW_WORDS; w++) {
        word_t x = taken[w];
        for (; x; x &= x - 1) answers[filled++] = s->numbers[64 * w + lanes_lowest(x)];
    }
    for (k = 0; k < depth; k++) taken[s->path[k] >> 6] ^= (word_t)1 << (s->path[k] & 63);
    where[COVR_BATCH_FILLED] = filled;
    s->answer_end[where[COVR_BATCH_KEPT]++] = filled;
    return ++s->found[instance] >= s->limit;
}

HERE void B(body)(batch_t *own, long long end, long long *where, int V, int G, int P) {
    batch_t here = *own, *s = &here; /* a local copy, so that the compiler need not read pointers again */
    long long nodes = where[COVR_BATCH_NODES], give_up = where[COVR_BATCH_GIVE_UP];
    int instance = (int)where[COVR_BATCH_INSTANCE], state = (int)where[COVR_BATCH_STATE];
    int level = (int)where[COVR_BATCH_LEVEL], depth = 0, some, r;
    while (state != COVR_BATCH_END) {
        if (state == COVR_BATCH_LOAD) {
            if (instance == s->instances) { state = COVR_BATCH_END; break; }
            if (nodes >= end) break;
            give_up = nodes + s->budget;
            where[COVR_BATCH_KEPT_BEFORE] = where[COVR_BATCH_KEPT];
            where[COVR_BATCH_FILLED_BEFORE] = where[COVR_BATCH_FILLED];
            nodes++;
            level = depth = 0;
            some = B(set_up)(s, instance, V, G, P);
        } else {
            if (level < 0) {
                instance++;
                state = COVR_BATCH_LOAD;
                continue;
            }
            r = s->next[level];
            if (r == s->end[level]) { level--; continue; }
            if (nodes >= end) break;
            if (nodes >= give_up) {
                s->found[instance++] = -1;
                where[COVR_BATCH_KEPT] = where[COVR_BATCH_KEPT_BEFORE];
                where[COVR_BATCH_FILLED] = where[COVR_BATCH_FILLED_BEFORE];
                state = COVR_BATCH_LOAD;
                continue;
            }
            nodes++;
            const int b = s->rows[r++], from = level;
            s->next[level] = r;
            depth = s->mark[level];
            s->path[depth++] = b;
            B(remember)(s, level, V);
            if (r < s->end[level]) level++; /* the last way needs no copy: the level is finished when this way is */
            B(take)(s, from, level, b, V, G);
            some = B(counted)(s, s->counts + (size_t)from * G * ROW_WORDS * P, level, s->size[from], V, G, P);
        }
        state = COVR_BATCH_NEXT;
        some = B(settle)(s, level, some, &depth, &nodes, V, G, P);
        if (some == 1) {
            r = level > 0 ? s->end[level - 1] : 0;
            s->next[level] = r;
            s->mark[level] = depth;
            s->end[level] = B(ways)(s, level, B(choose)(s, level, G, P), r, V);
        } else if (some == 2 && B(keep_answer)(s, instance, depth, where, V)) {
            instance++;
            state = COVR_BATCH_LOAD;
        } else {
            level--;
        }
    }
    own->random = s->random;
    where[COVR_BATCH_NODES] = nodes, where[COVR_BATCH_GIVE_UP] = give_up, where[COVR_BATCH_INSTANCE] = instance;
    where[COVR_BATCH_STATE] = state, where[COVR_BATCH_LEVEL] = level;
}

/* For short sets, few items and small counts the compiler is told how many there are. */
#define BATCH_FOR(name, V, G, P) \
    LANES_TARGET static void name(batch_t *s, long long end, long long *where) { B(body)(s, end, where, V, G, P); }
#if LANES > 128 || !COVR_LANES_X86 /* as in _wide_body.h */
BATCH_FOR(B(2_1_4), 2, 1, 4)
BATCH_FOR(B(n_1_4), s->vectors, 1, 4)
#endif
BATCH_FOR(B(n_n_n), s->vectors, s->groups, s->planes)
#undef BATCH_FOR

static void B(run)(batch_t *s, long long end, long long *where) {
#if LANES > 128 || !COVR_LANES_X86
    if (s->groups == 1 && s->planes == 4) {
        if (s->vectors == 2) B(2_1_4)(s, end, where);
        else B(n_1_4)(s, end, where);
        return;
    }
#endif
    B(n_n_n)(s, end, where);
}

#undef B
#undef HERE
#undef S
#undef ROW
#undef ROW_WORDS
#undef NONE
#undef EVERY
