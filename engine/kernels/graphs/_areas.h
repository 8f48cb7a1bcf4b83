/* Areas as a propagator of clingo: see _graphs.h, which includes this file where it has defined `covr_graph`.
 *
 * The items of areas are their vertices, then *doors*, the walls that may stand on edges (in: closed), then options that
 * weigh something where they are not what makes their vertex met. A *least* area holds vertices that are in, joined by
 * edges that no wall can close; what may become of it lies in the *greatest* area, over all that is not out. So a sum
 * is at least what is sure in the least area, and at most what is possible in the greatest, as far as no weight is
 * negative; a clause says why it can't be less (in the least area, no more vertices than that takes) or more (what
 * borders the greatest). An item is in if without it the sum falls short; it is out if it joins too much.
 */
#ifndef COVR_AREAS_H
#define COVR_AREAS_H

enum { COVR_EACH, COVR_TOGETHER, COVR_WAIVED }; /* each area, those of the anchors, or these unless none is met */

typedef struct {
    int asks, ranges, anchors;
    bool adds;           /* whether no weight is negative */
    long long *low, *high, *weight;
    int *anchor;
    int *begin, *term;   /* vertex v has the terms term[begin[v] …], items, with their weights */
} covr_demand;

struct covr_areas {
    int *door;           /* parallel to `near`: the item that closes the way there, or -1 */
    int demands;
    covr_demand *demand;
    int *nothing;        /* `begin` of a demand that weighs nothing */
    int *core;           /* per vertex that is in, the first vertex of its least area; -1 for others */
    long long *sum;      /* per such first vertex, what is sure in its area */
};

/* A flood: over what is sure (`least`), with `item` as if it were so, or over what is possible without `item`. */
typedef struct {
    const covr_demand *demand;
    const int *from;     /* where it starts, as far as these may be entered */
    int starts;
    bool least;
    int item;            /* -1 for none */
} covr_flood;

static bool covr_enters(const covr_graph *g, const covr_flood *f, int item) {
    return f->least ? g->value[item] == COVR_IN || item == f->item : g->value[item] != COVR_OUT && item != f->item;
}

static bool covr_passes(const covr_graph *g, const covr_flood *f, int door) {
    if (door < 0) return true;
    return f->least ? g->value[door] == COVR_OUT || door == f->item : g->value[door] != COVR_IN && door != f->item;
}

/* What a vertex adds to the sum. */
static long long covr_adds(const covr_graph *g, const covr_flood *f, int v) {
    const covr_demand *d = f->demand;
    long long sum = 0;
    for (int t = d->begin[v]; t < d->begin[v + 1]; t++)
        if (covr_enters(g, f, d->term[t])) sum += d->weight[t];
    return sum;
}

/* Flood until the sum is at least `stop`; returns the sum. The vertices are stack[0 … reached), each reached from
 * `above` through the door `via`, and `visited` in this round. */
static long long covr_spread(covr_graph *g, const covr_flood *f, long long stop) {
    const struct covr_areas *areas = g->areas;
    long long sum = 0;
    int size = 0, round = covr_round(g);
    for (int k = 0; k < f->starts; k++)
        if (covr_enters(g, f, f->from[k]) && g->visited[f->from[k]] != round) {
            g->visited[f->from[k]] = round;
            g->above[f->from[k]] = g->via[f->from[k]] = -1;
            g->stack[size++] = f->from[k];
        }
    for (g->reached = 0; g->reached < size && sum < stop;) {
        int v = g->stack[g->reached++];
        sum += covr_adds(g, f, v);
        for (int p = g->begin[v]; p < g->begin[v + 1]; p++) {
            int w = g->near[p];
            if (g->visited[w] == round || !covr_enters(g, f, w) || !covr_passes(g, f, areas->door[p])) continue;
            g->visited[w] = round;
            g->above[w] = v;
            g->via[w] = areas->door[p];
            g->stack[size++] = w;
        }
    }
    return sum;
}

/* Blame what makes the sum `least` or more: a flood up to that, without the leaves of its tree that add nothing.
 * all: blame all that is sure. */
static void covr_at_least(covr_graph *g, covr_flood f, long long least, bool all) {
    f.least = true;
    covr_spread(g, &f, all ? LLONG_MAX : least);
    for (int k = 0; k < g->reached; k++) g->next[g->stack[k]] = all || covr_adds(g, &f, g->stack[k]) != 0;
    for (int k = g->reached; k-- > 0;) {
        int v = g->stack[k];
        if (!g->next[v]) continue;
        if (v != f.item) g->clause[g->size++] = -g->literal[v];
        if (g->above[v] < 0) continue;
        g->next[g->above[v]] = 1;
        if (g->via[v] >= 0 && g->via[v] != f.item) g->clause[g->size++] = g->literal[g->via[v]];
    }
    for (int k = 0; k < g->reached; k++)
        for (int v = g->stack[k], t = f.demand->begin[v]; t < f.demand->begin[v + 1]; t++)
            if (f.demand->term[t] != v && f.demand->term[t] != f.item && g->value[f.demand->term[t]] == COVR_IN)
                g->clause[g->size++] = -g->literal[f.demand->term[t]];
}

static void covr_blame_once(covr_graph *g, int item, int round) {
    if (g->mark[item] == round) return;
    g->mark[item] = round;
    g->clause[g->size++] = g->value[item] == COVR_OUT ? g->literal[item] : -g->literal[item];
}

/* Blame what keeps the sum as low as it can get: the border of the flood, and what is out and would add something. */
static void covr_at_most(covr_graph *g, covr_flood f) {
    int round;
    f.least = false;
    covr_spread(g, &f, LLONG_MAX);
    round = g->round;
    for (int k = 0; k < f.starts; k++)
        if (g->value[f.from[k]] == COVR_OUT) covr_blame_once(g, f.from[k], round);
    for (int k = 0; k < g->reached; k++) {
        int v = g->stack[k];
        for (int t = f.demand->begin[v]; t < f.demand->begin[v + 1]; t++)
            if (g->value[f.demand->term[t]] == COVR_OUT) covr_blame_once(g, f.demand->term[t], round);
        for (int p = g->begin[v]; p < g->begin[v + 1]; p++) {
            int w = g->near[p], door = g->areas->door[p];
            if (g->visited[w] == round || w == f.item || (door >= 0 && door == f.item)) continue;
            covr_blame_once(g, g->value[w] == COVR_OUT ? w : door, round);
        }
    }
}

/* Say that the sum of a flood, from `sure` to `possible`, lies in no range. The clause has the literal of what is to be
 * concluded: that f.item is in, without which no more is possible, or that `open` is out, with which so much is sure. */
static bool covr_no_range(covr_graphs *all, covr_graph *g, covr_flood f, long long sure, long long possible, int open) {
    const covr_demand *d = f.demand;
    int below = 0;
    while (below < d->ranges && d->high[below] < sure) below++;
    if (d->asks == COVR_WAIVED)
        for (int k = 0, found = 0; k < d->anchors && !found; k++)
            if (g->value[d->anchor[k]] == COVR_IN && (found = 1)) g->clause[g->size++] = -g->literal[d->anchor[k]];
    if (below) {
        covr_flood lower = f;
        lower.item = open;
        covr_at_least(g, lower, d->high[below - 1] + 1, !d->adds);
    }
    bool upper = below < d->ranges && d->low[below] > possible;
    if (d->asks == COVR_EACH && g->value[*f.from] == COVR_IN && (upper || !below))
        g->clause[g->size++] = -g->literal[*f.from];
    if (upper) covr_at_most(g, f);
    return covr_say(all, g);
}

/* The least sum that is allowed and not less than `sure`: LLONG_MAX if there is none. */
static long long covr_wanted(const covr_demand *d, long long sure) {
    for (int k = 0; k < d->ranges; k++)
        if (d->high[k] >= sure) return d->low[k];
    return LLONG_MAX;
}

/* Look at the area of some vertices, for which `sure` is known: it must be able to reach a sum that is allowed, and
 * what it can't do without is in. */
static bool covr_reaches(covr_graphs *all, covr_graph *g, covr_flood f, long long sure) {
    const covr_demand *d = f.demand;
    long long wanted = covr_wanted(d, sure), possible;
    int size;
    if (sure >= wanted) return true;
    f.least = false;
    f.item = -1;
    possible = covr_spread(g, &f, wanted);
    g->size = 0;
    if (possible < wanted) return covr_no_range(all, g, f, sure, possible, -1);
    size = g->reached;
    memcpy(g->order, g->stack, sizeof(int) * (size_t)size);
    for (int k = 0; k < size; k++) g->early[k] = g->via[g->order[k]];
    for (int k = 0; k < size; k++)
        for (int v = g->order[k], t = d->begin[v] - 2; t < d->begin[v + 1]; t++) {
            /* the vertex, the door through which it was reached, and what weighs something there */
            int item = t == d->begin[v] - 2 ? v : t == d->begin[v] - 1 ? g->early[k] : d->term[t];
            if (item < 0 || g->value[item] != COVR_OPEN || (t >= d->begin[v] && item == v)) continue;
            f.item = item;
            possible = covr_spread(g, &f, wanted);
            if (possible >= wanted) continue;
            g->size = 0;
            g->clause[g->size++] = t == d->begin[v] - 1 ? -g->literal[item] : g->literal[item];
            if (!covr_no_range(all, g, f, sure, possible, -1)) return false;
        }
    return true;
}

/* The same where weights may be negative: nothing is concluded but that no sum is allowed. */
static bool covr_balanced(covr_graphs *all, covr_graph *g, covr_flood f) {
    const covr_demand *d = f.demand;
    long long sure = 0, possible = 0;
    int round, whole;
    f.least = true;
    f.item = -1;
    covr_spread(g, &f, LLONG_MAX);
    round = g->round;
    whole = g->reached;
    memcpy(g->order, g->stack, sizeof(int) * (size_t)whole);
    for (int k = 0; k < whole; k++) g->seen[g->order[k]] = round;
    f.least = false;
    covr_spread(g, &f, LLONG_MAX);
    for (int k = 0; k < g->reached; k++)
        for (int v = g->stack[k], t = d->begin[v]; t < d->begin[v + 1]; t++) {
            long long weight = d->weight[t];
            bool certain = g->seen[v] == round && g->value[d->term[t]] == COVR_IN;
            if (g->value[d->term[t]] == COVR_OUT) continue;
            if (certain || weight < 0) sure += weight;
            if (certain || weight > 0) possible += weight;
        }
    for (int k = 0; k < d->ranges; k++)
        if (d->high[k] >= sure && d->low[k] <= possible) return true;
    g->size = 0;
    if (d->asks == COVR_WAIVED)
        for (int k = 0; k < d->anchors; k++)
            if (g->value[d->anchor[k]] == COVR_IN) g->clause[g->size++] = -g->literal[d->anchor[k]];
    if (d->asks == COVR_EACH) g->clause[g->size++] = -g->literal[*f.from];
    covr_at_least(g, f, 0, true);
    covr_at_most(g, f);
    return covr_say(all, g);
}

/* What would join areas that are too large together is out, or stays closed. group: the first vertices of the areas of
 * anchors; of these together `held` is sure. */
static bool covr_joins(covr_graphs *all, covr_graph *g, const covr_demand *d, long long held) {
    struct covr_areas *areas = g->areas;
    long long most = d->ranges ? d->high[d->ranges - 1] : -1;
    covr_flood f = {d, NULL, 1, true, -1};
    for (int v = 0; v < g->vertices; v++) {
        int round = covr_round(g);
        bool grouped = d->asks == COVR_EACH, counted = false;
        long long sum = 0;
        if (g->value[v] == COVR_OUT) continue;
        if (g->value[v] == COVR_OPEN) {
            f.item = v;
            sum = covr_adds(g, &f, v);
        }
        for (int p = g->begin[v]; p < g->begin[v + 1]; p++) {
            int w = g->near[p], door = areas->door[p], core = g->value[w] == COVR_IN ? areas->core[w] : -1;
            if (core < 0) continue;
            bool own = d->asks != COVR_EACH && g->lead[core];
            if (g->value[v] == COVR_IN) { /* only a door lies between the two */
                long long both = areas->sum[core] + areas->sum[areas->core[v]];
                if (v > w || door < 0 || g->value[door] != COVR_OPEN || core == areas->core[v]) continue;
                if (d->asks != COVR_EACH) {
                    bool other = g->lead[areas->core[v]];
                    if (own == other) continue;
                    both = held + areas->sum[own ? areas->core[v] : core];
                }
                if (both <= most) continue;
                f.item = door;
                g->size = 0;
                g->clause[g->size++] = g->literal[door];
            } else {
                if ((door >= 0 && g->value[door] != COVR_OUT) || g->visited[core] == round) continue;
                g->visited[core] = round;
                if (!own) sum += areas->sum[core];
                if (own && !counted) sum += held;
                counted |= own;
                grouped |= own;
                continue;
            }
            f.from = d->asks == COVR_EACH ? &v : d->anchor;
            f.starts = d->asks == COVR_EACH ? 1 : d->anchors;
            if (!covr_no_range(all, g, f, most + 1, LLONG_MAX, door)) return false;
        }
        if (g->value[v] == COVR_IN || !grouped || sum <= most) continue;
        f.from = d->asks == COVR_EACH ? &v : d->anchor;
        f.starts = d->asks == COVR_EACH ? 1 : d->anchors;
        g->size = 0;
        g->clause[g->size++] = -g->literal[v];
        if (!covr_no_range(all, g, f, most + 1, LLONG_MAX, v)) return false;
    }
    return true;
}

/* Vertices that are open, in greatest areas that are too small for any sum, are out. */
static bool covr_too_small(covr_graphs *all, covr_graph *g, const covr_demand *d) {
    long long wanted = covr_wanted(d, 0);
    for (int v = 0; v < g->vertices; v++) g->lead[v] = g->value[v] == COVR_IN;
    for (int v = 0; v < g->vertices; v++) {
        covr_flood f = {d, &v, 1, false, -1};
        long long possible;
        int whole;
        if (g->value[v] != COVR_OPEN || g->lead[v]) continue;
        possible = covr_spread(g, &f, LLONG_MAX);
        whole = g->reached;
        memcpy(g->order, g->stack, sizeof(int) * (size_t)whole);
        for (int k = 0; k < whole; k++) g->lead[g->order[k]] = 1;
        if (possible >= wanted) continue;
        for (int k = 0; k < whole; k++) {
            int w = g->order[k];
            if (g->value[w] != COVR_OPEN) continue;
            f.from = &w;
            g->size = 0;
            g->clause[g->size++] = -g->literal[w];
            if (!covr_no_range(all, g, f, 0, possible, -1)) return false;
        }
    }
    return true;
}

static bool covr_meets(covr_graphs *all, covr_graph *g, const covr_demand *d) {
    struct covr_areas *areas = g->areas;
    covr_flood f = {d, d->anchor, d->anchors, true, -1};
    long long held = 0;
    bool met = false;
    for (int v = 0; v < g->vertices; v++) areas->sum[v] = g->lead[v] = 0;
    for (int v = 0; v < g->vertices; v++)
        if (areas->core[v] >= 0) areas->sum[areas->core[v]] += covr_adds(g, &f, v);
    if (d->asks == COVR_EACH) {
        for (int v = 0; v < g->vertices; v++) {
            if (areas->core[v] != v) continue;
            f.from = &v;
            f.starts = 1;
            if (!(d->adds ? covr_reaches(all, g, f, areas->sum[v]) : covr_balanced(all, g, f))) return false;
        }
        return !d->adds || (covr_joins(all, g, d, 0) && covr_too_small(all, g, d));
    }
    for (int k = 0; k < d->anchors; k++) {
        int core = areas->core[d->anchor[k]];
        if (core < 0) continue;
        met = true;
        if (!g->lead[core]) held += areas->sum[core];
        g->lead[core] = 1;
    }
    if (d->asks == COVR_WAIVED && !met) return true;
    if (!d->adds) return covr_balanced(all, g, f);
    return covr_reaches(all, g, f, held) && covr_joins(all, g, d, held);
}

/* A wall within an area is out. */
static bool covr_walls(covr_graphs *all, covr_graph *g, const covr_demand *none) {
    struct covr_areas *areas = g->areas;
    for (int v = 0; v < g->vertices; v++)
        for (int p = g->begin[v]; p < g->begin[v + 1]; p++) {
            int w = g->near[p], door = areas->door[p];
            covr_flood f = {none, &v, 1, true, -1};
            if (v > w || door < 0 || g->value[door] == COVR_OUT) continue;
            if (areas->core[v] < 0 || areas->core[v] != areas->core[w]) continue;
            covr_spread(g, &f, LLONG_MAX);
            g->size = 0;
            g->clause[g->size++] = -g->literal[door];
            for (int u = w; u >= 0; u = g->above[u]) {
                g->clause[g->size++] = -g->literal[u];
                if (g->via[u] >= 0) g->clause[g->size++] = g->literal[g->via[u]];
            }
            if (!covr_say(all, g)) return false;
        }
    return true;
}

static bool covr_areas_look(covr_graphs *all, covr_graph *g) {
    struct covr_areas *areas = g->areas;
    covr_demand none = {0};
    covr_flood f = {&none, NULL, 1, true, -1};
    none.begin = areas->nothing;
    for (int v = 0; v < g->vertices; v++) areas->core[v] = -1;
    for (int v = 0; v < g->vertices; v++) {
        if (g->value[v] != COVR_IN || areas->core[v] >= 0) continue;
        f.from = &v;
        covr_spread(g, &f, LLONG_MAX);
        for (int k = 0; k < g->reached; k++) areas->core[g->stack[k]] = v;
    }
    if (!covr_walls(all, g, &none)) return false;
    for (int k = 0; k < areas->demands; k++)
        if (!covr_meets(all, g, &areas->demand[k])) return false;
    return true;
}

#endif
