/* Calls functions of clingo by their addresses, one call for each of many rules or atoms. Their signatures are those of
 * clingo.h, version 5; whoever hands over an address has compared them (outside/clingo_shares.py).
 */
#ifndef COVR_RULES_H
#define COVR_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef bool (*rule_t)(void *, bool, const uint32_t *, size_t, const int32_t *, size_t);
typedef bool (*weights_t)(void *, bool, const uint32_t *, size_t, int32_t, const void *, size_t);
typedef bool (*true_t)(const void *, int32_t, bool *);

/* flat: the rules; see _rules.py.  Returns how many of its numbers were written: all, or those before the rule that
 * clingo refused. */
static ptrdiff_t covr_rules(size_t rule, size_t weights, size_t backend, const int *flat, ptrdiff_t size) {
    ptrdiff_t at = 0;
    while (at < size) {
        const int *one = flat + at, *body = one + 2 + one[1];
        const uint32_t *head = (const uint32_t *)(one + 2);
        bool done;
        if (body[0] < 0)
            done = ((rule_t)rule)((void *)backend, one[0], head, one[1], body + 2, body[1]);
        else /* a literal and its weight are two numbers of 32 bits, one after the other */
            done = ((weights_t)weights)((void *)backend, one[0], head, one[1], body[0], body + 2, body[1]);
        if (!done) break;
        at += 4 + one[1] + (ptrdiff_t)body[1] * (body[0] < 0 ? 1 : 2);
    }
    return at;
}

/* Writes the places of the true atoms into `found`; returns how many these are, or -1 if clingo refused. */
static ptrdiff_t covr_true(size_t is_true, size_t model, const int *atoms, ptrdiff_t size, int *found) {
    ptrdiff_t count = 0;
    for (ptrdiff_t k = 0; k < size; k++) {
        bool truth = false;
        if (!((true_t)is_true)((const void *)model, atoms[k], &truth)) return -1;
        if (truth) found[count++] = (int)k;
    }
    return count;
}

#endif
