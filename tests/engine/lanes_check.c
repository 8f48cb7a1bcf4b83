/* Holds every operation of every back end of _lanes.h against the same done byte by byte, on random rows.
 *
 * Prints the back ends that were tried; exit code 1 and the operation's name where they differ. test_lanes.py compiles
 * and runs it; for another processor: a cross compiler and an emulator. */
#include <stdio.h>

#include "_lanes_table.h"

static unsigned long long seed = 1;
static unsigned char chance(void) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned char)(seed >> 56);
}

typedef struct { unsigned char at[64]; } bytes_t;
static bytes_t random_row(int kind) { /* any bytes; small ones; mostly 0; only 0 and 255 */
    bytes_t a;
    int k;
    for (k = 0; k < 64; k++)
        a.at[k] = kind == 0 ? chance() : kind == 1 ? chance() & 3 : kind == 2 ? (chance() < 8 ? chance() : 0) : chance() < 128 ? 0 : 255;
    return a;
}

static int wrong(const char *what, int lanes) {
    printf("%s, %d\n", what, lanes);
    return 1;
}

#define LANES_PLAIN
#define LANES_BODY "lanes_check_body.h"
#include "_lanes_each.h"

int main(void) {
    int round, k, tried[4] = {512, 256, 128, 64};
    for (k = 0; k < 4; k++) {
        if (lanes_widest(tried[k]) != tried[k]) continue;
        for (round = 0; round < 4000; round++) {
            bytes_t a = random_row(round & 3), b = random_row(round >> 2 & 3);
            int failed;
#if COVR_LANES_X86
            failed = tried[k] == 512 ? check512(a, b) : tried[k] == 256 ? check256(a, b) : tried[k] == 128 ? check128(a, b) : check64(a, b);
#elif COVR_LANES_NEON
            failed = tried[k] == 128 ? check128(a, b) : check64(a, b);
#else
            failed = check64(a, b);
#endif
            if (failed) return 1;
        }
        printf("%d ", tried[k]);
    }
    printf("alike\n");
    return 0;
}
