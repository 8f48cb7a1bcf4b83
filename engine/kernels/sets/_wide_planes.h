/* Words for _wide_body.h: sets as words of 64 bits, and counts in bit planes. It needs nothing but C. Included once.
 *
 * Plane p of a level holds bit p of every count, so a few operations lower, compare or test 64 counts at once; `high` is
 * the number of planes in use. The options that a node removes are listed, and then subtracted from the counts: seven at
 * a time by full adders, or one by one if there are more than WIDE_DENSE words of items, because the members of an option
 * lie in few of them. As soon as a count is 0, the node is given up.
 *
 * Tried, and not worth it: adding up the options that stay if they are fewer than those that are removed, as
 * _wide_bytes.h does (1.05 times slower).
 */
#define WIDE_DENSE 2
#define WIDE_BRIEF 4 /* words of a set: beyond, rounds are slower than one option after the other */
#define WIDE_LONG 20 /* words of a set: from this on it pays to check the suspects first */

#define ROW word_t
#define ROW_WORDS 1
#define S(name) word_##name
typedef long long word_sum_t;
LANES_INLINE long long word_nothing(void) { return 0; }
LANES_INLINE long long word_more(long long sum, word_t a) { /* few bits are set where this is used */
    for (; a; a &= a - 1) sum++;
    return sum;
}
LANES_INLINE long long word_total(long long sum) { return sum; }

#define WIDE_NIBBLES 0
#define WIDE_SUSPECTS(V) ((V) >= WIDE_LONG)
#define WIDE_SKIPS(a) (!(a))
#define WIDE_ROUNDS(V) ((V) <= WIDE_BRIEF)
#define WIDE_PLANE(s, level, G) ((word_t *)(s)->counts + (size_t)(level) * (s)->planes * (G))

HERE void W(suspect)(wide_t *s, int item) {
    s->suspect[1] = s->suspect[0];
    s->suspect[0] = item;
}

/* The item with the fewest options and their number, the lowest on ties. No count is 0. */
HERE int W(choose)(wide_t *s, int level, const ROW *c, int V, int G) {
    const word_t *active = s->active + (size_t)level * G, *plane = WIDE_PLANE(s, level, G);
    word_t few[2 * WIDE_DENSE], *pick = G <= WIDE_DENSE ? few : s->pick, *next = pick + G;
    int g, p = s->high[level], least = 0;
    (void)c, (void)V;
    for (; p > 3; p--) {
        word_t some = 0;
        for (g = 0; g < G; g++) some |= plane[(p - 1) * G + g] & active[g];
        if (some) break;
    }
    s->high[level] = p;
    for (g = 0; g < G; g++) pick[g] = active[g];
    while (p--) {
        word_t some = 0;
        for (g = 0; g < G; g++) some |= next[g] = pick[g] & ~plane[p * G + g];
        least += least + !some;
        for (g = 0; g < G; g++) pick[g] = some ? next[g] : pick[g];
    }
    for (g = 0; g < G - 1 && !pick[g]; g++) {}
    s->least[level] = least;
    s->item[level] = 64 * g + lanes_lowest(pick[g]);
    return 1;
}

/* List the options of word v that are removed. */
HERE void W(note)(wide_t *s, int v, word_t removed, word_t stays, int *gone, int *kept) {
    const word_t top = (word_t)1 << 63;
    int *list = s->list, r = *gone;
    (void)stays, (void)kept;
    ((word_t *)s->scratch)[v] = removed;
    list[r] = 64 * v + lanes_lowest(removed | top);
    r += removed != 0;
    removed &= removed - 1;
    list[r] = 64 * v + lanes_lowest(removed | top);
    r += removed != 0;
    removed &= removed - 1;
    for (; removed; removed &= removed - 1) list[r++] = 64 * v + lanes_lowest(removed);
    *gone = r;
}

/* Count the root's options from scratch. Returns 0 if an item has none. */
HERE int W(count)(wide_t *s, ROW *c, int V, int G) {
    word_t *plane = WIDE_PLANE(s, 0, G);
    int i, p, v, met = 1;
    (void)c;
    s->high[0] = s->planes;
    s->many[0] = 0;
    for (v = 0; v < V; v++) s->many[0] += lanes_bits(s->alive[v]);
    for (p = 0; p < s->planes * G; p++) plane[p] = 0;
    for (i = 0; i < s->items; i++) {
        const word_t *has = s->holders + (size_t)i * s->words;
        int size = 0;
        if (!(s->active[i >> 6] >> (i & 63) & 1)) continue;
        for (v = 0; v < V; v++) size += lanes_bits(s->alive[v] & has[v]);
        if (size == 0) met = 0;
        for (p = 0; size; p++, size >>= 1) plane[p * G + (i >> 6)] |= (word_t)(size & 1) << (i & 63);
    }
    return met;
}

/* Subtract n listed options from a level's counts, member by member. Returns 0 as soon as an item has no option left,
 * unless `hide` is set. */
HERE int W(one_by_one)(wide_t *s, int level, int n, int hide, int G) {
    const word_t *active = s->active + (size_t)level * G;
    const int high = s->high[level];
    int k, m, p;
    for (k = 0; k < n; k++)
        for (m = s->begin[s->list[k]]; m < s->begin[s->list[k] + 1]; m++) {
            const int g = s->members[m] >> 6;
            const word_t bit = (word_t)1 << (s->members[m] & 63);
            word_t *plane = WIDE_PLANE(s, level, G) + g, x = *plane, some = 0;
            if (!(active[g] & bit)) continue;
            *plane = x ^ bit;
            if (!(x & bit)) {
                do {
                    x = *(plane += G);
                    *plane = x ^ bit;
                } while (!(x & bit));
            } else if (!hide) {
                for (p = 1; p < high; p++) some |= plane[p * G];
                if (some & bit) continue;
                W(suspect)(s, s->members[m]);
                return 0;
            }
        }
    return 1;
}

/* The same, seven options at a time. */
HERE int W(by_sevens)(wide_t *s, int level, int n, int hide, int G) {
    const word_t *held = s->held;
    const int high = s->high[level];
    int *list = s->list, k, g, p;
    for (k = n; k < n + 6; k++) list[k] = s->options; /* which holds no item */
    for (k = 0; k < n; k += 7)
        for (g = 0; g < G; g++) {
            /* The sum of seven options is a + 2 b + 4 c, bit by bit. */
            word_t *plane = WIDE_PLANE(s, level, G) + g, some, m, x, y;
            word_t a = held[list[k] * G + g], b, c = 0;
#define WIDE_TWO_MORE(carry, i) \
            x = held[list[k + i] * G + g], y = held[list[k + i + 1] * G + g], m = a ^ x; \
            carry = (a & x) | (m & y), a = m ^ y;
            WIDE_TWO_MORE(b, 1)
            if (k + 3 < n) {
                word_t d, e;
                WIDE_TWO_MORE(d, 3)
                WIDE_TWO_MORE(e, 5)
                m = b ^ d, c = (b & d) | (m & e), b = m ^ e;
            }
#undef WIDE_TWO_MORE
            x = plane[0], some = plane[0] = x ^ a, m = ~x & a;
            x = plane[G], y = x ^ b, some |= plane[G] = y ^ m, m = (~x & b) | (~y & m);
            x = plane[2 * G], y = x ^ c, some |= plane[2 * G] = y ^ m, m = (~x & c) | (~y & m);
            for (p = 3; p < high; p++) x = plane[p * G], some |= plane[p * G] = x ^ m, m &= ~x;
            x = ~some & s->active[(size_t)level * G + g];
            if (x && !hide) {
                W(suspect)(s, 64 * g + lanes_lowest(x));
                return 0;
            }
        }
    return 1;
}

/* Make the counts of level `to`: those of level `from` less the `gone` options that are listed. Returns 0 as soon as an
 * item has no option left, unless `hide` is set. */
HERE int W(lower)(wide_t *s, int from, int to, int gone, int kept, int hide, ROW *c, int V, int G, int nibbles) {
    int k;
    (void)kept, (void)c, (void)V, (void)nibbles;
    s->many[to] = s->many[from] - gone;
    if (from != to) {
        s->high[to] = s->high[from];
        for (k = 0; k < s->high[to] * G; k++) WIDE_PLANE(s, to, G)[k] = WIDE_PLANE(s, from, G)[k];
    }
    if (G > WIDE_DENSE) return W(one_by_one)(s, to, gone, hide, G);
    return W(by_sevens)(s, to, gone, hide, G);
}

HERE void W(keep)(wide_t *s, int level, const ROW *c, int G) { (void)s, (void)level, (void)c, (void)G; }

/* Per group of 64 items, those still to be covered that have no option. */
HERE word_t W(unmet)(wide_t *s, int level, const ROW *c, int g, int G) {
    const word_t *plane = WIDE_PLANE(s, level, G);
    word_t none = s->active[(size_t)level * G + g];
    int p;
    (void)c;
    for (p = 0; p < s->high[level]; p++) none &= ~plane[p * G + g];
    return none;
}

/* How many options are alive. */
HERE int W(many)(const wide_t *s, int level, int V) { (void)V; return s->many[level]; }

/* Per group of 64 items, those still to be covered that have one option. */
HERE word_t W(ones)(const wide_t *s, int level, int g, int G) {
    const word_t *plane = WIDE_PLANE(s, level, G) + g;
    word_t one = s->active[(size_t)level * G + g] & plane[0];
    int p;
    for (p = 1; p < s->high[level]; p++) one &= ~plane[p * G];
    return one;
}

HERE void W(move)(wide_t *s, int from, int to, const ROW *c, int G) {
    int k;
    (void)c;
    s->many[to] = s->many[from];
    s->high[to] = s->high[from];
    for (k = 0; k < s->high[to] * G; k++) WIDE_PLANE(s, to, G)[k] = WIDE_PLANE(s, from, G)[k];
}
