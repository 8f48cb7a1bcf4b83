# The hash table of a layer's states, for all kernels. states.py says what the functions and numbers mean, and is their
# counterpart in Python.
cdef extern from *:
    """
    #define COVR_WORD 0xFFFFFFFFFFFFFFFFULL
    #define COVR_MIX 0x9E3779B97F4A7C15ULL
    """
    enum:
        FIRST_ROOM "1024"
        MOST_ROOM "536870912"
    const unsigned long long WORD "COVR_WORD"
    const unsigned long long MIX "COVR_MIX"


cdef inline unsigned long long slot_of(
    const int *table, const unsigned long long *keys, unsigned long long mask, unsigned long long key
) noexcept nogil:
    cdef unsigned long long mixed = key * MIX
    cdef unsigned long long slot = (mixed ^ (mixed >> 32)) & mask
    while table[slot] != 0 and keys[table[slot] - 1] != key:
        slot = (slot + 1) & mask
    return slot


cdef inline void enter_all(
    int *table, const unsigned long long *keys, unsigned long long mask, long long count
) noexcept nogil:
    cdef unsigned long long slot
    cdef long long k
    for slot in range(mask + 1):
        table[slot] = 0
    for k in range(count):
        table[slot_of(table, keys, mask, keys[k])] = <int>(k + 1)
