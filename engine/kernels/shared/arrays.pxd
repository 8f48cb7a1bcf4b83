# The functions that make C arrays for all kernels. arrays.py describes each, and is their counterpart in Python.
#
# An array lives as long as the list `hold`. Each has room for at least one number, so that it always has an address.
from cpython.buffer cimport Py_buffer, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer

cdef enum:
    LARGE = 1 << 22  # bytes; arrays of so many that are all 0 get pages of their own


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
    # Only from lists and tuples, because an array takes bytes for its memory.
    numbers = array(kind, values if isinstance(values, (list, tuple)) else list(values))
    numbers.append(0)
    return _address(numbers, kind, hold)


cdef inline void *_blank(str kind, Py_ssize_t size, list hold) except? NULL:
    import mmap
    from array import array
    cdef Py_buffer buffer
    cdef void *address
    cdef Py_ssize_t bytes = max(size, 1) * array(kind).itemsize
    if bytes < LARGE or not hasattr(mmap, "MAP_PRIVATE"):
        return _address(array(kind, [0]) * max(size, 1), kind, hold)
    # The system sets a page to 0 when it is first used. To do it here would take a tenth of a second for 200 MB.
    pages = mmap.mmap(-1, bytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    PyObject_GetBuffer(pages, &buffer, PyBUF_WRITABLE)
    address = buffer.buf
    PyBuffer_Release(&buffer)
    hold.append(pages)
    return address


cdef inline object _zeros(Py_ssize_t size):
    from array import array
    return array("Q", [0]) * max(size, 1)


cdef inline unsigned long long *_words(object words, list hold) except? NULL:
    return <unsigned long long *> _address(words, "Q", hold)


cdef inline int *_shared_ints(object numbers, list hold) except? NULL:
    return <int *> _address(numbers, "i", hold)


cdef inline int *_ints(object values, list hold) except? NULL:
    # Number by number, which is ten times as fast as to make an array of a list.
    from array import array
    cdef list row = values if isinstance(values, list) else list(values)
    cdef Py_ssize_t k
    cdef Py_ssize_t size = len(row)
    cdef int *numbers = <int *> _address(array("i", [0]) * (size + 1), "i", hold)
    for k in range(size):
        numbers[k] = row[k]
    return numbers


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
