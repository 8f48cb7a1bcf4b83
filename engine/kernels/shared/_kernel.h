/* The numbers that Python and compiled kernels share. They are written here and nowhere else: C includes this, Cython
 * gets the names from _kernel.pxd, _wide.pxd and _multiplicity.pxd, and Python reads this text (header.py), so every
 * line that defines a number must begin with its name. */
#ifndef COVR_KERNEL_H
#define COVR_KERNEL_H

/* What `run` returns. */
enum {
    COVR_SLICE = 0, /* the budget of nodes is spent */
    COVR_FOUND = 1, /* as many answers as asked for were found; `answer` gives the last one */
    COVR_DONE = 2,  /* every node was visited */
    COVR_ASK = 3,   /* wants a Python estimate (reply: `tell`) or an orbit (reply: `exclude`) for the current node */
    /* The rest are used between _bits.py and its search, _wide.h or plain_bits.py, only. */
    COVR_GROW = 4,   /* the memo's table is too small */
    COVR_RECALL = 5, /* the search asks to look up the current node in the memo */
    COVR_CLOSE = 6,  /* the search reports that a framed level is finished */
};

/* How far kernels go between two looks at the limits. */
enum {
    COVR_LOOK_OPTIONS = 1024,  /* options whose Python objects are read: milliseconds */
    COVR_LOOK_STEPS = 262144,  /* links, array entries or images, however long a node takes: 1 to 20 ms */
};

/* Array entries read in the time of one step that takes longer: an entry of a Python list, a comparison of two sets, a
 * turn of a heap. */
enum {
    COVR_LISTED = 16,
};

/* Annealing (_packing_walk.py, annealed.py): a temperature of 1, and what a gain of 1 is multiplied by; and how many
 * levels of noise there are, all equally likely. */
enum {
    COVR_WALK_ONE = 65536,
    COVR_WALK_LEVELS = 4096,
};

/* What is known of an option with side conditions (kernels/sides). */
enum {
    COVR_SIDES_OPEN = 0,
    COVR_SIDES_TAKEN = 1,
    COVR_SIDES_OUT = 2,
};

/* The estimates that kernels can compute themselves. A kernel is given the sum of those it is to use. */
enum {
    COVR_CLASSIC = 1,
    COVR_PRICE = 2,
    COVR_DUAL = 4,
    COVR_LAGRANGE = 8,
    COVR_PYTHON = 16, /* any other estimate: the kernel pauses and asks for it */
};

/* Prices are whole numbers: 2**SCALE of them make a cost of 1. */
enum {
    COVR_SCALE = 20,
};

/* The states of the search on sets of options (_wide.h, plain_bits.py). */
enum {
    COVR_BITS_START = 0, /* nothing has been done yet */
    COVR_BITS_ENTER = 1, /* a node was reached: it is included in `nodes`, and the counts of its items are valid */
    COVR_BITS_NEXT = 2,  /* take the next way of the level */
    COVR_BITS_OPEN = 3,  /* every item is covered: go on to the free options that are alive */
    COVR_BITS_FREE = 4,  /* take the first of these */
    COVR_BITS_BACK = 5,  /* the level is finished */
    COVR_BITS_END = 6,
    COVR_BITS_HIDE = 7, /* the node is not in the memo: go on to its ways */
};

/* The states of the search on sets with other bounds than 1 (_multiplicity.py, _multiplicity.h). */
enum {
    COVR_MULTIPLICITY_ENTER = 0, /* a node was reached, but nothing has been done there yet */
    COVR_MULTIPLICITY_NEXT = 1,  /* take the level's next option */
    COVR_MULTIPLICITY_BACK = 2,  /* the level is finished */
    COVR_MULTIPLICITY_END = 3,
};

/* Many instances in one call (_batch.py, _batch.h, plain_batch.py): the states of the search, and where `where` has
 * what. */
enum {
    COVR_BATCH_LOAD = 0, /* set up the next instance */
    COVR_BATCH_NEXT = 1, /* take the next way of the level */
    COVR_BATCH_END = 2,  /* every instance is finished */
    COVR_BATCH_NODES = 0,
    COVR_BATCH_GIVE_UP = 1, /* the value of NODES at which the current instance is given up */
    COVR_BATCH_INSTANCE = 2,
    COVR_BATCH_STATE = 3,
    COVR_BATCH_LEVEL = 4,
    COVR_BATCH_KEPT = 5,   /* answers kept */
    COVR_BATCH_FILLED = 6, /* numbers of options in them */
    COVR_BATCH_KEPT_BEFORE = 7,
    COVR_BATCH_FILLED_BEFORE = 8,
    COVR_BATCH_WHERE = 9, /* how many numbers `where` has */
};

/* The kinds of demands on an answer, and what the slot of a vertex of a circuit holds (_demands.py, side_states.py). */
enum {
    COVR_DEMAND_ITEM = 0,
    COVR_DEMAND_TOTAL = 1,
    COVR_DEMAND_CIRCUIT = 2,
    COVR_DEMAND_CONNECTION = 3,
    COVR_DEMAND_FRESH = 0,  /* no option has met the vertex */
    COVR_DEMAND_INSIDE = 1, /* two have */
    COVR_DEMAND_MATE = 2,   /* a path ends there: this and the slot of the path's other end */
};

/* What reducing and bounding a level in branch and bound for covers returns (_cover.py). */
enum {
    COVR_COVER_GONE = 0, /* there is no better cover below this level */
    COVR_COVER_OPEN = 1,
    COVR_COVER_ASKED = 2, /* a Python estimate must be asked for first */
    COVR_COVER_AGAIN = 3, /* options were removed: reduce and bound it again */
};

/* Steps of the simplex method from one time that values are worked out anew to the next, and from one measurement of
 * the error of reduced costs to the next: rounding errors grow between, and either takes as long as some steps. */
enum {
    COVR_MIXED_REFRESH = 50,
};

/* The states of an option of a mixed problem (_mixed_state.py). */
enum {
    COVR_MIXED_FREE = 0,
    COVR_MIXED_TAKEN = 1,
    COVR_MIXED_DROPPED = 2,
};

/* What solving its linear program returns (_mixed_simplex.py). */
enum {
    COVR_MIXED_WAIT = 0,    /* its budget of work is spent */
    COVR_MIXED_OPTIMAL = 1, /* the program is solved */
    COVR_MIXED_BEYOND = 2,  /* it costs too much, or has no solution: `bound` must prove it */
    COVR_MIXED_STUCK = 3,   /* no step is accurate enough */
};

/* In options: the `high` of an item without an upper bound (_mixed_state.py); 2**30. */
enum {
    COVR_MIXED_UNBOUNDED = 1073741824,
};

/* The linear program's numbers (_mixed_basis.py, _mixed_simplex.py). */
#define COVR_MIXED_ENDLESS 1e30 /* stands for infinity, in units of the largest cost or in options */
#define COVR_MIXED_PIVOT 1e-7   /* the smallest absolute value of a pivot, which is divided by */
#define COVR_MIXED_ZERO 1e-13   /* smaller absolute values count as rounding errors and become 0 */

/* Stands for infinity, in units of cost or of a price: more than any sum of costs; 2**62. */
#define COVR_HUGE 4611686018427387904

/* Stands for infinity, in units of cost: more than every price and every bound; 10**18. */
#define COVR_FAR 1000000000000000000

#endif
