# The functions that make C arrays for all kernels. arrays.py describes each, and is their counterpart in Python.
#
# An array lives as long as the list `hold`. Each has room for at least one number, so that it always has an address.
cdef extern from "_arrays.h":
    int *_ints "covr_ints"(object values, list hold) except NULL
    long long *_longs "covr_longs"(object values, list hold) except NULL
    double *_reals "covr_reals"(object values, list hold) except NULL
    unsigned long long *_new_words "covr_new_words"(object values, list hold) except NULL
    int *_shared_ints "covr_shared_ints"(object numbers, list hold) except NULL
    unsigned long long *_words "covr_words"(object words, list hold) except NULL
    object _zeros "covr_zero_array"(Py_ssize_t size)
    signed char *_zero_bytes "covr_zero_bytes"(Py_ssize_t size, list hold) except NULL
    short *_zero_shorts "covr_zero_shorts"(Py_ssize_t size, list hold) except NULL
    int *_zero_ints "covr_zero_ints"(Py_ssize_t size, list hold) except NULL
    long long *_zero_longs "covr_zero_longs"(Py_ssize_t size, list hold) except NULL
    unsigned long long *_zero_words "covr_zero_words"(Py_ssize_t size, list hold) except NULL
    double *_zero_reals "covr_zero_reals"(Py_ssize_t size, list hold) except NULL
