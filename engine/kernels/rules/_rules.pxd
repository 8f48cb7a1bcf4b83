# The calls of _rules.h.
cdef extern from "_rules.h":
    Py_ssize_t covr_rules(size_t rule, size_t weights, size_t backend, const int *flat, Py_ssize_t size)
    Py_ssize_t covr_true(size_t is_true, size_t model, const int *atoms, Py_ssize_t size, int *found)
