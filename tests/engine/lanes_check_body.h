/* One back end against plain bytes: see lanes_check.c. */
#define SAME(what, row, expression) do { \
    ROW result = (row); \
    L(store)(&got, result); \
    for (k = 0; k < 64; k++) { \
        const int x = a.at[k], y = b.at[k]; \
        (void)x, (void)y; \
        if (got.at[k] != (unsigned char)(expression)) return wrong(what, LANES); \
    } } while (0)
#define MASK(what, mask, expression) do { \
    const word_t result = (mask); \
    for (k = 0; k < 64; k++) { \
        const int x = a.at[k], y = b.at[k]; \
        (void)x, (void)y; \
        if ((int)(result >> k & 1) != (expression)) return wrong(what, LANES); \
    } } while (0)
#define ROW L(t)
#define BIT(bits) ((int)((bits) >> k & 1))

LANES_TARGET static int LANES_JOIN(check, LANES, )(bytes_t a, bytes_t b) {
    static word_t memory[48];
    unsigned char *room = (unsigned char *)(((uintptr_t)memory + 63) & ~(uintptr_t)63); /* four rows, aligned */
    bytes_t got __attribute__((aligned(64)));
    word_t bits;
    int k, j, least = 255;
    long long ones = 0;
    memcpy(room, &a, 64), memcpy(room + 64, &b, 64), memcpy(&bits, &b, 8);
    ROW p = L(load)(room), q = L(load)(room + 64);
    for (k = 0; k < 64; k++) {
        if (a.at[k] < least) least = a.at[k];
        ones += __builtin_popcount(a.at[k]);
    }
    SAME("zero", L(zero)(), 0);
    SAME("fill", L(fill)(b.at[0]), b.at[0]);
    SAME("part", L(part)((word_t *)room, 0, 2, 0xFF), x);
    SAME("and", L(and)(p, q), x & y);
    SAME("without", L(without)(p, q), ~x & y);
    SAME("xor", L(xor)(p, q), x ^ y);
    SAME("odd", L(odd)(p, q, L(fill)(b.at[3])), x ^ y ^ b.at[3]);
    SAME("most", L(most)(p, q, L(fill)(b.at[3])), (x & y) | (x & b.at[3]) | (y & b.at[3]));
    SAME("add", L(add)(p, q), x + y);
    SAME("adds", L(adds)(p, q), x + y > 255 ? 255 : x + y);
    SAME("sub", L(sub)(p, q), x - y);
    SAME("min", L(min)(p, q), x < y ? x : y);
    SAME("kept", L(kept)(bits, p), BIT(bits) ? x : 255);
    SAME("lowered", L(lowered)(bits, p), x - BIT(bits));
    SAME("eased", L(eased)(bits, p), BIT(bits) && x ? x - 1 : x);
    SAME("counted", L(counted)(b.at[7], p), __builtin_popcount(x & b.at[7]));
    MASK("some", L(some)(p), x != 0);
    MASK("equal", L(equal)(p, q), x == y);
    MASK("above", L(above)(p, q), x > y);
    for (j = 0; j < 8; j++) {
        word_t word;
        memcpy(&word, a.at + 8 * j, 8);
        if ((int)(L(words)(p) >> j & 1) != (word != 0)) return wrong("words", LANES);
    }
    if (L(least)(p) != least) return wrong("least", LANES);
    if (L(total)(L(more)(L(more)(L(nothing)(), p), p)) != 2 * ones) return wrong("total", LANES);
    return 0;
}
#undef SAME
#undef MASK
#undef ROW
#undef BIT
