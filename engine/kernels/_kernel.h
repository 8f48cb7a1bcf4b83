/* The numbers that Python and compiled kernels both know: they stand here and nowhere else. C includes this, Cython has
 * the names from _kernel.pxd, _wide.pxd and _multiplicity.pxd, and Python reads this very text (codes.py), so every line
 * of a number begins with its name. */
#ifndef COVR_KERNEL_H
#define COVR_KERNEL_H

/* What `run` says when it returns. */
enum {
    COVR_SLICE = 0, /* the budget of nodes is spent */
    COVR_FOUND = 1, /* so many answers were found; the last one is at hand */
    COVR_DONE = 2,  /* every node was seen */
    COVR_ASK = 3,   /* a Python estimate, or an orbit, is wanted for the node at hand: tell it and run on */
    /* The rest stays within _bits.py and its twin _wide.h. */
    COVR_GROW = 4,   /* the memo's table is too small */
    COVR_RECALL = 5, /* the twin asks for the node at hand */
    COVR_CLOSE = 6,  /* the twin says that a framed level is done */
};

/* The estimates that kernels have in compiled form, to be added up. */
enum {
    COVR_CLASSIC = 1,
    COVR_PRICE = 2,
    COVR_DUAL = 4,
    COVR_LAGRANGE = 8,
    COVR_PYTHON = 16, /* any other: the kernel stops and asks */
};

/* Prices of needs are whole numbers of units of 2**-SCALE of a cost. */
enum {
    COVR_SCALE = 20,
};

/* The states of the search on sets of options (_bits.py, _wide.h). */
enum {
    COVR_BITS_START = 0, /* nothing was looked at */
    COVR_BITS_ENTER = 1, /* a node is at hand, counted, its counts right */
    COVR_BITS_NEXT = 2,  /* the next way of the level is to be taken */
    COVR_BITS_OPEN = 3,  /* every item is covered; the free options that are alive come next */
    COVR_BITS_FREE = 4,  /* the first of them is to be taken */
    COVR_BITS_BACK = 5,  /* the level is done */
    COVR_BITS_END = 6,
    COVR_BITS_HIDE = 7, /* the node is not in the memo; its ways come next (of the twin alone) */
};

/* The states of the search on sets with other bounds than 1 (_multiplicity.py, _multiplicity.h). */
enum {
    COVR_MULTIPLICITY_ENTER = 0, /* a node is about to be looked at */
    COVR_MULTIPLICITY_NEXT = 1,  /* the level's next option is to be taken */
    COVR_MULTIPLICITY_BACK = 2,  /* the level is done */
    COVR_MULTIPLICITY_END = 3,
};

/* What a look at a level of branch and bound for covers says (_cover.py). */
enum {
    COVR_COVER_GONE = 0, /* no better cover is left here */
    COVR_COVER_OPEN = 1,
    COVR_COVER_ASKED = 2, /* a Python estimate is wanted first */
    COVR_COVER_AGAIN = 3, /* it was thinned, and wants another look */
};

/* Beyond every price and every bound. */
#define COVR_FAR 1000000000000000000

#endif
