# The functions that make C arrays for all kernels. _memory.py describes each, and is their counterpart in Python.
#
# An array lives as long as the list `hold`. Each has room for at least one number, so that it always has an address.
from cpython.buffer cimport Py_buffer, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer


cdef inline void *_address(object numbers, str kind, list hold) except? NULL:
    cdef Py_buffer buffer
    cdef void *address
    if numbers.typecode != kind:
        raise TypeError(f"an array of '{kind}' was expected, not of '{numbers.typecode}'")
    PyObject_GetBuffer(numbers, &buffer, PyBUF_WRITABLE)
    address = buffer.buf
    PyBuffer_Release(&buffer)
    hold.append(numbers)
    return address


cdef inline void *_copied(str kind, object values, list hold) except? NULL:
    from array import array
    return _address(array(kind, [*values, 0]), kind, hold)


cdef inline void *_blank(str kind, Py_ssize_t size, list hold) except? NULL:
    from array import array
    return _address(array(kind, [0]) * max(size, 1), kind, hold)


cdef inline object _zeros(Py_ssize_t size):
    from array import array
    return array("Q", [0]) * max(size, 1)


cdef inline unsigned long long *_words(object words, list hold) except? NULL:
    return <unsigned long long *> _address(words, "Q", hold)


cdef inline int *_shared_ints(object numbers, list hold) except? NULL:
    return <int *> _address(numbers, "i", hold)


cdef inline int *_ints(object values, list hold) except? NULL:
    return <int *> _copied("i", values, hold)


cdef inline long long *_longs(object values, list hold) except? NULL:
    return <long long *> _copied("q", values, hold)


cdef inline double *_reals(object values, list hold) except? NULL:
    return <double *> _copied("d", values, hold)


cdef inline short *_zero_shorts(Py_ssize_t size, list hold) except? NULL:
    return <short *> _blank("h", size, hold)


cdef inline signed char *_zero_bytes(Py_ssize_t size, list hold) except? NULL:
    return <signed char *> _blank("b", size, hold)


cdef inline int *_zero_ints(Py_ssize_t size, list hold) except? NULL:
    return <int *> _blank("i", size, hold)


cdef inline long long *_zero_longs(Py_ssize_t size, list hold) except? NULL:
    return <long long *> _blank("q", size, hold)


cdef inline unsigned long long *_zero_words(Py_ssize_t size, list hold) except? NULL:
    return <unsigned long long *> _blank("Q", size, hold)


cdef inline double *_zero_reals(Py_ssize_t size, list hold) except? NULL:
    return <double *> _blank("d", size, hold)
