# What _graphs.py uses of _graphs.h.
cdef extern from "_graphs.h":
    ctypedef struct covr_graphs:
        int *record
    covr_graphs *covr_graphs_new()
    void covr_graphs_free(covr_graphs *all)
    bint covr_graphs_add(
        covr_graphs *all, int kind, int vertices, int items, const int *literals, int edges, const int *ends,
        const int *doors)
    bint covr_graphs_terms(covr_graphs *all, const int *begin, const int *term, const long long *weight)
    bint covr_graphs_demand(
        covr_graphs *all, int asks, int anchors, const int *anchor, int ranges, const long long *sums)
    bint covr_graphs_register(covr_graphs *all, const unsigned long long *addresses, size_t control)
    int covr_graphs_record(covr_graphs *all, const int *values)

cdef class GraphSides:
    cdef covr_graphs *all
    cdef object _add(self, int kind, int vertices, object literals, object ends, object doors)
