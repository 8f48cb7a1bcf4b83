/* Connections, forests, loops and areas as a propagator of clingo: functions on a graph, which add clauses while clingo
 * searches.
 *
 * An item is what clingo decides: a vertex of a connection or a forest, or an edge of a circuit; of areas see _areas.h.
 * It is in, out or open. A search in depth over all that is not out gives what can still hang together, and what would
 * part it. Each conclusion is a clause
 * that holds in every answer, and blames no more items that are out than part the two sides: those next to one side that
 * the other side reaches without crossing any of them.
 *
 * clingo calls `covr_graphs_init` before each search, `covr_graphs_propagate` and `covr_graphs_undo` while it searches,
 * and `covr_graphs_check` for each answer. They run without Python, allocate nothing but in `init`, and are called by
 * one thread at a time: covr's clingo has one solver. Signatures of clingo.h, version 5, are compared in
 * outside/clingo_graphs.py.
 *
 * Source: blocks and cut vertices as in Hopcroft and Tarjan, "Algorithm 447: efficient algorithms for graph
 * manipulation", 1973; reasons as in Bayless, Bayless, Hoos and Hu, "SAT modulo monotonic theories", AAAI 2015.
 */
#ifndef COVR_GRAPHS_H
#define COVR_GRAPHS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { COVR_OUT = -1, COVR_OPEN = 0, COVR_IN = 1 };
enum { COVR_CONNECTION, COVR_CIRCUIT, COVR_AREAS, COVR_FOREST };

/* The addresses of clingo's functions, in this order. */
typedef struct {
    bool (*register_propagator)(void *control, const void *propagator, void *data, bool sequential);
    const void *(*init_assignment)(const void *init);
    bool (*init_literal)(const void *init, int32_t literal, int32_t *solver_literal);
    bool (*init_watch)(void *init, int32_t literal);
    bool (*init_clause)(void *init, const int32_t *clause, size_t size, bool *result);
    const void *(*assignment)(const void *control);
    bool (*truth)(const void *assignment, int32_t literal, int *value);
    bool (*clause)(void *control, const int32_t *clause, size_t size, int kind, bool *result);
} covr_clingo;

typedef struct {
    int kind;              /* one of those above */
    int vertices, items;
    int dirty;             /* whether an item has changed since the last look; 2: look at everything */
    int *changed, changes; /* the items that have changed since, of areas, and how many; twice is possible */
    int *written;          /* per item, its literal as it was written; behind them, the condition of the side, or 0 */
    int *literal;          /* the same as clingo's solver numbers them */
    int *since;            /* per item that is not open, when it was decided: the greater, the later */
    signed char *value;    /* per item: in, out or open; behind them, the condition */
    int *begin, *near, *by; /* vertex v has neighbours near[begin[v] …], behind items by[begin[v] …] */
    int *ends;             /* of a circuit: edge e joins ends[2e] and ends[2e + 1] */
    int *order, reached;   /* the vertices in the order in which a search reached them, and how many */
    int *seen;             /* per vertex, its place in the order, counted from 1; 0 before it is reached */
    int *last;             /* per vertex, how many vertices were reached when all below it were */
    int *early;            /* per vertex, the least `seen` next to it or to a vertex below it */
    int *above, *via;      /* per vertex, the one from which it was reached, and behind which item; -1 at the start */
    int *next;             /* per vertex, where the search goes on in `near`; -1 for a cut vertex once it is dealt with */
    int *oldest;           /* per vertex, the item that is in since longest at it or below; -1 if none is */
    int *lead;             /* per vertex, a vertex of the same path of edges, or the same tree, that are in */
    int *stack, *visited;  /* of the flood that shortens a reason */
    int *mark, round;      /* per item, the last round in which it was part of a border */
    int *clause, size, most; /* `most`: literals that there is room for */
    struct covr_areas *areas; /* of areas (_areas.h); NULL */
} covr_graph;

typedef struct {
    covr_clingo call;
    void *init, *control;  /* what takes clauses now; if neither does, `record` */
    bool failed;           /* whether clingo refused a call */
    covr_graph **graphs;
    int count;
    int *first, *uses, variables; /* where a variable occurs: uses[first[v]] …, each a graph and an item */
    int decided;           /* items that were decided so far */
    int *record, recorded, room;
} covr_graphs;

/* Hand over the clause. Returns whether the search of this graph may go on. */
static bool covr_say(covr_graphs *all, covr_graph *g) {
    bool on = true;
    if (g->written[g->items])
        g->clause[g->size++] = -g->literal[g->items];
    if (all->control)
        all->failed |= !all->call.clause(all->control, g->clause, (size_t)g->size, 0, &on);
    else if (all->init)
        all->failed |= !all->call.init_clause(all->init, g->clause, (size_t)g->size, &on);
    else {
        int more = all->recorded + g->size + 1;
        if (more > all->room) {
            int *larger = realloc(all->record, sizeof(int) * 2 * (size_t)more);
            if (!larger) return !(all->failed = true);
            all->record = larger;
            all->room = 2 * more;
        }
        all->record[all->recorded++] = g->size;
        memcpy(all->record + all->recorded, g->clause, sizeof(int) * (size_t)g->size);
        all->recorded = more;
    }
    if (g->written[g->items])
        g->size--;
    return on && !all->failed;
}

/* --- searches ------------------------------------------------------------------------------------------------------ */

static void covr_enter(covr_graph *g, int v, int above, int via) {
    g->order[g->reached++] = v;
    g->seen[v] = g->early[v] = g->reached;
    g->above[v] = above;
    g->via[v] = via;
    g->next[v] = g->begin[v];
    g->oldest[v] = g->kind == COVR_CONNECTION && g->value[v] == COVR_IN ? v : -1;
}

/* Reach all vertices that hang together with `start` over what is not out. edge: the one to begin with, or -1. */
static void covr_search(covr_graph *g, int start, int edge) {
    int v = start;
    covr_enter(g, v, -1, -1);
    if (edge >= 0) {
        v = g->ends[2 * edge] == start ? g->ends[2 * edge + 1] : g->ends[2 * edge];
        covr_enter(g, v, start, edge);
    }
    for (;;) {
        if (g->next[v] < g->begin[v + 1]) {
            int k = g->next[v]++, w = g->near[k];
            if (g->value[g->by[k]] == COVR_OUT || g->by[k] == g->via[v]) continue;
            if (!g->seen[w]) {
                covr_enter(g, w, v, g->by[k]);
                v = w;
            } else if (g->seen[w] < g->early[v])
                g->early[v] = g->seen[w];
            continue;
        }
        g->last[v] = g->reached;
        int w = v, found = g->oldest[v];
        v = g->above[w];
        if (v < 0) return;
        if (g->early[w] < g->early[v]) g->early[v] = g->early[w];
        if (found >= 0 && (g->oldest[v] < 0 || g->since[found] < g->since[g->oldest[v]])) g->oldest[v] = found;
    }
}

/* The item that is in since longest, or -1. */
static int covr_first(const covr_graph *g) {
    int found = -1;
    for (int i = 0; i < g->items; i++)
        if (g->value[i] == COVR_IN && (found < 0 || g->since[i] < g->since[found])) found = i;
    return found;
}

/* A number that stands in no `mark`, `visited`, `seen` or (of areas) `lead`, nor does the next. */
static int covr_round(covr_graph *g) {
    if (g->round > INT_MAX - 4) {
        memset(g->mark, 0, sizeof(int) * (size_t)g->items);
        memset(g->visited, 0, sizeof(int) * (size_t)g->vertices);
        memset(g->seen, 0, sizeof(int) * (size_t)g->vertices);
        if (g->areas) memset(g->lead, 0, sizeof(int) * (size_t)g->vertices);
        g->round = 0;
    }
    return g->round += 2;
}

/* Add to the clause what parts two vertices, apart from the vertex `cut` and the item `bridge`, if they are not -1: of
 * all that is out next to what hangs together with `here`, what `there` reaches. */
static void covr_blame(covr_graph *g, int here, int there, int cut, int bridge) {
    int size = 0, depth = 0, border = covr_round(g), met = border + 1; /* of this border, and met by the flood or never to be blamed */
    g->visited[here] = border;
    g->stack[size++] = here;
    for (int k = 0; k < size; k++)
        for (int v = g->stack[k], p = g->begin[v]; p < g->begin[v + 1]; p++) {
            int w = g->near[p], item = g->by[p];
            if (g->value[item] == COVR_OUT || item == bridge || w == cut || g->visited[w] == border) continue;
            g->visited[w] = border;
            g->stack[size++] = w;
        }
    for (int k = 0; k < size; k++)
        for (int v = g->stack[k], p = g->begin[v]; p < g->begin[v + 1]; p++) {
            int w = g->near[p], item = g->by[p];
            if (g->value[item] == COVR_OUT && w != cut && g->visited[w] != border) g->mark[item] = border;
        }
    if (bridge >= 0) g->mark[bridge] = met;
    g->visited[there] = met;
    g->stack[depth++] = there;
    while (depth)
        for (int v = g->stack[--depth], p = g->begin[v]; p < g->begin[v + 1]; p++) {
            int w = g->near[p], item = g->by[p];
            if (g->mark[item] == border) {
                g->mark[item] = met;
                g->clause[g->size++] = g->literal[item];
            } else if (g->mark[item] != met && w != cut && g->visited[w] != met) {
                g->visited[w] = met;
                g->stack[depth++] = w;
            }
        }
}

/* The same for order[low … high) and the rest of order[0 … whole), in which `there` lies, from the smaller side. */
static void covr_part(covr_graph *g, int low, int high, int whole, int cut, int there) {
    bool larger = high - low > (low < whole ? whole - (high - low) : whole);
    int here = g->order[low];
    covr_blame(g, larger ? there : here, larger ? here : there, cut, -1);
}

/* --- connections --------------------------------------------------------------------------------------------------- */

/* The vertices order[low … high) can't be joined to the first: forbid them, the one that is in since longest first. */
static bool covr_cut_off(covr_graphs *all, covr_graph *g, int low, int high, int whole) {
    int root = g->order[0], found = g->oldest[g->order[low]];
    g->size = 1;
    g->clause[g->size++] = -g->literal[root];
    covr_part(g, low, high, whole, -1, root);
    if (found >= 0) {
        g->clause[0] = -g->literal[found];
        return covr_say(all, g);
    }
    for (int k = low; k < high; k++) {
        g->clause[0] = -g->literal[g->order[k]];
        if (!covr_say(all, g)) return false;
    }
    return true;
}

static bool covr_connection(covr_graphs *all, covr_graph *g) {
    int root = covr_first(g), whole;
    if (root < 0) return true;
    memset(g->seen, 0, sizeof(int) * (size_t)g->vertices);
    g->reached = 0;
    covr_search(g, root, -1);
    whole = g->reached;
    for (int wanted = COVR_IN; wanted >= COVR_OPEN; wanted--)
        for (int v = 0; v < g->vertices; v++)
            if (g->value[v] == wanted && !g->seen[v]) {
                int low = g->reached;
                covr_search(g, v, -1);
                if (!covr_cut_off(all, g, low, g->reached, whole)) return false;
            }
    for (int k = 1; k < whole; k++) { /* a cut vertex between two that are in is in */
        int w = g->order[k], v = g->above[w];
        if (g->value[v] != COVR_OPEN || g->early[w] < g->seen[v] || g->oldest[w] < 0 || g->next[v] < 0) continue;
        g->next[v] = -1;
        g->size = 0;
        g->clause[g->size++] = g->literal[v];
        g->clause[g->size++] = -g->literal[root];
        g->clause[g->size++] = -g->literal[g->oldest[w]];
        covr_part(g, k, g->last[w], whole, v, root);
        if (!covr_say(all, g)) return false;
    }
    return true;
}

/* --- circuits ------------------------------------------------------------------------------------------------------ */

/* Edges at the vertices order[low … high) share no circuit with the edge `root`: forbid them. cut: the vertex that they
 * share with the rest, or -1. */
static bool covr_elsewhere(covr_graphs *all, covr_graph *g, int root, int low, int high, int whole, int cut) {
    bool begun = false;
    for (int wanted = COVR_IN; wanted >= COVR_OPEN; wanted--)
        for (int k = low; k < high; k++) {
            int v = g->order[k];
            for (int p = g->begin[v]; p < g->begin[v + 1]; p++) {
                int edge = g->by[p], w = g->near[p];
                if (g->value[edge] != wanted || (w > v && g->seen[w] > low && g->seen[w] <= high)) continue;
                if (!begun) {
                    begun = true;
                    g->size = 1;
                    g->clause[g->size++] = -g->literal[root];
                    covr_part(g, low, high, whole, cut, g->ends[2 * root + (g->ends[2 * root] == cut)]);
                }
                g->clause[0] = -g->literal[edge];
                if (!covr_say(all, g)) return false;
            }
        }
    return true;
}

static int covr_lead(covr_graph *g, int v) {
    while (g->lead[v] != v) v = g->lead[v] = g->lead[g->lead[v]];
    return v;
}

/* An edge that would close a path is out, if another edge is in that does not lie on the path. */
static bool covr_closing(covr_graphs *all, covr_graph *g, int root) {
    int other = -1, own;
    for (int v = 0; v < g->vertices; v++) g->lead[v] = v;
    for (int e = 0; e < g->items; e++)
        if (g->value[e] == COVR_IN) g->lead[covr_lead(g, g->ends[2 * e])] = covr_lead(g, g->ends[2 * e + 1]);
    own = covr_lead(g, g->ends[2 * root]);
    for (int e = 0; e < g->items; e++)
        if (g->value[e] == COVR_IN && covr_lead(g, g->ends[2 * e]) != own && (other < 0 || g->since[e] < g->since[other]))
            other = e;
    for (int e = 0; e < g->items; e++) {
        int path = covr_lead(g, g->ends[2 * e]), apart = path == own ? other : root;
        if (g->value[e] != COVR_OPEN || apart < 0 || covr_lead(g, g->ends[2 * e + 1]) != path) continue;
        g->size = 0;
        g->clause[g->size++] = -g->literal[e];
        g->clause[g->size++] = -g->literal[apart];
        for (int i = 0; i < g->items; i++)
            if (g->value[i] == COVR_IN && covr_lead(g, g->ends[2 * i]) == path)
                g->clause[g->size++] = -g->literal[i];
        if (!covr_say(all, g)) return false;
    }
    return true;
}

static bool covr_circuit(covr_graphs *all, covr_graph *g) {
    int root = covr_first(g), a, b, whole;
    if (root < 0) return true;
    a = g->ends[2 * root];
    b = g->ends[2 * root + 1];
    memset(g->seen, 0, sizeof(int) * (size_t)g->vertices);
    g->reached = 0;
    covr_search(g, a, a == b ? -1 : root);
    whole = g->reached;
    if (a != b && g->early[b] == g->seen[b]) { /* the edge is a bridge */
        g->size = 0;
        g->clause[g->size++] = -g->literal[root];
        covr_blame(g, b, a, -1, root);
        return covr_say(all, g);
    }
    for (int k = 1; k < whole;) {
        int v = g->order[k], p = g->above[v];
        if (v == b || (a != b && g->early[v] < g->seen[p])) {
            k++;
            continue;
        }
        if (!covr_elsewhere(all, g, root, k, g->last[v], whole, p)) return false;
        k = g->last[v];
    }
    for (int v = 0; v < g->vertices; v++)
        if (!g->seen[v]) {
            int low = g->reached;
            covr_search(g, v, -1);
            if (!covr_elsewhere(all, g, root, low, g->reached, whole, -1)) return false;
        }
    return covr_closing(all, g, root);
}

/* --- forests ------------------------------------------------------------------------------------------------------- */

/* Not all are in on the way between two vertices of a tree, with what closes a ring there: a vertex, or -1 for an edge. */
static bool covr_no_ring(covr_graphs *all, covr_graph *g, int u, int v, int closing) {
    g->size = 0;
    if (closing >= 0) g->clause[g->size++] = -g->literal[closing];
    while (u != v) {
        int *later = g->seen[u] > g->seen[v] ? &u : &v;
        g->clause[g->size++] = -g->literal[*later];
        *later = g->above[*later];
    }
    g->clause[g->size++] = -g->literal[u];
    return covr_say(all, g);
}

/* What is in has no ring; what touches a tree of it twice is out. */
static bool covr_forest(covr_graphs *all, covr_graph *g) {
    memset(g->seen, 0, sizeof(int) * (size_t)g->vertices);
    g->reached = 0;
    for (int start = 0; start < g->vertices; start++) {
        if (g->value[start] != COVR_IN || g->seen[start]) continue;
        int at = g->reached;
        for (covr_enter(g, start, -1, -1); at < g->reached; at++)
            for (int v = g->order[at], p = g->begin[v]; p < g->begin[v + 1]; p++) {
                int w = g->near[p];
                if (g->value[w] != COVR_IN || w == g->above[v]) continue;
                if (g->seen[w]) return covr_no_ring(all, g, v, w, -1);
                covr_enter(g, w, v, -1);
            }
        for (; at-- > 0 && g->order[at] != start;) g->lead[g->order[at]] = start;
        g->lead[start] = start;
    }
    for (int v = 0; v < g->vertices; v++) {
        int round = covr_round(g);
        for (int p = g->begin[v]; p < g->begin[v + 1] && g->value[v] == COVR_OPEN; p++) {
            int w = g->near[p], tree = g->lead[w];
            if (g->value[w] != COVR_IN) continue;
            if (g->visited[tree] == round) {
                if (!covr_no_ring(all, g, g->next[tree], w, v)) return false;
                break;
            }
            g->visited[tree] = round;
            g->next[tree] = w;
        }
    }
    return true;
}

#include "_areas.h"

/* --- what clingo calls --------------------------------------------------------------------------------------------- */

/* Look at all graphs that have changed. A graph whose clause was refused is looked at again the next time. */
static void covr_look(covr_graphs *all) {
    for (int k = 0; k < all->count; k++) {
        covr_graph *g = all->graphs[k];
        if (!g->dirty) continue;
        if (!g->written[g->items] || g->value[g->items] == COVR_IN)
            if (!(g->kind == COVR_AREAS     ? covr_areas_look(all, g)
                  : g->kind == COVR_CIRCUIT ? covr_circuit(all, g)
                  : g->kind == COVR_FOREST  ? covr_forest(all, g)
                                            : covr_connection(all, g)))
                return;
        g->dirty = g->changes = 0;
    }
}

static void covr_read(covr_graphs *all, covr_graph *g, const void *assignment) {
    for (int i = 0; i <= g->items; i++) {
        int truth = 0; /* free, true, false */
        if (i == g->items && !g->written[i]) break;
        all->failed |= !all->call.truth(assignment, g->literal[i], &truth);
        g->value[i] = truth == 1 ? COVR_IN : truth == 2 ? COVR_OUT : COVR_OPEN;
    }
    g->dirty = 2;
}

static bool covr_graphs_init(void *init, void *data) {
    covr_graphs *all = data;
    const void *assignment = all->call.init_assignment(init);
    int most = 0, total = 0;
    all->decided = 0;
    for (int k = 0; k < all->count; k++) {
        covr_graph *g = all->graphs[k];
        for (int i = 0; i < g->items + (g->written[g->items] != 0); i++) {
            all->failed |= !all->call.init_literal(init, g->written[i], &g->literal[i]);
            most = abs(g->literal[i]) > most ? abs(g->literal[i]) : most;
            g->since[i] = 0;
            total++;
        }
        all->failed |= g->areas && !covr_areas_ready(g);
        covr_read(all, g, assignment);
    }
    int *first = realloc(all->first, sizeof(int) * ((size_t)most + 2));
    if (first) all->first = first;
    int *uses = realloc(all->uses, sizeof(int) * 2 * ((size_t)total + 1));
    if (uses) all->uses = uses;
    if (!first || !uses || all->failed) return false;
    all->variables = most;
    memset(first, 0, sizeof(int) * ((size_t)most + 2));
    for (int turn = 0; turn < 2; turn++) { /* count, then write from the end of each row */
        for (int k = 0; k < all->count; k++) {
            covr_graph *g = all->graphs[k];
            for (int i = 0; i < g->items + (g->written[g->items] != 0); i++) {
                int v = abs(g->literal[i]);
                if (!turn) {
                    first[v]++;
                    if (g->value[i] != COVR_OPEN) continue;
                    all->failed |= !all->call.init_watch(init, g->literal[i]);
                    all->failed |= !all->call.init_watch(init, -g->literal[i]);
                } else {
                    int at = --first[v];
                    uses[2 * at] = k;
                    uses[2 * at + 1] = i;
                }
            }
        }
        for (int v = 0, sum = 0; !turn && v <= most + 1; v++) sum = first[v] += sum;
    }
    all->init = init;
    covr_look(all);
    all->init = NULL;
    return !all->failed;
}

/* Note that a literal is true, or, if `undone`, that it is open again. */
static void covr_note(covr_graphs *all, int literal, bool undone) {
    int v = abs(literal);
    if (v > all->variables) return;
    for (int at = all->first[v]; at < all->first[v + 1]; at++) {
        covr_graph *g = all->graphs[all->uses[2 * at]];
        int i = all->uses[2 * at + 1];
        g->value[i] = undone ? COVR_OPEN : (g->literal[i] == literal) ? COVR_IN : COVR_OUT;
        if (undone) {
            all->decided--;
            continue;
        }
        g->since[i] = ++all->decided;
        if (i == g->items || g->changes == g->items)
            g->dirty = 2;
        else {
            g->dirty |= 1;
            g->changed[g->changes++] = i;
        }
    }
}

static bool covr_graphs_propagate(void *control, const int32_t *changes, size_t size, void *data) {
    covr_graphs *all = data;
    for (size_t k = 0; k < size; k++) covr_note(all, changes[k], false);
    all->control = control;
    covr_look(all);
    all->control = NULL;
    return !all->failed;
}

static void covr_graphs_undo(const void *control, const int32_t *changes, size_t size, void *data) {
    (void)control;
    for (size_t k = 0; k < size; k++) covr_note(data, changes[k], true);
}

/* Everything is decided: look at everything again, as clingo holds it. */
static bool covr_graphs_check(void *control, void *data) {
    covr_graphs *all = data;
    const void *assignment = all->call.assignment(control);
    for (int k = 0; k < all->count; k++) covr_read(all, all->graphs[k], assignment);
    all->control = control;
    if (!all->failed) covr_look(all);
    all->control = NULL;
    return !all->failed;
}

/* --- how they are made --------------------------------------------------------------------------------------------- */

static covr_graphs *covr_graphs_new(void) { return calloc(1, sizeof(covr_graphs)); }

/* Have clingo call these graphs. addresses: of its functions, in the order of `covr_clingo`. */
static bool covr_graphs_register(covr_graphs *all, const unsigned long long *addresses, size_t control) {
    static const struct {
        bool (*init)(void *, void *);
        bool (*propagate)(void *, const int32_t *, size_t, void *);
        void (*undo)(const void *, const int32_t *, size_t, void *);
        bool (*check)(void *, void *);
        void *decide;
    } propagator = {covr_graphs_init, covr_graphs_propagate, covr_graphs_undo, covr_graphs_check, NULL};
    for (size_t k = 0; k < sizeof all->call / sizeof control; k++) {
        size_t one = (size_t)addresses[k];
        memcpy((char *)&all->call + k * sizeof one, &one, sizeof one);
    }
    return all->call.register_propagator((void *)control, &propagator, all, false);
}

static void covr_graph_free(covr_graph *g) {
    if (!g) return;
    if (g->areas) {
        for (int k = 0; k < g->areas->counts; k++) {
            free(g->areas->terms[k].begin);
            free(g->areas->terms[k].weight);
        }
        for (int k = 0; k < g->areas->demands; k++) {
            free(g->areas->demand[k].anchor);
            free(g->areas->demand[k].low);
        }
        free(g->areas->terms);
        free(g->areas->demand);
        free(g->areas->door);
        free(g->areas->lost);
        free(g->areas->lookers);
        free(g->areas);
    }
    free(g->written);
    free(g->value);
    free(g->clause);
    free(g);
}

static void covr_graphs_free(covr_graphs *all) {
    if (!all) return;
    for (int k = 0; k < all->count; k++) covr_graph_free(all->graphs[k]);
    free(all->graphs);
    free(all->first);
    free(all->uses);
    free(all->record);
    free(all);
}

/* Have room for so many more literals in a clause. */
static bool covr_room(covr_graph *g, int more) {
    int *larger = realloc(g->clause, sizeof(int) * ((size_t)g->most + (size_t)more));
    if (!larger) return false;
    g->clause = larger;
    g->most += more;
    return true;
}

/* The ends of edges, per vertex. doors: per edge, the item that closes it or -1; only areas have any. */
static void covr_neighbours(covr_graph *g, int edges, const int *ends, const int *doors) {
    for (int k = 0; k < 2 * edges; k++)
        if (k % 2 == 0 || ends[k] != ends[k - 1]) g->begin[ends[k]]++; /* a loop at a vertex stands there once */
    for (int v = 0, sum = 0; v <= g->vertices; v++) sum = g->begin[v] += sum;
    for (int k = 0; k < 2 * edges; k++) {
        int other = ends[k ^ 1];
        if (k % 2 && other == ends[k]) continue;
        int p = --g->begin[ends[k]];
        g->near[p] = other;
        g->by[p] = g->kind == COVR_CIRCUIT ? k / 2 : other;
        if (!g->areas) continue;
        g->areas->door[p] = doors[k / 2];
        g->areas->walls |= doors[k / 2] >= 0;
    }
}

/* Add a graph. literals: of the items, and the condition or 0.  ends: of the edges, two vertices for each; the items of
 * a circuit are its edges, those of others begin with the vertices.  doors: as of `covr_neighbours`. Returns false if
 * there is no memory. */
static bool covr_graphs_add(
    covr_graphs *all, int kind, int vertices, int items, const int *literals, int edges, const int *ends,
    const int *doors) {
    covr_graph *g = calloc(1, sizeof *g), **graphs;
    size_t n = (size_t)vertices + 1, m = (size_t)items + 1, d = 2 * (size_t)edges + 1;
    int *at;
    if (!g) return false;
    g->kind = kind;
    g->vertices = vertices;
    g->items = items;
    at = g->written = calloc(12 * n + 5 * m + 3 * d, sizeof(int));
    g->value = calloc(m, 1);
    graphs = realloc(all->graphs, sizeof *graphs * ((size_t)all->count + 1));
    if (graphs) all->graphs = graphs;
    if (kind == COVR_AREAS && (g->areas = calloc(1, sizeof *g->areas)) != NULL) {
        g->areas->door = calloc(d + 3 * n, sizeof(int));
        g->areas->lost = calloc(2 * n, sizeof(long long));
    }
    if (!at || !g->value || !graphs || !covr_room(g, 4 * items + 8) ||
        (kind == COVR_AREAS && (!g->areas || !g->areas->door || !g->areas->lost))) {
        covr_graph_free(g);
        return false;
    }
    if (g->areas) {
        g->areas->core = g->areas->door + d;
        g->areas->nothing = g->areas->core + n;
        g->areas->touched = g->areas->nothing + n;
        g->areas->below = g->areas->lost + n;
    }
#define COVR_TAKE(field, length) (g->field = at, at += (length))
    at += m;
    COVR_TAKE(literal, m), COVR_TAKE(since, m), COVR_TAKE(mark, m), COVR_TAKE(changed, m);
    COVR_TAKE(begin, n), COVR_TAKE(order, n), COVR_TAKE(seen, n), COVR_TAKE(last, n), COVR_TAKE(early, n);
    COVR_TAKE(above, n), COVR_TAKE(via, n), COVR_TAKE(next, n), COVR_TAKE(oldest, n), COVR_TAKE(lead, n);
    COVR_TAKE(stack, n), COVR_TAKE(visited, n), COVR_TAKE(near, d), COVR_TAKE(by, d), COVR_TAKE(ends, d);
#undef COVR_TAKE
    memcpy(g->written, literals, sizeof(int) * m);
    memcpy(g->literal, literals, sizeof(int) * m);
    memcpy(g->ends, ends, sizeof(int) * 2 * (size_t)edges);
    covr_neighbours(g, edges, ends, doors);
    all->graphs[all->count++] = g;
    return true;
}

/* Add what counts in the demands that come next to the last graph, whose kind is areas. begin: per vertex and at the
 * end, where its terms begin. */
static bool covr_graphs_terms(covr_graphs *all, const int *begin, const int *term, const long long *weight) {
    covr_graph *g = all->graphs[all->count - 1];
    struct covr_areas *areas = g->areas;
    size_t n = (size_t)g->vertices + 1, count = (size_t)begin[g->vertices];
    covr_terms *more = realloc(areas->terms, sizeof *more * ((size_t)areas->counts + 1)), *of;
    if (!more) return false;
    areas->terms = more;
    of = more + areas->counts++;
    memset(of, 0, sizeof *of);
    of->begin = calloc(n + count, sizeof(int));
    of->weight = calloc(count + 1, sizeof(long long));
    if (!of->begin || !of->weight || !covr_room(g, (int)count)) return false;
    of->term = of->begin + n;
    of->adds = true;
    memcpy(of->begin, begin, sizeof(int) * n);
    memcpy(of->term, term, sizeof(int) * count);
    memcpy(of->weight, weight, sizeof(long long) * count);
    for (size_t t = 0; t < count; t++) {
        of->adds &= weight[t] >= 0;
        if (weight[t] > 0) of->total += weight[t];
    }
    return true;
}

/* Add a demand on the last terms. sums: the least and the greatest of each range. */
static bool covr_graphs_demand(
    covr_graphs *all, int asks, int anchors, const int *anchor, int ranges, const long long *sums) {
    struct covr_areas *areas = all->graphs[all->count - 1]->areas;
    covr_demand *more = realloc(areas->demand, sizeof *more * ((size_t)areas->demands + 1)), *d;
    if (!more) return false;
    areas->demand = more;
    d = more + areas->demands++;
    memset(d, 0, sizeof *d);
    d->asks = asks;
    d->ranges = ranges;
    d->anchors = anchors;
    d->of = areas->terms[areas->counts - 1];
    d->anchor = calloc((size_t)anchors + 1, sizeof(int));
    d->low = calloc(2 * (size_t)ranges + 1, sizeof(long long));
    if (!d->anchor || !d->low) return false;
    d->high = d->low + ranges;
    memcpy(d->anchor, anchor, sizeof(int) * (size_t)anchors);
    for (int k = 0; k < ranges; k++) {
        d->low[k] = sums[2 * (size_t)k];
        d->high[k] = sums[2 * (size_t)k + 1];
    }
    return true;
}

/* What follows where items of the last graph have these values: the record of clauses, each behind its length. Items
 * were decided in the order of their numbers. */
static int covr_graphs_record(covr_graphs *all, const int *values) {
    covr_graph *g = all->graphs[all->count - 1];
    all->recorded = 0;
    for (int i = 0; i <= g->items; i++) {
        g->value[i] = (signed char)values[i];
        g->since[i] = i;
    }
    g->dirty = 2;
    all->failed |= g->areas && !covr_areas_ready(g);
    if (!all->failed) covr_look(all);
    return all->failed ? -1 : all->recorded;
}

#endif
