/* The search of _multiplicity.h, written in the rows of _lanes.h. No header guard: included once for each back end. */
#define M(name) LANES_JOIN(multiplicity, LANES, _##name)
#define ROW L(t)
#define HERE LANES_INLINE LANES_TARGET

/* Choose the level's item. Its counts and needs must be up to date. */
HERE void M(choose)(multiplicity_t *s, int level, int G) {
    const uint8_t *counts = s->counts + (size_t)level * G * 64, *needs = s->needs + (size_t)level * G * 64;
    ROW least = L(fill)(255);
    int g;
    word_t some = 0;
    s->item[level] = -1;
    s->starved[level] = 1;
    for (g = 0; g < G; g++) {
        ROW n = L(load)(needs + 64 * g), c = L(load)(counts + 64 * g);
        word_t unmet = L(some)(n);
        if (L(above)(n, c)) return;
        some |= unmet;
        least = L(min)(least, L(kept)(unmet, L(sub)(c, n)));
    }
    s->starved[level] = 0;
    if (!some) return;
    int slack = L(least)(least);
    for (g = 0;; g++) {
        ROW n = L(load)(needs + 64 * g), c = L(load)(counts + 64 * g);
        word_t at = L(some)(n) & L(equal)(L(sub)(c, n), L(fill)(slack));
        if (at) {
            s->item[level] = 64 * g + lanes_lowest(at);
            s->ways[level] = slack + 1;
            return;
        }
    }
}

/* Remove option o from the level for good. */
HERE void M(exclude)(multiplicity_t *s, int level, int o, int V, int G) {
    int g;
    s->alive[(size_t)level * V * 8 + (o >> 6)] &= ~((word_t)1 << (o & 63));
    s->starved[level] = 0;
    for (g = 0; g < G; g++) {
        uint8_t *counts = s->counts + ((size_t)level * G + g) * 64;
        ROW c = L(lowered)(s->held[(size_t)o * G + g], L(load)(counts));
        L(store)(counts, c);
        if (L(above)(L(load)(s->needs + ((size_t)level * G + g) * 64), c)) s->starved[level] = 1;
    }
}

/* Take option o, which was removed from the level, and write what remains to level + 1. Returns how many options that
 * removes. */
HERE int M(take)(multiplicity_t *s, int level, int o, int V, int G) {
    const word_t *alive = s->alive + (size_t)level * V * 8;
    word_t *rest = s->alive + (size_t)(level + 1) * V * 8;
    int v, g, gone = 0, kept = 0;
    for (v = 0; v < V; v++)
        L(store)(rest + 8 * v, L(and)(L(load)(alive + 8 * v), L(part)(s->compatible + (size_t)o * s->words, v, V, s->tail)));
    for (g = 0; g < G; g++) {
        size_t at = ((size_t)level * G + g) * 64, to = at + (size_t)G * 64;
        word_t held = s->held[(size_t)o * G + g], narrow = held & s->narrow[g];
        ROW room = L(lowered)(narrow, L(load)(s->rooms + at));
        word_t full = narrow & ~L(some)(room);
        L(store)(s->rooms + to, room);
        L(store)(s->needs + to, L(eased)(held, L(load)(s->needs + at)));
        for (; full; full &= full - 1) {
            const word_t *has = s->holders + (size_t)(64 * g + lanes_lowest(full)) * s->words;
            for (v = 0; v < V; v++)
                L(store)(rest + 8 * v, L(without)(L(part)(has, v, V, s->tail), L(load)(rest + 8 * v)));
        }
    }
    L(sum_t) sum = L(nothing)();
    for (v = 0; v < V; v++) {
        ROW n = L(load)(rest + 8 * v), r = L(xor)(L(load)(alive + 8 * v), n);
        L(store)(s->scratch + 64 * v, r);
        gone += lanes_bits(L(some)(r));
        kept += lanes_bits(L(some)(n));
        sum = L(more)(sum, r);
    }
    const int anew = kept < gone;
    const uint8_t *set = anew ? (const uint8_t *)rest : s->scratch;
    for (g = 0; g < G; g++) {
        size_t at = ((size_t)level * G + g) * 64;
        ROW c = anew ? L(zero)() : L(load)(s->counts + at);
        for (v = 0; v < V; v++) {
            word_t m = L(some)(L(load)(set + 64 * v));
            for (; m; m &= m - 1) {
                size_t j = (size_t)64 * v + (unsigned)lanes_lowest(m);
                ROW d = L(in_byte)(s->table + 64 * g, j, set[j], G, s->nibbles);
                c = anew ? L(add)(c, d) : L(sub)(c, d);
            }
        }
        L(store)(s->counts + at + (size_t)G * 64, c);
    }
    M(choose)(s, level + 1, G);
    return (int)L(total)(sum);
}

/* The lowest option in a level's alive set and in `among`, if given; -1 if there is none. */
HERE int M(lowest)(const multiplicity_t *s, int level, const word_t *among, int V) {
    const word_t *alive = s->alive + (size_t)level * V * 8;
    int v;
    for (v = 0; v < V; v++) {
        ROW x = L(load)(alive + 8 * v);
        if (among) x = L(and)(x, L(part)(among, v, V, s->tail));
        unsigned m = L(words)(x);
        if (m) {
            int w = 8 * v + lanes_lowest(m);
            return 64 * w + lanes_lowest(among ? alive[w] & among[w] : alive[w]);
        }
    }
    return -1;
}

/* The search. out: nodes, updates, answers, level, state; read and written. */
HERE int M(body)(multiplicity_t *own, long long end, long long until, long long *out, int V, int G) {
    multiplicity_t here = *own, *s = &here;
    long long nodes = out[0], updates = out[1], answers = out[2];
    int level = (int)out[3], state = (int)out[4], code = COVR_DONE;
    while (state != COVR_MULTIPLICITY_END) {
        if (state == COVR_MULTIPLICITY_NEXT) {
            int i = s->item[level], o;
            if (s->starved[level]) { state = COVR_MULTIPLICITY_BACK; continue; }
            o = M(lowest)(s, level, i < 0 ? 0 : s->holders + (size_t)i * s->words, V);
            if (o < 0) {
                state = COVR_MULTIPLICITY_BACK;
                if (++answers >= until) { code = COVR_FOUND; break; }
                continue;
            }
            s->weight[level + 1] = s->weight[level] / (i < 0 ? 2 : s->ways[level]--);
            s->weight[level] -= s->weight[level + 1];
            M(exclude)(s, level, o, V, G);
            updates += 1 + M(take)(s, level, o, V, G);
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

LANES_TARGET static int M(n_n)(multiplicity_t *s, long long e, long long u, long long *o) { return M(body)(s, e, u, o, s->vectors, s->groups); }
#if LANES > 128 || !COVR_LANES_X86 /* as in _wide_body.h */
LANES_TARGET static int M(1_1)(multiplicity_t *s, long long e, long long u, long long *o) { return M(body)(s, e, u, o, 1, 1); }
LANES_TARGET static int M(1_2)(multiplicity_t *s, long long e, long long u, long long *o) { return M(body)(s, e, u, o, 1, 2); }
#endif

static int M(run)(multiplicity_t *s, long long end, long long until, long long *out) {
#if LANES > 128 || !COVR_LANES_X86
    if (s->vectors == 1 && s->groups == 1) return M(1_1)(s, end, until, out);
    if (s->vectors == 1 && s->groups == 2) return M(1_2)(s, end, until, out);
#endif
    return M(n_n)(s, end, until, out);
}

LANES_TARGET static void M(begin)(multiplicity_t *s) { M(choose)(s, 0, s->groups); }

#undef M
#undef ROW
#undef HERE
