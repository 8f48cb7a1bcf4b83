# Functions on 64-bit words that C has and Cython's pure-Python mode lacks; words.py has the same in Python.
cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    static inline int covr_lowest(unsigned long long x) { return __builtin_ctzll(x); }
    static inline int covr_bits(unsigned long long x) { return __builtin_popcountll(x); }
    #else
    static inline int covr_bits(unsigned long long x) {
        x -= (x >> 1) & 0x5555555555555555ULL;
        x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
        return (int)((((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL) >> 56);
    }
    static inline int covr_lowest(unsigned long long x) { return covr_bits((x & (0 - x)) - 1); }
    #endif
    static inline unsigned long long covr_next_random(unsigned long long x) {
        x ^= x << 13;
        x ^= x >> 7;
        return x ^ (x << 17);
    }
    """
    int lowest "covr_lowest"(unsigned long long word) noexcept nogil
    int bits "covr_bits"(unsigned long long word) noexcept nogil
    unsigned long long next_random "covr_next_random"(unsigned long long word) noexcept nogil
