/* Rows of 64 bytes, as wide as the processor allows: what _wide.h and _multiplicity.h are written in.
 *
 * A row is 64 counts, or a set of 512 options. There are four back ends, named after the bits of a register:
 *
 *     512  AVX-512 with BITALG (Intel since Ice Lake, AMD since Zen 4): one register
 *     256  AVX2 (nearly every other x86-64 of the last ten years): two
 *     128  SSE 4.2 (every x86-64 since 2011), NEON (every arm64) or SIMD128 (browsers since 2021 to 2023): four
 *     64   plain C: eight words, each with eight bytes side by side
 *
 * `lanes_widest` tells which one the processor has. A file that uses rows sets LANES and LANES_TARGET, and is included
 * once for each back end; L(name) is the back end's function of that name:
 *
 *     zero, fill(byte)                   all 0; all equal to a byte
 *     load, store                        from and to an address that is a multiple of 64
 *     part(set, v, V, tail)              the v-th of V rows of a set, at any address. Only 512 leaves out the words
 *                                        that are not in `tail`; the others read up to 7 words behind a set, which must
 *                                        exist, and whose value must not matter
 *     and, without, xor                  bit by bit; without(a, b) is what b has and a has not
 *     odd, most                          of three, bit by bit: their sum, and what is carried: a full adder
 *     add, adds, sub, min                byte by byte; adds stops at 255
 *     kept(bits, a)                      a where a bit is set, else 255
 *     lowered, eased(bits, a)            a, less 1 where a bit is set; eased stops at 0
 *     some, equal, above                 a bit per byte: not 0; equal; greater (without sign)
 *     words                              a bit per word of 64 bits: not 0
 *     least                              the least byte
 *     counted(byte, row)                 per byte of the row, how many of its bits are in the byte
 *     sum_t, nothing, more, total        adds up how many bits are set: nothing() is 0; more(s, row); total(s)
 *
 * Measured on nine problems of `python -m benchmarks exact` (a Zen 4, all back ends in one run), the time of the search
 * of exact covers as a multiple of AVX-512's: AVX2 1.1 in the geometric mean and 1.6 at worst (pentominoes on a
 * chessboard), SSE 1.4. Plain C took 5.5, so that search does without it: in words of 64 bits it counts in bit planes
 * (_wide_planes.h), which takes 1.6.
 *
 * Tried, and not worth it: for AVX-512 the table that the others use (1.4 times slower on pentominoes, as fast where it
 * fits into the first cache); for AVX2 the table that AVX-512 uses (1.1 to 1.3 times slower).
 */
#ifndef COVR_LANES_H
#define COVR_LANES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long word_t;

/* What _wide_planes.h needs too, on any compiler. */
#define LANES_TARGET_64
#define LANES_JOINED(a, b, c) a##b##c
#define LANES_JOIN(a, b, c) LANES_JOINED(a, b, c)
#if defined(__GNUC__) || defined(__clang__)
#define LANES_INLINE static inline __attribute__((always_inline, unused))
LANES_INLINE int lanes_lowest(word_t bits) { return __builtin_ctzll(bits); }
LANES_INLINE int lanes_bits(word_t bits) { return __builtin_popcountll(bits); }
#else
#if defined(_MSC_VER)
#define LANES_INLINE static __forceinline
#else
#define LANES_INLINE static inline
#endif
LANES_INLINE int lanes_bits(word_t x) { /* TAOCP 7.1.3, (62) */
    x -= (x >> 1) & 0x5555555555555555ULL;
    x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
    return (int)((((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL) >> 56);
}
LANES_INLINE int lanes_lowest(word_t bits) { return lanes_bits((bits & (0 - bits)) - 1); }
#endif

LANES_INLINE word_t word_and(word_t a, word_t b) { return a & b; }
LANES_INLINE word_t word_without(word_t a, word_t b) { return ~a & b; }
LANES_INLINE word_t word_xor(word_t a, word_t b) { return a ^ b; }
LANES_INLINE word_t word_odd(word_t a, word_t b, word_t c) { return a ^ b ^ c; }
LANES_INLINE word_t word_most(word_t a, word_t b, word_t c) { return (a & b) | ((a ^ b) & c); }
LANES_INLINE word_t word_load(const void *p) { return *(const word_t *)p; }
LANES_INLINE void word_store(void *p, word_t a) { *(word_t *)p = a; }
LANES_INLINE word_t word_part(const word_t *set, int v, int V, int tail) { (void)V, (void)tail; return set[v]; }
LANES_INLINE unsigned word_words(word_t a) { return a != 0; }

/* Sets of options are read byte by byte, too: the first 8 options are the first byte only where that is the lowest. */
#if ((defined(__GNUC__) && __GNUC__ >= 9) || (defined(__clang__) && __clang_major__ >= 9)) \
    && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define COVR_LANES 1
#define L(name) LANES_JOIN(lanes, LANES, _##name)

#if defined(__x86_64__) && !defined(_WIN32) /* there stacks are not aligned for wide registers */
#define COVR_LANES_X86 1
#include <immintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#define COVR_LANES_NEON 1
#include <arm_neon.h>
#elif defined(__wasm_simd128__) /* setup.py asks for it: a module that has it is refused whole where it is not known */
#define COVR_LANES_WASM 1
#include <wasm_simd128.h>
#endif
#if COVR_LANES_X86 || COVR_LANES_NEON || COVR_LANES_WASM
#define COVR_LANES_128 1
#endif

/* What narrow back ends do piece by piece: `EACH(f)` is the row of f(x, y) for each piece x of a and y of b. */
#define LANES_PIECES(...) LANES_PIECES_OF(__VA_ARGS__)
#define LANES_PIECES_OF(name, AT, EACH, and_, without_, xor_, add_, adds_, sub_, subs_, min_) \
    AT name##_t name##_and(name##_t a, name##_t b) { return EACH(and_); } \
    AT name##_t name##_without(name##_t a, name##_t b) { return EACH(without_); } \
    AT name##_t name##_xor(name##_t a, name##_t b) { return EACH(xor_); } \
    AT name##_t name##_add(name##_t a, name##_t b) { return EACH(add_); } \
    AT name##_t name##_adds(name##_t a, name##_t b) { return EACH(adds_); } \
    AT name##_t name##_sub(name##_t a, name##_t b) { return EACH(sub_); } \
    AT name##_t name##_subs(name##_t a, name##_t b) { return EACH(subs_); } \
    AT name##_t name##_min(name##_t a, name##_t b) { return EACH(min_); }

/* What they do in the same way, given load, fill, spread(bits), which is 255 where a bit is set, and the above: 255, added
 * to a byte, takes 1 from it. */
#define LANES_NARROW(name, AT) \
    typedef long long name##_sum_t; \
    AT name##_t name##_zero(void) { return name##_fill(0); } \
    AT name##_t name##_odd(name##_t a, name##_t b, name##_t c) { return name##_xor(name##_xor(a, b), c); } \
    AT name##_t name##_most(name##_t a, name##_t b, name##_t c) { /* c where a and b differ, else both of them */ \
        return name##_xor(a, name##_and(name##_xor(a, b), name##_xor(a, c))); \
    } \
    AT name##_t name##_part(const word_t *set, int v, int V, int tail) { \
        (void)V, (void)tail; \
        return name##_load(set + 8 * v); \
    } \
    AT name##_t name##_kept(word_t bits, name##_t a) { \
        return name##_without(name##_without(a, name##_spread(bits)), name##_fill(255)); \
    } \
    AT name##_t name##_lowered(word_t bits, name##_t a) { return name##_add(a, name##_spread(bits)); } \
    AT name##_t name##_eased(word_t bits, name##_t a) { \
        return name##_subs(a, name##_and(name##_spread(bits), name##_fill(1))); \
    } \
    AT long long name##_nothing(void) { return 0; } \
    AT long long name##_more(long long sum, name##_t a) { \
        word_t w[8]; \
        int k; \
        memcpy(w, &a, sizeof w); \
        for (k = 0; k < 8; k++) sum += lanes_bits(w[k]); \
        return sum; \
    } \
    AT long long name##_total(long long sum) { return sum; }

/* What two of them do in the same way, given `equal`. */
#define LANES_COMPARED(name, AT) \
    AT word_t name##_some(name##_t a) { return ~name##_equal(a, name##_zero()); } \
    AT word_t name##_above(name##_t a, name##_t b) { return name##_some(name##_subs(a, b)); }

/* ------------------------------------------------------------------------------------------------ 512: AVX-512 */
#if COVR_LANES_X86
#define LANES_TARGET_512 \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512bitalg,avx512vbmi2,avx512vpopcntdq,popcnt,bmi,bmi2,lzcnt")))
#define AT_512 LANES_INLINE LANES_TARGET_512

/* Which byte is where: to list the bits of a word is to press together the bytes at them. */
static const uint8_t lanes_bytes[64] __attribute__((aligned(64), unused)) = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60,
    61, 62, 63,
};

/* Write the numbers of the bits of a word, with `first` added, to a list that has room for 64. Returns how many they are.
 * Nearly every word has at most 8 where this is used, and no branch tells how many. */
AT_512 int lanes512_listed(word_t x, int first, int *list) {
    __m512i at = _mm512_maskz_compress_epi8(x, _mm512_load_si512(lanes_bytes));
    const int many = lanes_bits(x);
    _mm256_storeu_si256((__m256i *)list, _mm256_add_epi32(_mm256_cvtepu8_epi32(_mm512_castsi512_si128(at)),
                                                          _mm256_set1_epi32(first)));
    if (__builtin_expect(many > 8, 0)) {
        int k;
        for (k = 8; k; k--) x &= x - 1;
        for (list += 8; x; x &= x - 1) *list++ = first + lanes_lowest(x);
    }
    return many;
}

typedef __m512i lanes512_t;
typedef __m512i lanes512_sum_t;

AT_512 __m512i lanes512_zero(void) { return _mm512_setzero_si512(); }
AT_512 __m512i lanes512_fill(int byte) { return _mm512_set1_epi8((char)byte); }
AT_512 __m512i lanes512_load(const void *p) { return _mm512_load_si512(p); }
AT_512 void lanes512_store(void *p, __m512i a) { _mm512_store_si512(p, a); }
AT_512 __m512i lanes512_part(const word_t *set, int v, int V, int tail) {
    return _mm512_maskz_loadu_epi64(v == V - 1 ? (__mmask8)tail : (__mmask8)0xFF, set + 8 * v);
}
AT_512 __m512i lanes512_and(__m512i a, __m512i b) { return _mm512_and_si512(a, b); }
AT_512 __m512i lanes512_without(__m512i a, __m512i b) { return _mm512_andnot_si512(a, b); }
AT_512 __m512i lanes512_xor(__m512i a, __m512i b) { return _mm512_xor_si512(a, b); }
AT_512 __m512i lanes512_odd(__m512i a, __m512i b, __m512i c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }
AT_512 __m512i lanes512_most(__m512i a, __m512i b, __m512i c) { return _mm512_ternarylogic_epi64(a, b, c, 0xE8); }
AT_512 __m512i lanes512_add(__m512i a, __m512i b) { return _mm512_add_epi8(a, b); }
AT_512 __m512i lanes512_adds(__m512i a, __m512i b) { return _mm512_adds_epu8(a, b); }
AT_512 __m512i lanes512_sub(__m512i a, __m512i b) { return _mm512_sub_epi8(a, b); }
AT_512 __m512i lanes512_min(__m512i a, __m512i b) { return _mm512_min_epu8(a, b); }
AT_512 __m512i lanes512_kept(word_t bits, __m512i a) { return _mm512_mask_mov_epi8(_mm512_set1_epi8(-1), bits, a); }
AT_512 __m512i lanes512_lowered(word_t bits, __m512i a) { return _mm512_mask_sub_epi8(a, bits, a, _mm512_set1_epi8(1)); }
AT_512 __m512i lanes512_eased(word_t bits, __m512i a) { return _mm512_mask_subs_epu8(a, bits, a, _mm512_set1_epi8(1)); }
AT_512 word_t lanes512_some(__m512i a) { return _mm512_test_epi8_mask(a, a); }
AT_512 word_t lanes512_equal(__m512i a, __m512i b) { return _mm512_cmpeq_epi8_mask(a, b); }
AT_512 word_t lanes512_above(__m512i a, __m512i b) { return _mm512_cmpgt_epu8_mask(a, b); }
AT_512 unsigned lanes512_words(__m512i a) { return _mm512_test_epi64_mask(a, a); }
AT_512 __m512i lanes512_counted(int byte, __m512i row) {
    return _mm512_popcnt_epi8(_mm512_and_si512(_mm512_set1_epi8((char)byte), row));
}
AT_512 int lanes512_least(__m512i a) {
    __m256i h = _mm256_min_epu8(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1));
    __m128i q = _mm_min_epu8(_mm256_castsi256_si128(h), _mm256_extracti128_si256(h, 1));
    return _mm_cvtsi128_si32(_mm_minpos_epu16(_mm_min_epu8(q, _mm_srli_epi16(q, 8)))) & 0xFF;
}
AT_512 __m512i lanes512_nothing(void) { return _mm512_setzero_si512(); }
AT_512 __m512i lanes512_more(__m512i sum, __m512i a) { return _mm512_add_epi64(sum, _mm512_popcnt_epi64(a)); }
AT_512 long long lanes512_total(__m512i sum) { return _mm512_reduce_add_epi64(sum); }

/* --------------------------------------------------------------------------------------------------- 256: AVX2 */
#define LANES_TARGET_256 __attribute__((target("avx2,popcnt,bmi,bmi2,lzcnt")))
#define AT_256 LANES_INLINE LANES_TARGET_256
#define EACH_256(f) (lanes256_t){ { f(a.at[0], b.at[0]), f(a.at[1], b.at[1]) } }

typedef struct { __m256i at[2]; } lanes256_t;

AT_256 lanes256_t lanes256_twice(__m256i a) { return (lanes256_t){ { a, a } }; }
AT_256 lanes256_t lanes256_fill(int byte) { return lanes256_twice(_mm256_set1_epi8((char)byte)); }
AT_256 __m256i lanes256_spread_half(unsigned bits) { /* each byte is told its own byte of the bits, then its own bit */
    const __m256i which = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201ull);
    return _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), which), bit), bit);
}
AT_256 lanes256_t lanes256_spread(word_t bits) {
    return (lanes256_t){ { lanes256_spread_half((unsigned)bits), lanes256_spread_half((unsigned)(bits >> 32)) } };
}
AT_256 lanes256_t lanes256_load(const void *p) {
    return (lanes256_t){ { _mm256_loadu_si256((const __m256i *)p), _mm256_loadu_si256((const __m256i *)p + 1) } };
}
AT_256 void lanes256_store(void *p, lanes256_t a) {
    _mm256_store_si256((__m256i *)p, a.at[0]);
    _mm256_store_si256((__m256i *)p + 1, a.at[1]);
}
LANES_PIECES(lanes256, AT_256, EACH_256, _mm256_and_si256, _mm256_andnot_si256, _mm256_xor_si256, _mm256_add_epi8,
             _mm256_adds_epu8, _mm256_sub_epi8, _mm256_subs_epu8, _mm256_min_epu8)
LANES_NARROW(lanes256, AT_256)
AT_256 word_t lanes256_tops(lanes256_t a) { /* the highest bit of every byte */
    return (unsigned)_mm256_movemask_epi8(a.at[0]) | (word_t)(unsigned)_mm256_movemask_epi8(a.at[1]) << 32;
}
AT_256 word_t lanes256_equal(lanes256_t a, lanes256_t b) { return lanes256_tops(EACH_256(_mm256_cmpeq_epi8)); }
LANES_COMPARED(lanes256, AT_256)
AT_256 unsigned lanes256_words(lanes256_t a) {
    const __m256i none = _mm256_setzero_si256();
    unsigned low = (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(a.at[0], none)));
    unsigned high = (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(a.at[1], none)));
    return (low | high << 4) ^ 0xFF;
}
AT_256 __m256i lanes256_bits_of_bytes(__m256i a) {
    const __m256i bits = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15);
    return _mm256_add_epi8(_mm256_shuffle_epi8(bits, _mm256_and_si256(a, low)),
                           _mm256_shuffle_epi8(bits, _mm256_and_si256(_mm256_srli_epi16(a, 4), low)));
}
AT_256 lanes256_t lanes256_counted(int byte, lanes256_t row) {
    lanes256_t both = lanes256_and(lanes256_fill(byte), row);
    return (lanes256_t){ { lanes256_bits_of_bytes(both.at[0]), lanes256_bits_of_bytes(both.at[1]) } };
}
AT_256 int lanes256_least(lanes256_t a) {
    __m256i h = _mm256_min_epu8(a.at[0], a.at[1]);
    __m128i q = _mm_min_epu8(_mm256_castsi256_si128(h), _mm256_extracti128_si256(h, 1));
    return _mm_cvtsi128_si32(_mm_minpos_epu16(_mm_min_epu8(q, _mm_srli_epi16(q, 8)))) & 0xFF;
}
#endif

/* -------------------------------------------------------------------------------- 128: SSE 4.2, NEON or SIMD128 */
#if COVR_LANES_128
#if COVR_LANES_X86
#define LANES_TARGET_128 __attribute__((target("sse4.2,popcnt")))
#else
#define LANES_TARGET_128
#endif
#define AT_128 LANES_INLINE LANES_TARGET_128
#define EACH_128(f) (lanes128_t){ { f(a.at[0], b.at[0]), f(a.at[1], b.at[1]), f(a.at[2], b.at[2]), f(a.at[3], b.at[3]) } }

#if COVR_LANES_X86
typedef __m128i quarter_t;
#define QUARTER_MIN _mm_min_epu8
#define QUARTER_EQUAL _mm_cmpeq_epi8
#define QUARTERS _mm_and_si128, _mm_andnot_si128, _mm_xor_si128, _mm_add_epi8, _mm_adds_epu8, _mm_sub_epi8, \
    _mm_subs_epu8, QUARTER_MIN
AT_128 quarter_t quarter_fill(int byte) { return _mm_set1_epi8((char)byte); }
AT_128 quarter_t quarter_load(const void *p) { return _mm_loadu_si128((const __m128i *)p); }
AT_128 void quarter_store(void *p, quarter_t a) { _mm_store_si128((__m128i *)p, a); }
AT_128 quarter_t quarter_spread(unsigned bits) {
    const __m128i which = _mm_set_epi64x(0x0101010101010101, 0), bit = _mm_set1_epi64x((long long)0x8040201008040201ull);
    return _mm_cmpeq_epi8(_mm_and_si128(_mm_shuffle_epi8(_mm_set1_epi16((short)bits), which), bit), bit);
}
AT_128 quarter_t quarter_bits_of_bytes(quarter_t a) {
    const __m128i bits = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4), low = _mm_set1_epi8(15);
    return _mm_add_epi8(_mm_shuffle_epi8(bits, _mm_and_si128(a, low)),
                        _mm_shuffle_epi8(bits, _mm_and_si128(_mm_srli_epi16(a, 4), low)));
}
AT_128 int quarter_least(quarter_t a) {
    return _mm_cvtsi128_si32(_mm_minpos_epu16(_mm_min_epu8(a, _mm_srli_epi16(a, 8)))) & 0xFF;
}
AT_128 word_t quarter_gather(quarter_t a, quarter_t b, quarter_t c, quarter_t d) { /* the highest bit of every byte */
    return (word_t)(unsigned)_mm_movemask_epi8(a) | (word_t)(unsigned)_mm_movemask_epi8(b) << 16
        | (word_t)(unsigned)_mm_movemask_epi8(c) << 32 | (word_t)(unsigned)_mm_movemask_epi8(d) << 48;
}
#elif COVR_LANES_WASM
typedef v128_t quarter_t;
#define QUARTER_WITHOUT(a, b) wasm_v128_andnot(b, a)
#define QUARTER_MIN wasm_u8x16_min
#define QUARTER_EQUAL wasm_i8x16_eq
#define QUARTERS wasm_v128_and, QUARTER_WITHOUT, wasm_v128_xor, wasm_i8x16_add, wasm_u8x16_add_sat, wasm_i8x16_sub, \
    wasm_u8x16_sub_sat, QUARTER_MIN
AT_128 quarter_t quarter_fill(int byte) { return wasm_i8x16_splat((int8_t)byte); }
AT_128 quarter_t quarter_load(const void *p) { return wasm_v128_load(p); }
AT_128 void quarter_store(void *p, quarter_t a) { wasm_v128_store(p, a); }
AT_128 quarter_t quarter_spread(unsigned bits) {
    const v128_t bit = wasm_i64x2_splat((int64_t)0x8040201008040201ull);
    const v128_t both = wasm_i16x8_splat((int16_t)bits);
    const v128_t own = wasm_i8x16_shuffle(both, both, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    return wasm_i8x16_eq(wasm_v128_and(own, bit), bit);
}
AT_128 quarter_t quarter_bits_of_bytes(quarter_t a) { return wasm_i8x16_popcnt(a); }
AT_128 int quarter_least(quarter_t a) {
    a = QUARTER_MIN(a, wasm_i8x16_shuffle(a, a, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    a = QUARTER_MIN(a, wasm_i8x16_shuffle(a, a, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3));
    a = QUARTER_MIN(a, wasm_i8x16_shuffle(a, a, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1));
    return wasm_u8x16_extract_lane(QUARTER_MIN(a, wasm_i8x16_shuffle(a, a, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0)), 0);
}
AT_128 word_t quarter_gather(quarter_t a, quarter_t b, quarter_t c, quarter_t d) { /* the highest bit of every byte */
    return (word_t)wasm_i8x16_bitmask(a) | (word_t)wasm_i8x16_bitmask(b) << 16 | (word_t)wasm_i8x16_bitmask(c) << 32
        | (word_t)wasm_i8x16_bitmask(d) << 48;
}
#else
typedef uint8x16_t quarter_t;
#define QUARTER_WITHOUT(a, b) vbicq_u8(b, a)
#define QUARTER_MIN vminq_u8
#define QUARTER_EQUAL vceqq_u8
#define QUARTERS vandq_u8, QUARTER_WITHOUT, veorq_u8, vaddq_u8, vqaddq_u8, vsubq_u8, vqsubq_u8, QUARTER_MIN
AT_128 quarter_t quarter_fill(int byte) { return vdupq_n_u8((uint8_t)byte); }
AT_128 quarter_t quarter_load(const void *p) { return vld1q_u8((const uint8_t *)p); }
AT_128 void quarter_store(void *p, quarter_t a) { vst1q_u8((uint8_t *)p, a); }
AT_128 quarter_t quarter_bit_of_byte(void) { return vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201ull)); }
AT_128 quarter_t quarter_spread(unsigned bits) {
    return vtstq_u8(vcombine_u8(vdup_n_u8((uint8_t)bits), vdup_n_u8((uint8_t)(bits >> 8))), quarter_bit_of_byte());
}
AT_128 quarter_t quarter_bits_of_bytes(quarter_t a) { return vcntq_u8(a); }
AT_128 int quarter_least(quarter_t a) { return vminvq_u8(a); }
AT_128 word_t quarter_gather(quarter_t a, quarter_t b, quarter_t c, quarter_t d) { /* of bytes that are 0 or 255 */
    const quarter_t bit = quarter_bit_of_byte();
    quarter_t low = vpaddq_u8(vandq_u8(a, bit), vandq_u8(b, bit)), high = vpaddq_u8(vandq_u8(c, bit), vandq_u8(d, bit));
    low = vpaddq_u8(low, high);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(low, low)), 0);
}
#endif

typedef struct { quarter_t at[4]; } lanes128_t;

AT_128 lanes128_t lanes128_fill(int byte) {
    const quarter_t a = quarter_fill(byte);
    return (lanes128_t){ { a, a, a, a } };
}
AT_128 lanes128_t lanes128_spread(word_t bits) {
    return (lanes128_t){ { quarter_spread(bits & 0xFFFF), quarter_spread(bits >> 16 & 0xFFFF),
                           quarter_spread(bits >> 32 & 0xFFFF), quarter_spread((unsigned)(bits >> 48)) } };
}
AT_128 lanes128_t lanes128_load(const void *p) {
    const char *at = (const char *)p;
    return (lanes128_t){ { quarter_load(at), quarter_load(at + 16), quarter_load(at + 32), quarter_load(at + 48) } };
}
AT_128 void lanes128_store(void *p, lanes128_t a) {
    int k;
    for (k = 0; k < 4; k++) quarter_store((char *)p + 16 * k, a.at[k]);
}
LANES_PIECES(lanes128, AT_128, EACH_128, QUARTERS)
LANES_NARROW(lanes128, AT_128)
AT_128 word_t lanes128_equal(lanes128_t a, lanes128_t b) {
    lanes128_t e = EACH_128(QUARTER_EQUAL);
    return quarter_gather(e.at[0], e.at[1], e.at[2], e.at[3]);
}
LANES_COMPARED(lanes128, AT_128)
AT_128 unsigned lanes128_words(lanes128_t a) {
    word_t w[8];
    unsigned bits = 0;
    int k;
    memcpy(w, &a, sizeof w);
    for (k = 0; k < 8; k++) bits |= (unsigned)(w[k] != 0) << k;
    return bits;
}
AT_128 lanes128_t lanes128_counted(int byte, lanes128_t row) {
    lanes128_t a = lanes128_and(lanes128_fill(byte), row);
    int k;
    for (k = 0; k < 4; k++) a.at[k] = quarter_bits_of_bytes(a.at[k]);
    return a;
}
AT_128 int lanes128_least(lanes128_t a) {
    return quarter_least(QUARTER_MIN(QUARTER_MIN(a.at[0], a.at[1]), QUARTER_MIN(a.at[2], a.at[3])));
}
#endif

/* ----------------------------------------------------------------------------------------------- 64: plain C */
#define AT_64 LANES_INLINE
#define TWO_64(f, k) f(a.at[k], b.at[k]), f(a.at[k + 1], b.at[k + 1])
#define EACH_64(f) (lanes64_t){ { TWO_64(f, 0), TWO_64(f, 2), TWO_64(f, 4), TWO_64(f, 6) } }
#define BYTES_64(byte) (0x0101010101010101ull * (byte)) /* eight equal bytes */
#define TOPS_64 BYTES_64(0x80)

typedef struct { word_t at[8]; } lanes64_t;

/* The lower seven bits of each byte are added or subtracted, and the highest bits put right; TAOCP 7.1.3, (88). */
AT_64 word_t word_add(word_t x, word_t y) { return ((x & ~TOPS_64) + (y & ~TOPS_64)) ^ ((x ^ y) & TOPS_64); }
AT_64 word_t word_sub(word_t x, word_t y) { return ((x | TOPS_64) - (y & ~TOPS_64)) ^ ((x ^ ~y) & TOPS_64); }
/* 255 in each byte whose highest bit is set. */
AT_64 word_t word_stretch(word_t tops) { return ((tops & TOPS_64) >> 7) * 255; }
/* The highest bit of each byte: set if the byte is not 0; if x is below y. */
AT_64 word_t word_some(word_t x) { return (x | ((x & ~TOPS_64) + ~TOPS_64)) & TOPS_64; }
AT_64 word_t word_below(word_t x, word_t y) { return ((~x & y) | ((~x | y) & word_sub(x, y))) & TOPS_64; }
AT_64 word_t word_adds(word_t x, word_t y) { return word_add(x, y) | word_stretch(word_below(~x, y)); }
AT_64 word_t word_subs(word_t x, word_t y) { return word_sub(x, y) & ~word_stretch(word_below(x, y)); }
AT_64 word_t word_min(word_t x, word_t y) { return y ^ ((x ^ y) & word_stretch(word_below(x, y))); }
/* The highest bits of the bytes, side by side. */
AT_64 word_t word_gather(word_t tops) { return (tops >> 7) * 0x0102040810204080ull >> 56; }

AT_64 lanes64_t lanes64_fill(int byte) {
    lanes64_t c;
    int k;
    for (k = 0; k < 8; k++) c.at[k] = BYTES_64((word_t)(byte & 255));
    return c;
}
AT_64 lanes64_t lanes64_spread(word_t bits) {
    lanes64_t c;
    int k;
    for (k = 0; k < 8; k++)
        c.at[k] = word_stretch(word_some(BYTES_64(bits >> 8 * k & 255) & 0x8040201008040201ull));
    return c;
}
AT_64 lanes64_t lanes64_load(const void *p) {
    lanes64_t c;
    memcpy(&c, p, sizeof c);
    return c;
}
AT_64 void lanes64_store(void *p, lanes64_t a) { memcpy(p, &a, sizeof a); }
LANES_PIECES(lanes64, AT_64, EACH_64, word_and, word_without, word_xor, word_add, word_adds, word_sub, word_subs, word_min)
LANES_NARROW(lanes64, AT_64)
AT_64 word_t lanes64_some(lanes64_t a) {
    word_t bits = 0;
    int k;
    for (k = 0; k < 8; k++) bits |= word_gather(word_some(a.at[k])) << 8 * k;
    return bits;
}
AT_64 word_t lanes64_equal(lanes64_t a, lanes64_t b) { return ~lanes64_some(lanes64_xor(a, b)); }
AT_64 word_t lanes64_above(lanes64_t a, lanes64_t b) { return lanes64_some(lanes64_subs(a, b)); }
AT_64 unsigned lanes64_words(lanes64_t a) {
    unsigned bits = 0;
    int k;
    for (k = 0; k < 8; k++) bits |= (unsigned)(a.at[k] != 0) << k;
    return bits;
}
AT_64 lanes64_t lanes64_counted(int byte, lanes64_t row) { /* TAOCP 7.1.3, (62), as far as the bytes */
    lanes64_t c;
    int k;
    for (k = 0; k < 8; k++) {
        word_t x = BYTES_64((word_t)(byte & 255)) & row.at[k];
        x -= x >> 1 & BYTES_64(0x55);
        x = (x & BYTES_64(0x33)) + (x >> 2 & BYTES_64(0x33));
        c.at[k] = (x + (x >> 4)) & BYTES_64(15);
    }
    return c;
}
AT_64 int lanes64_least(lanes64_t a) {
    int k, least = 255;
    for (k = 0; k < 64; k++) {
        const int x = (int)(a.at[k >> 3] >> 8 * (k & 7) & 255);
        if (x < least) least = x;
    }
    return least;
}

/* The widest back end that the processor has, and that is at most `most`; 0 if there is none. */
LANES_INLINE int lanes_widest(int most) {
#if COVR_LANES_X86
    if (most >= 512 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vpopcntdq")
        && __builtin_cpu_supports("bmi2"))
        return 512;
    if (most >= 256 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return 256;
#endif
#if COVR_LANES_X86
    if (most >= 128 && __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt")) return 128;
#elif COVR_LANES_128
    if (most >= 128) return 128;
#endif
    return most >= 64 ? 64 : 0;
}
#else
static int lanes_widest(int most) { (void)most; return 0; }
#endif
#endif
