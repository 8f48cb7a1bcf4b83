/* Areas as a propagator of clingo: see _graphs.h, which includes this file where it has defined `covr_graph`.
 *
 * The items of areas are their vertices, then *doors*, the walls that may stand on edges (in: closed), then options that
 * weigh something where they are not what makes their vertex met. A *least* area holds vertices that are in, joined by
 * edges that no wall can close; what may become of it lies in the *greatest* area, over all that is not out. So a sum
 * is at least what is sure in the least area, and at most what is possible in the greatest, as far as no weight is
 * negative; a clause says why it can't be less (in the least area, no more vertices than that takes) or more (what
 * borders the greatest). An item is in if without it the sum falls short; it is out if it joins too much.
 *
 * Looking takes long where there are many demands, and most changes concern few of them. So each vertex keeps who has
 * ever looked at it, or next to it: an area in a demand for each area, by one of its vertices, or a demand with
 * anchors. Only these look again when something changes there. For an answer, all do.
 */
#ifndef COVR_AREAS_H
#define COVR_AREAS_H

enum { COVR_EACH, COVR_TOGETHER, COVR_WAIVED }; /* each area, those of the anchors, or these unless none is met */

/* What weighs something: vertex v has the terms term[begin[v] …], items, with their weights. */
typedef struct {
    int *begin, *term;
    long long *weight, total; /* of all weights that are not negative */
    bool adds;                /* whether no weight is negative */
} covr_terms;

typedef struct {
    int asks, ranges, anchors;
    int looker;               /* the first of its lookers: one, or of a demand for each area, one for some vertices each */
    long long *low, *high;
    int *anchor;
    covr_terms of;
} covr_demand;

struct covr_areas {
    int *door;           /* parallel to `near`: the item that closes the way there, or -1 */
    int demands, counts; /* `counts`: of terms */
    covr_demand *demand;
    covr_terms *terms;
    int *nothing;        /* `begin` of a demand that weighs nothing */
    int *core;           /* per vertex that is in, the first vertex of its least area; -1 for others */
    bool walls;          /* whether there are doors */
    long long *lost, *below; /* see `covr_hang` */
    int looker, shift;   /* who looks now, or -1; vertices v >> shift have one looker */
    int words;           /* of 64 lookers */
    uint64_t *lookers, *awake; /* per vertex, who has ever looked at it; who is to look now */
    int *touched, done;  /* per vertex, the last look before which it changed; the mark of areas that were looked at */
};

/* A flood: over what is sure (`least`), with `item` as if it were so, or over what is possible without `item`. */
typedef struct {
    const covr_demand *demand;
    const int *from;     /* where it starts, as far as these may be entered */
    int starts;
    bool least;
    int item;            /* -1 for none */
    bool twice;          /* whether it goes on to twice as many vertices as it takes to reach the sum */
    bool blames;         /* whether it only gives reasons */
} covr_flood;

/* Whoever looks now is to look again when something changes at the vertex. */
static void covr_watch(covr_graph *g, int v) {
    struct covr_areas *areas = g->areas;
    if (areas->looker >= 0)
        areas->lookers[(size_t)v * (size_t)areas->words + (size_t)areas->looker / 64] |= 1ULL << areas->looker % 64;
}

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
    for (int t = d->of.begin[v]; t < d->of.begin[v + 1]; t++)
        if (covr_enters(g, f, d->of.term[t])) sum += d->of.weight[t];
    return sum;
}

/* Flood until the sum is at least `stop`; returns the sum. The vertices are stack[0 … reached), each reached from
 * `above` through the door `via`, and `visited` in this round. */
static long long covr_spread(covr_graph *g, const covr_flood *f, long long stop) {
    const struct covr_areas *areas = g->areas;
    long long sum = 0;
    int size = 0, round = covr_round(g), end = stop > 0 ? INT_MAX : 0;
    for (int k = 0; k < f->starts; k++) {
        if (!f->blames) covr_watch(g, f->from[k]);
        if (covr_enters(g, f, f->from[k]) && g->visited[f->from[k]] != round) {
            g->visited[f->from[k]] = round;
            g->above[f->from[k]] = g->via[f->from[k]] = -1;
            g->stack[size++] = f->from[k];
        }
    }
    for (g->reached = 0; g->reached < size && g->reached < end;) {
        int v = g->stack[g->reached++];
        sum += covr_adds(g, f, v);
        if (!f->blames) covr_watch(g, v);
        if (sum >= stop && end == INT_MAX) end = f->twice ? 2 * g->reached : g->reached;
        for (int p = g->begin[v]; p < g->begin[v + 1]; p++) {
            int w = g->near[p];
            if (f->least && !f->blames) covr_watch(g, w);
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
    f.least = f.blames = true;
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
        for (int v = g->stack[k], t = f.demand->of.begin[v]; t < f.demand->of.begin[v + 1]; t++)
            if (f.demand->of.term[t] != v && f.demand->of.term[t] != f.item && g->value[f.demand->of.term[t]] == COVR_IN)
                g->clause[g->size++] = -g->literal[f.demand->of.term[t]];
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
    f.blames = true;
    covr_spread(g, &f, LLONG_MAX);
    round = g->round;
    for (int k = 0; k < f.starts; k++)
        if (g->value[f.from[k]] == COVR_OUT) covr_blame_once(g, f.from[k], round);
    for (int k = 0; k < g->reached; k++) {
        int v = g->stack[k];
        for (int t = f.demand->of.begin[v]; t < f.demand->of.begin[v + 1]; t++)
            if (g->value[f.demand->of.term[t]] == COVR_OUT) covr_blame_once(g, f.demand->of.term[t], round);
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
        covr_at_least(g, lower, d->high[below - 1] + 1, !d->of.adds);
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

/* How much the sum of the last flood loses with each of its vertices (`lost`), and with the edge by which a search in
 * depth reached it (`below`, 0 where there is another way): an upper bound for a part of what is possible. Returns how
 * many vertices there are, in `order`. */
static int covr_hang(covr_graph *g, const covr_flood *f) {
    struct covr_areas *areas = g->areas;
    int size = g->reached, round = covr_round(g), time = 0;
    memcpy(g->order, g->stack, sizeof(int) * (size_t)size);
    for (int k = 0; k < size; k++) {
        g->visited[g->order[k]] = round; /* not yet reached */
        g->early[g->order[k]] = INT_MAX;
    }
    for (int k = 0; k < f->starts; k++)
        if (g->visited[f->from[k]] == round) g->early[f->from[k]] = 0; /* as if they had a common neighbour */
    for (int k = 0; k < size; k++) {
        int v = g->order[k];
        if (g->visited[v] != round) continue;
        g->above[v] = g->via[v] = -1;
        for (bool down = true; v >= 0;) {
            if (down) {
                g->visited[v] = round + 1;
                g->oldest[v] = ++time;
                if (g->early[v] > time) g->early[v] = time;
                g->next[v] = g->begin[v];
                areas->below[v] = areas->lost[v] = covr_adds(g, f, v);
                down = false;
            }
            if (g->next[v] < g->begin[v + 1]) {
                int p = g->next[v]++, w = g->near[p];
                if (w == g->above[v] || !covr_passes(g, f, areas->door[p])) continue;
                if (g->visited[w] == round) {
                    g->above[w] = v;
                    g->via[w] = areas->door[p];
                    v = w;
                    down = true;
                } else if (g->visited[w] == round + 1 && g->oldest[w] < g->early[v])
                    g->early[v] = g->oldest[w];
                continue;
            }
            int up = g->above[v];
            if (up < 0) break;
            areas->below[up] += areas->below[v];
            if (g->early[v] >= g->oldest[up]) areas->lost[up] += areas->below[v];
            if (g->early[v] < g->early[up]) g->early[up] = g->early[v];
            if (g->early[v] < g->oldest[v]) areas->below[v] = 0;
            v = up;
        }
        areas->below[v] = 0;
    }
    return size;
}

/* Look at the area of some vertices, for which `sure` is known: it must be able to reach a sum that is allowed, and
 * what it can't do without is in. Only what seems to be needed in a part of what is possible is tried. */
static bool covr_reaches(covr_graphs *all, covr_graph *g, covr_flood f, long long sure) {
    const covr_demand *d = f.demand;
    struct covr_areas *areas = g->areas;
    long long wanted = covr_wanted(d, sure), possible, spare;
    int size;
    if (sure >= wanted) return true;
    f.least = false;
    f.item = -1;
    f.twice = true;
    possible = covr_spread(g, &f, wanted);
    f.twice = false;
    g->size = 0;
    if (possible < wanted) return covr_no_range(all, g, f, sure, possible, -1);
    spare = possible - wanted;
    size = covr_hang(g, &f);
    for (int k = 0; k < size; k++) g->last[g->order[k]] = g->via[g->order[k]];
    for (int k = 0; k < size; k++)
        for (int v = g->order[k], t = d->of.begin[v] - 2; t < d->of.begin[v + 1]; t++) {
            /* the vertex, the door through which it was reached, and what weighs something there */
            bool door = t == d->of.begin[v] - 1;
            int item = t == d->of.begin[v] - 2 ? v : door ? g->last[v] : d->of.term[t];
            long long lost = item == v ? areas->lost[v] : door ? areas->below[v] : 0;
            if (item < 0 || g->value[item] != COVR_OPEN || (t >= d->of.begin[v] && item == v)) continue;
            if (lost <= spare && t < d->of.begin[v]) continue; /* an option may weigh something elsewhere, too */
            f.item = item;
            possible = covr_spread(g, &f, wanted);
            if (possible >= wanted) continue;
            g->size = 0;
            g->clause[g->size++] = door ? -g->literal[item] : g->literal[item];
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
    for (int k = 0; k < whole; k++) {
        g->seen[g->order[k]] = round;
        g->lead[g->order[k]] = g->areas->done;
    }
    f.least = false;
    covr_spread(g, &f, LLONG_MAX);
    for (int k = 0; k < g->reached; k++)
        for (int v = g->stack[k], t = d->of.begin[v]; t < d->of.begin[v + 1]; t++) {
            long long weight = d->of.weight[t];
            bool certain = g->seen[v] == round && g->value[d->of.term[t]] == COVR_IN;
            if (g->value[d->of.term[t]] == COVR_OUT) continue;
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

/* What would join too much to an area is out, or stays closed. f: from vertices of the area, or from anchors. */
static bool covr_joins(covr_graphs *all, covr_graph *g, covr_flood f, long long sure) {
    const covr_demand *d = f.demand;
    struct covr_areas *areas = g->areas;
    long long most = d->ranges ? d->high[d->ranges - 1] : -1;
    int size, inside;
    if (most >= d->of.total) return true;
    f.least = true;
    f.item = -1;
    covr_spread(g, &f, LLONG_MAX);
    size = g->reached;
    inside = covr_round(g);
    memcpy(g->order, g->stack, sizeof(int) * (size_t)size);
    for (int k = 0; k < size; k++) g->seen[g->order[k]] = inside;
    for (int k = 0; k < size; k++)
        for (int v = g->order[k], p = g->begin[v]; p < g->begin[v + 1]; p++) {
            int w = g->near[p], door = areas->door[p];
            bool closed = g->value[w] == COVR_IN; /* whether it is the door that would join */
            if (g->seen[w] == inside || g->value[w] == COVR_OUT) continue;
            if (closed ? door < 0 || g->value[door] != COVR_OPEN : door >= 0 && g->value[door] != COVR_OUT) continue;
            f.item = closed ? door : w;
            if (!closed) {
                g->seen[w] = inside; /* once is enough */
                bool more = sure + covr_adds(g, &f, w) > most;
                for (int q = g->begin[w]; q < g->begin[w + 1]; q++) {
                    covr_watch(g, g->near[q]);
                    more |= g->seen[g->near[q]] != inside && g->value[g->near[q]] == COVR_IN;
                }
                if (!more) continue;
            }
            if (covr_spread(g, &f, most + 1) <= most) continue;
            g->size = 0;
            g->clause[g->size++] = closed ? g->literal[door] : -g->literal[w];
            if (!covr_no_range(all, g, f, most + 1, LLONG_MAX, f.item)) return false;
        }
    return true;
}

/* Open vertices next to what was touched, in greatest areas that are too small for any sum, are out. */
static bool covr_too_small(covr_graphs *all, covr_graph *g, const covr_demand *d, int now) {
    long long wanted = covr_wanted(d, 0);
    int done = covr_round(g);
    for (int v = 0; v < g->vertices && wanted > 0; v++)
        for (int p = g->begin[v] - 1; p < g->begin[v + 1]; p++) {
            int u = p < g->begin[v] ? v : g->near[p], whole;
            covr_flood f = {d, &u, 1, false, -1, false, false};
            long long possible;
            if (g->areas->touched[v] != now) break;
            if (g->value[u] != COVR_OPEN || g->lead[u] == done) continue;
            possible = covr_spread(g, &f, wanted);
            whole = g->reached;
            memcpy(g->order, g->stack, sizeof(int) * (size_t)whole);
            for (int k = 0; k < whole; k++) g->lead[g->order[k]] = done;
            for (int k = 0; k < whole && possible < wanted; k++) {
                u = g->order[k];
                if (g->value[u] != COVR_OPEN) continue;
                g->size = 0;
                g->clause[g->size++] = -g->literal[u];
                if (!covr_no_range(all, g, f, 0, possible, -1)) return false;
            }
        }
    return true;
}

static bool covr_one(covr_graphs *all, covr_graph *g, covr_flood f) {
    long long sure;
    if (!f.demand->of.adds) return covr_balanced(all, g, f);
    sure = covr_spread(g, &f, LLONG_MAX);
    for (int k = 0; k < g->reached; k++) g->lead[g->stack[k]] = g->areas->done;
    return covr_reaches(all, g, f, sure) && covr_joins(all, g, f, sure);
}

static bool covr_meets(covr_graphs *all, covr_graph *g, const covr_demand *d, int now) {
    struct covr_areas *areas = g->areas;
    covr_flood f = {d, d->anchor, d->anchors, true, -1, false, false};
    bool met = d->asks == COVR_TOGETHER, well = true;
    areas->done = covr_round(g);
    for (int v = 0; v < (d->asks == COVR_EACH ? g->vertices : 1) && well; v++) {
        areas->looker = d->looker + (v >> areas->shift);
        bool awake = areas->awake[areas->looker / 64] >> areas->looker % 64 & 1;
        if (d->asks == COVR_EACH) {
            if (g->value[v] != COVR_IN || g->lead[v] == areas->done || (!awake && areas->touched[v] != now)) continue;
            f.from = &v;
            f.starts = 1;
            well = covr_one(all, g, f);
        } else if (awake) {
            for (int k = 0; k < d->anchors; k++) {
                covr_watch(g, d->anchor[k]);
                met |= g->value[d->anchor[k]] == COVR_IN;
            }
            well = !met || covr_one(all, g, f);
        }
    }
    areas->looker = -1;
    return well && (d->asks != COVR_EACH || !d->of.adds || covr_too_small(all, g, d, now));
}

/* A wall within an area is out. */
static bool covr_walls(covr_graphs *all, covr_graph *g, const covr_demand *none) {
    struct covr_areas *areas = g->areas;
    for (int v = 0; v < g->vertices; v++)
        for (int p = g->begin[v]; p < g->begin[v + 1]; p++) {
            int w = g->near[p], door = areas->door[p];
            covr_flood f = {none, &v, 1, true, -1, false, true};
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

/* Find out what was touched since the last look, and who is to look now. */
static void covr_wake(covr_graph *g, int now) {
    struct covr_areas *areas = g->areas;
    bool whole = g->dirty > 1, others = false;
    memset(areas->awake, whole ? 0xff : 0, sizeof(uint64_t) * (size_t)areas->words);
    for (int v = 0; v < g->vertices && whole; v++) areas->touched[v] = now;
    for (int k = 0; k < g->changes && !whole; k++) {
        g->mark[g->changed[k]] = now;
        if (g->changed[k] < g->vertices)
            areas->touched[g->changed[k]] = now;
        else
            others = true;
    }
    for (int v = 0; v < g->vertices && !whole; v++) {
        for (int p = g->begin[v]; p < g->begin[v + 1] && others; p++)
            if (areas->door[p] >= 0 && g->mark[areas->door[p]] == now) areas->touched[v] = now;
        for (int k = 0; k < areas->counts && others; k++)
            for (int t = areas->terms[k].begin[v]; t < areas->terms[k].begin[v + 1]; t++)
                if (g->mark[areas->terms[k].term[t]] == now) areas->touched[v] = now;
        for (int k = 0; k < areas->words && areas->touched[v] == now; k++)
            areas->awake[k] |= areas->lookers[(size_t)v * (size_t)areas->words + (size_t)k];
    }
}

static bool covr_areas_look(covr_graphs *all, covr_graph *g) {
    struct covr_areas *areas = g->areas;
    covr_demand none = {0};
    covr_flood f = {&none, NULL, 1, true, -1, false, true};
    int now = covr_round(g);
    covr_wake(g, now);
    none.of.begin = areas->nothing;
    for (int v = 0; v < g->vertices && areas->walls; v++) areas->core[v] = -1;
    for (int v = 0; v < g->vertices && areas->walls; v++) {
        if (g->value[v] != COVR_IN || areas->core[v] >= 0) continue;
        f.from = &v;
        covr_spread(g, &f, LLONG_MAX);
        for (int k = 0; k < g->reached; k++) areas->core[g->stack[k]] = v;
    }
    if (areas->walls && !covr_walls(all, g, &none)) return false;
    for (int k = 0; k < areas->demands; k++)
        if (!covr_meets(all, g, &areas->demand[k], now)) return false;
    return true;
}

/* Count the lookers and have room for them, once all demands are there: `LOOKERS` at most for each area, so that boards
 * of 100 x 100 with a hundred sizes take 64 MB. */
enum { COVR_LOOKERS = 512 };

static bool covr_areas_ready(covr_graph *g) {
    struct covr_areas *areas = g->areas;
    int lookers = 0;
    if (areas->lookers) return true;
    areas->looker = -1;
    while (g->vertices >> areas->shift >= COVR_LOOKERS) areas->shift++;
    for (int k = 0; k < areas->demands; k++) {
        areas->demand[k].looker = lookers;
        lookers += areas->demand[k].asks == COVR_EACH ? (g->vertices >> areas->shift) + 1 : 1;
    }
    areas->words = lookers / 64 + 1;
    areas->lookers = calloc(((size_t)g->vertices + 1) * (size_t)areas->words, sizeof(uint64_t));
    areas->awake = areas->lookers + (size_t)g->vertices * (size_t)areas->words;
    return areas->lookers != NULL;
}

#endif
