/* Rows of 64 bytes for _wide_body.h: sets as rows, and counts as bytes. Included once for each back end of _lanes.h.
 *
 * A table (_lanes_table.h) tells how many of the 8 options in a byte of a set hold each item, so
 *
 *     counts -= what the table says of (byte j of a set)
 *
 * subtracts up to 8 options from 64 counts in a few instructions. Counting the alive options from scratch works in the
 * same way, with an addition. Each node does the one of the two that has fewer non-zero bytes to go through. A count of
 * more than 254 is stored as 255, which means "255 or more": a level with such a count (`full`) can only be counted from
 * scratch.
 *
 * Tried, and not worth it: for more than two groups, counts in bit planes on registers of 512 bits, lowered by seven options
 * at a time, as _batch_body.h has them (1.04 times slower on a sudoku of 16 × 16, where a node removes three options: most
 * nodes that are given up are so after a group or two).
 */
#define ROW L(t)
#define ROW_WORDS 8
#define S(name) L(name)
#define WIDE_NIBBLES (LANES < 512)
#define WIDE_SUSPECTS(V) ((V) > 1)
#define WIDE_SKIPS(a) 0
#define WIDE_ROUNDS(V) 1

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

/* Look at the counts of group g, of whose items `active` are to be covered. Returns 0 if one of them has no option.
 * Otherwise writes the lowest that has one to first, if that is -1. */
HERE int W(look)(wide_t *s, word_t active, ROW x, int g, int *first) {
    word_t ones, none = active & ~L(some)(x);
    if (none) {
        s->suspect[1] = s->suspect[0];
        s->suspect[0] = 64 * g + lanes_lowest(none);
        return 0;
    }
    if (*first >= 0) return 1;
    ones = active & L(equal)(x, L(fill)(1));
    if (ones) *first = 64 * g + lanes_lowest(ones);
    return 1;
}

/* The counts of group g: where there are more than two, those of the level. */
HERE ROW W(group)(const wide_t *s, int level, const ROW *c, int g, int G) {
    return G <= 2 ? c[g] : L(load)(s->counts + ((size_t)level * G + g) * 64);
}

/* Write the least count to least and its item, the lowest on ties, to item. Returns 0 if an active item has none. Where
 * there are more than two groups, `lower` has looked at them. */
HERE int W(choose)(wide_t *s, int level, const ROW *c, int V, int G) {
    const word_t *active = s->active + (size_t)level * G;
    int g, least = 1, first = G <= 2 ? -1 : s->first;
    for (g = 0; G <= 2 && g < G; g++)
        if (!W(look)(s, active[g], c[g], g, &first)) return 0;
    if (first < 0) {
        ROW m = L(fill)(255);
        for (g = 0; g < G; g++) m = L(min)(m, L(kept)(active[g], W(group)(s, level, c, g, G)));
        least = L(least)(m);
        for (g = 0; first < 0; g++) {
            word_t at = active[g] & L(equal)(W(group)(s, level, c, g, G), L(fill)(least));
            if (at) first = 64 * g + lanes_lowest(at);
        }
    }
    s->least[level] = least;
    s->item[level] = first;
    if (least == 255) W(count_all)(s, level, V);
    return 1;
}

/* Note the options of row v that are removed, and count the bytes of those and of the options that stay. */
HERE void W(note)(wide_t *s, int v, ROW removed, ROW stays, int *gone, int *kept) {
    L(store)(s->scratch + 64 * v, removed);
    *gone += lanes_bits(L(some)(removed));
    *kept += lanes_bits(L(some)(stays));
}

/* Make the counts of level `to`: those of level `from` less the options in scratch (`gone` bytes of which are not 0),
 * or counted from scratch from its alive set (`kept` bytes of which are not 0). Up to two groups are left in c, which
 * registers hold; more are stored as they are made, and looked at unless options are hidden: returns 0 as soon as an item
 * has none. */
HERE int W(lower)(wide_t *s, int from, int to, int gone, int kept, int hide, ROW *c, int V, int G, int nibbles) {
    const uint8_t *from_counts = s->counts + (size_t)from * G * 64;
    const int full = from < s->full, anew = full || kept < gone;
    const uint8_t *set = anew ? (const uint8_t *)(s->alive + (size_t)to * V * 8) : s->scratch;
    int v, g;
    if (G <= 2) {
        for (g = 0; g < G; g++) c[g] = anew ? L(zero)() : L(load)(from_counts + 64 * g);
        for (v = 0; v < V; v++) {
            word_t m = L(some)(L(load)(set + 64 * v));
            for (; m; m &= m - 1) {
                size_t j = (size_t)64 * v + (unsigned)lanes_lowest(m);
                for (g = 0; g < G; g++) {
                    ROW n = L(in_byte)(s->table + 64 * g, j, set[j], G, nibbles);
                    c[g] = anew ? L(adds)(c[g], n) : L(sub)(c[g], n);
                }
            }
        }
    } else {
        uint8_t *counts = s->counts + (size_t)to * G * 64;
        int n = 0, k, first = -1;
        int *nonzero_bytes = s->nonzero_bytes;
        for (v = 0; v < V; v++) {
            word_t m = L(some)(L(load)(set + 64 * v));
            for (; m; m &= m - 1) nonzero_bytes[n++] = 64 * v + lanes_lowest(m);
        }
        const word_t *active = s->active + (size_t)to * G;
        for (g = 0; g < G; g += 2) { /* two groups at a time, if there are so many */
            const int two = g + 1 < G;
            ROW x, y;
            if (!(active[g] | (two ? active[g + 1] : 0))) continue; /* nobody asks for their counts again */
            x = anew ? L(zero)() : L(load)(from_counts + 64 * g);
            y = anew || !two ? L(zero)() : L(load)(from_counts + 64 * (g + 1));
            for (k = 0; k < n; k++) {
                const size_t j = nonzero_bytes[k];
                const uint8_t *own = s->table + 64 * g;
                ROW d = L(in_byte)(own, j, set[j], G, nibbles);
                x = anew ? L(adds)(x, d) : L(sub)(x, d);
                if (!two) continue;
                d = L(in_byte)(own + 64, j, set[j], G, nibbles);
                y = anew ? L(adds)(y, d) : L(sub)(y, d);
            }
            L(store)(counts + 64 * g, x);
            if (!hide && !W(look)(s, active[g], x, g, &first)) return 0;
            if (!two) break;
            L(store)(counts + 64 * (g + 1), y);
            if (!hide && !W(look)(s, active[g + 1], y, g + 1, &first)) return 0;
        }
        s->first = first;
    }
    if (full) {
        word_t some = 0;
        for (g = 0; g < G; g++) some |= s->active[(size_t)to * G + g] & L(equal)(W(group)(s, to, c, g, G), L(fill)(255));
        s->full = some ? to + 1 : to == from ? from : from + 1;
    }
    return 1;
}

/* Count the root's options from scratch. Returns 0 if an item has none. */
HERE int W(count)(wide_t *s, ROW *c, int V, int G) {
    s->full = 1;
    return W(lower)(s, 0, 0, 0, 0, 0, c, V, G, s->nibbles);
}

/* Store a level's counts, if they are in registers. */
HERE void W(keep)(wide_t *s, int level, const ROW *c, int G) {
    int g;
    for (g = 0; G <= 2 && g < G; g++) L(store)(s->counts + ((size_t)level * G + g) * 64, c[g]);
}

/* Per group of 64 items, those still to be covered that have no option. */
HERE word_t W(unmet)(wide_t *s, int level, const ROW *c, int g, int G) {
    return s->active[(size_t)level * G + g] & ~L(some)(W(group)(s, level, c, g, G));
}

/* How many options are alive. */
HERE int W(many)(const wide_t *s, int level, int V) {
    L(sum_t) sum = L(nothing)();
    int v;
    for (v = 0; v < V; v++) sum = L(more)(sum, L(load)(s->alive + ((size_t)level * V + v) * 8));
    return (int)L(total)(sum);
}

/* Per group, the items still to be covered that have one option. */
HERE word_t W(ones)(const wide_t *s, int level, int g, int G) {
    return s->active[(size_t)level * G + g] & L(equal)(L(load)(s->counts + ((size_t)level * G + g) * 64), L(fill)(1));
}

/* Copy the counts of a level, of which up to two groups are in c. */
HERE void W(move)(wide_t *s, int from, int to, const ROW *c, int G) {
    int g;
    for (g = 0; g < G; g++) L(store)(s->counts + ((size_t)to * G + g) * 64, W(group)(s, from, c, g, G));
}
