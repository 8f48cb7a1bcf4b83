/* A table that tells how many of the 8 options in a byte of a set hold each item, for _wide.h and _multiplicity.h.
 *
 * A row of the table has a byte for each item, 64 to a group. There are two kinds. In the short one, byte j of a set has
 * a row that says for each item which of the 8 options hold it; the bits that this has in common with the byte of the
 * set are counted, which AVX-512 does in one instruction. In the other, each half of byte j has a row for each of its 16
 * values, with the counts themselves (`nibbles`): 32 times as long, and taken without AVX-512 as long as it fits into
 * TABLE_BYTES.
 */
#ifndef COVR_LANES_TABLE_H
#define COVR_LANES_TABLE_H

#include "_lanes.h"

#define TABLE_BYTES ((size_t)1 << 21) /* about as long as what a core keeps near */

/* How many bytes a table takes for the options of `rows` rows, and whether it has the counts themselves. */
static size_t table_bytes(int lanes, size_t rows, size_t groups, int *nibbles) {
    const size_t bytes = 64 * rows * 64 * groups;
    *nibbles = lanes < 512 && 32 * bytes <= TABLE_BYTES;
    return *nibbles ? 32 * bytes : bytes;
}

/* Fill in a table that is all 0. begin, members: the items of option b are members[begin[b]:begin[b+1]]. */
static void table_write(uint8_t *table, int nibbles, int options, size_t groups, const int *begin, const int *members) {
    const size_t row = 64 * groups;
    int b, k, value;
    for (b = 0; b < options; b++)
        for (k = begin[b]; k < begin[b + 1]; k++) {
            if (!nibbles) table[(size_t)(b >> 3) * row + members[k]] |= (uint8_t)(1 << (b & 7));
            else for (value = 0; value < 16; value++)
                if (value >> (b & 3) & 1) table[((size_t)(b >> 2) * 16 + value) * row + members[k]]++;
        }
}

#if COVR_LANES
/* How many of the options in byte j of a set hold each of the 64 items of a group. table: at the group. */
#define TABLE_IN_BYTE(name, AT) \
    AT name##_t name##_in_byte(const uint8_t *table, size_t j, int byte, int groups, int nibbles) { \
        const size_t row = (size_t)64 * groups; \
        if (!nibbles) return name##_counted(byte, name##_load(table + j * row)); \
        table += j * 32 * row; \
        return name##_add(name##_load(table + (byte & 15) * row), name##_load(table + (16 + (byte >> 4)) * row)); \
    }
#if COVR_LANES_X86
TABLE_IN_BYTE(lanes512, AT_512)
TABLE_IN_BYTE(lanes256, AT_256)
#endif
#if COVR_LANES_128
TABLE_IN_BYTE(lanes128, AT_128)
#endif
TABLE_IN_BYTE(lanes64, AT_64)

/* Returns what a function of the back end `lanes` returns: LANES_CALL(wide, s->lanes, run, (s, ...)). What follows is
 * for plain C. */
#endif
#if COVR_LANES_X86
#define LANES_CALL(room, lanes, name, arguments) \
    if (lanes == 512) return room##512_##name arguments; \
    if (lanes == 256) return room##256_##name arguments; \
    if (lanes == 128) return room##128_##name arguments;
#elif COVR_LANES_128
#define LANES_CALL(room, lanes, name, arguments) if (lanes == 128) return room##128_##name arguments;
#else
#define LANES_CALL(room, lanes, name, arguments)
#endif
#endif
