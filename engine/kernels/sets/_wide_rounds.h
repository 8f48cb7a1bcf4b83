/* Forced options taken several at a time, for _wide_body.h. No header guard: included once for each back end.
 *
 * Where items have one option each, all these options are taken in one round, and only then is counted again; so on,
 * until every item has several, or none is left. The rounds go on in a spare level: if an item runs out of options, the
 * level is as it was, and its forced options are taken one by one, as they are where rounds do not pay. So there are the
 * same nodes as without rounds, and a slice ends at the same node.
 *
 * Measured beside one option after the other (AVX-512): all Latin squares of side 5 in 0.59 of the time, Steiner triples
 * of 9 points 0.6, sudoku 9 × 9 0.78, sudoku 16 × 16 0.88; 0.97 to 1.03 where options are forced one at a time.
 *
 * Tried, and not worth it: rounds for every item that is forced (tilings 1.06, random problems 1.35 times slower, because
 * most of them fail: hence `trust`); for sudokus of 16 × 16, counts in bit planes on registers, lowered by seven options at
 * a time, as _batch_body.h has them (0.75 of the time there, but 1.5 to 1.7 times slower on dominoes 12 × 12, trominoes 15
 * × 15 and 70 queens, where a node removes few options of long sets).
 */

/* List the members of a set of so many words. Behind the list there is room for 8 more. Returns how many they are. */
HERE int W(listed)(const word_t *set, int words, int *list) {
    int k, n = 0;
#if LANES == 512
    if (words <= 16) { /* without a branch for each */
        for (k = 0; k < words; k++) n += lanes512_listed(set[k], 64 * k, list + n);
        return n;
    }
#endif
    for (k = 0; k < words; k++) {
        word_t w = set[k];
        for (; w; w &= w - 1) list[n++] = 64 * k + lanes_lowest(w);
    }
    return n;
}

/* Whether options exclude each other only over items that both hold. */
HERE int W(is_pure)(wide_t *s) {
    if (s->pure < 0) s->pure = wide_is_pure(s);
    return s->pure;
}

/* Write the only options of the items that have one as a set to `chosen`, and behind those listed. Returns how many are
 * listed then. */
HERE int W(forced)(wide_t *s, const word_t *alive, ROW *chosen, int *path, int taken, int V, int G) {
    const int items = W(listed)(s->ones, G, s->single);
    int k, v;
    for (v = 0; v < V; v++) chosen[v] = S(load)(alive + ROW_WORDS * v);
    for (k = 0; k < items; k++) {
        const word_t *has = s->holders + (size_t)s->single[k] * s->words;
        for (v = 0; v < V; v++) chosen[v] = S(without)(S(part)(has, v, V, s->tail), chosen[v]);
    }
    for (v = 0; v < V; v++) {
        chosen[v] = S(xor)(chosen[v], S(load)(alive + ROW_WORDS * v));
        S(store)(s->scratch + 8 * ROW_WORDS * v, chosen[v]);
    }
    return taken + W(listed)((const word_t *)s->scratch, s->words, path + taken);
}

/* Take forced options in rounds. Returns 1 if every item has several options then, and the level is what is left; 2 if every
 * item is covered; 0 if some item has no option, or if more than `most` options would be taken, and then the level is as
 * before. The options taken are written to the path from `depth` on, except for those of an answer if `count` is set.
 * rest: how many items are to be covered; taken: how many options are. Both are written. */
HERE int W(settle)(wide_t *s, int level, int depth, long long most, int count, int *rest, int *taken, ROW *c, int V, int G,
                   int nibbles) {
    const int to = s->spare;
    int from = level, left = s->left[level], options = 0, v, g, k;
    ROW few[4 * WIDE_FEW]; /* sets that stay in registers */
    ROW *chosen = V <= WIDE_FEW ? few : (ROW *)s->sets, *unseen = chosen + V, *clash = chosen + 2 * V, *keep = chosen + 3 * V;
    int *path = s->path + depth;
    word_t *rest_alive = s->alive + (size_t)to * V * ROW_WORDS, *rest_active = s->active + (size_t)to * G;
    do {
        const word_t *alive = s->alive + (size_t)from * V * ROW_WORDS, *active = s->active + (size_t)from * G;
        const int first = options;
        word_t other = 0;
        unsigned clashes = 0;
        int gone = 0, kept = 0;
        for (g = 0; g < G; g++) {
            s->ones[g] = W(ones)(s, from, g, G);
            other |= active[g] ^ s->ones[g];
        }
        if (!other && count && W(is_pure)(s)) { /* no two of the options hold the same item, so all are taken */
            options += W(many)(s, from, V);
            if (options > most) return 0;
            *taken = options;
            return 2;
        }
        options = W(forced)(s, alive, chosen, path, options, V, G);
        if (options > most) return 0;
        for (v = 0; v < V; v++) {
            keep[v] = S(load)(alive + ROW_WORDS * v);
            unseen[v] = chosen[v];
            clash[v] = S(xor)(chosen[v], chosen[v]);
        }
        for (g = 0; g < G; g++) rest_active[g] = active[g];
        for (k = first; k < options; k++) {
            const int b = path[k];
            left -= s->begin[b + 1] - s->begin[b];
            for (g = 0; g < G; g++) rest_active[g] &= ~s->held[(size_t)b * G + g];
            for (v = 0; v < V; v++) { /* of those chosen it excludes itself; others only if they are excluded twice */
                const ROW fits = S(part)(s->compatible + (size_t)b * s->words, v, V, s->tail);
                const ROW out = S(without)(fits, chosen[v]), again = S(without)(unseen[v], out);
                clash[v] = S(xor)(clash[v], S(without)(clash[v], again));
                unseen[v] = S(without)(out, unseen[v]);
                keep[v] = S(and)(keep[v], fits);
            }
        }
        for (v = 0; v < V; v++) clashes |= S(words)(clash[v]);
        if (clashes) return 0;
        *taken = options;
        if (left == 0) return 2;
        for (v = 0; v < V; v++) {
            const ROW a = S(load)(alive + ROW_WORDS * v);
            S(store)(rest_alive + ROW_WORDS * v, keep[v]);
            W(note)(s, v, S(xor)(a, keep[v]), keep[v], &gone, &kept);
        }
        if (!W(lower)(s, from, to, gone, kept, 0, c, V, G, nibbles)) return 0;
        if (!W(choose)(s, to, c, V, G)) return 0;
        W(keep)(s, to, c, G);
        from = to;
    } while (s->least[to] == 1);
    for (v = 0; v < V; v++)
        S(store)(s->alive + ((size_t)level * V + v) * ROW_WORDS, S(load)(rest_alive + ROW_WORDS * v));
    for (g = 0; g < G; g++) s->active[(size_t)level * G + g] = rest_active[g];
    W(move)(s, to, level, c, G);
    s->least[level] = s->least[to], s->item[level] = s->item[to];
    *rest = left;
    return 1;
}
