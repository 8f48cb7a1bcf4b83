/* C arrays for kernels, by Python's interface alone that stays the same between versions. arrays.py says what each
 * function makes; arrays.pxd gives them to the kernels. They are written in C and are never inlined, because every
 * kernel has its own copy: what Cython makes of them is a third of a small kernel, and of the time to compile it.
 *
 * An array lives as long as the list `hold`. Each has room for at least one number, so that it always has an address.
 * Where something fails, the result is NULL and Python's exception is set. */
#ifndef COVR_ARRAYS_H
#define COVR_ARRAYS_H

#if defined(__GNUC__) || defined(__clang__)
#define COVR_APART static __attribute__((unused, noinline, cold))
#else
#define COVR_APART static
#endif

/* Arrays of so many bytes that are all 0 get pages of their own. */
enum { COVR_LARGE = 1 << 22 };

/* The memory of something that may be written to, which `hold` keeps. It takes the reference; NULL is passed on. */
COVR_APART void *covr_held(PyObject *numbers, PyObject *hold) {
    Py_buffer buffer;
    void *address = NULL;
    if (numbers != NULL && PyObject_GetBuffer(numbers, &buffer, PyBUF_WRITABLE) == 0) {
        address = buffer.buf;
        PyBuffer_Release(&buffer);
        if (PyList_Append(hold, numbers) < 0)
            address = NULL;
    }
    Py_XDECREF(numbers);
    return address;
}

/* An array of `size` numbers that are all 0, at least one. */
COVR_APART PyObject *covr_zeros(const char *kind, Py_ssize_t size) {
    PyObject *module = PyImport_ImportModule("array"), *one, *many = NULL;
    if (module == NULL)
        return NULL;
    one = PyObject_CallMethod(module, "array", "s(i)", kind, 0);
    Py_DECREF(module);
    if (one != NULL)
        many = PySequence_Repeat(one, size > 0 ? size : 1);
    Py_XDECREF(one);
    return many;
}

/* The caller's own array, which must be of this kind. */
COVR_APART void *covr_shared(const char *kind, PyObject *numbers, PyObject *hold) {
    PyObject *own = PyObject_GetAttrString(numbers, "typecode");
    int same;
    if (own == NULL)
        return NULL;
    same = PyUnicode_Check(own) && PyUnicode_CompareWithASCIIString(own, kind) == 0;
    if (!same)
        PyErr_Format(PyExc_TypeError, "an array of '%s' was expected, not of '%S'", kind, own);
    Py_DECREF(own);
    if (!same)
        return NULL;
    Py_INCREF(numbers);
    return covr_held(numbers, hold);
}

/* Values, followed by a 0. They are written one by one, which is ten times as fast as to make an array of a list. */
COVR_APART void *covr_copied(const char *kind, PyObject *values, PyObject *hold) {
    PyObject *row = PyList_CheckExact(values) ? (Py_INCREF(values), values) : PySequence_List(values);
    Py_ssize_t k, size = row == NULL ? 0 : PyList_Size(row);
    void *address = row == NULL ? NULL : covr_held(covr_zeros(kind, size + 1), hold);
    for (k = 0; address != NULL && k < size; k++) {
        PyObject *value = PyList_GetItem(row, k); /* borrowed */
        if (*kind == 'd') {
            ((double *)address)[k] = PyFloat_AsDouble(value);
        } else if (*kind == 'Q') {
            ((unsigned long long *)address)[k] = PyLong_AsUnsignedLongLong(value);
        } else {
            long long number = PyLong_AsLongLong(value);
            if (*kind == 'q')
                ((long long *)address)[k] = number;
            else if ((((int *)address)[k] = (int)number) != number)
                PyErr_SetString(PyExc_OverflowError, "value too large to convert to int");
        }
        if (PyErr_Occurred())
            address = NULL;
    }
    Py_XDECREF(row);
    return address;
}

/* What `mmap` is told to give pages that belong to nobody else, or NULL. */
COVR_APART PyObject *covr_flags(PyObject *module) {
    PyObject *own = PyObject_GetAttrString(module, "MAP_PRIVATE");
    PyObject *unnamed = PyObject_GetAttrString(module, "MAP_ANONYMOUS"), *both = NULL;
    if (own != NULL && unnamed != NULL)
        both = PyNumber_Or(own, unnamed);
    Py_XDECREF(own);
    Py_XDECREF(unnamed);
    return both;
}

/* Pages of their own for so many bytes; NULL without an exception where there are no such pages, as on Windows. */
COVR_APART PyObject *covr_pages(Py_ssize_t bytes) {
    PyObject *module = PyImport_ImportModule("mmap"), *named = NULL, *given = NULL, *make = NULL, *pages = NULL;
    if (module != NULL && PyObject_HasAttrString(module, "MAP_PRIVATE")) {
        named = Py_BuildValue("{s:N}", "flags", covr_flags(module));
        given = Py_BuildValue("(in)", -1, bytes);
        make = PyObject_GetAttrString(module, "mmap");
        if (named != NULL && given != NULL && make != NULL)
            pages = PyObject_Call(make, given, named);
    }
    Py_XDECREF(module);
    Py_XDECREF(named);
    Py_XDECREF(given);
    Py_XDECREF(make);
    return pages;
}

/* `size` numbers of `width` bytes that are all 0. The system sets a page to 0 when it is first used; to do it here
 * would take a tenth of a second for 200 MB. */
COVR_APART void *covr_blank(const char *kind, Py_ssize_t size, size_t width, PyObject *hold) {
    PyObject *pages = NULL;
    if (size >= COVR_LARGE / (Py_ssize_t)width)
        pages = covr_pages(size * (Py_ssize_t)width);
    if (pages == NULL && PyErr_Occurred())
        return NULL;
    return covr_held(pages != NULL ? pages : covr_zeros(kind, size), hold);
}

/* The names of arrays.pxd, each for one type. */
#define covr_ints(values, hold) ((int *)covr_copied("i", values, hold))
#define covr_longs(values, hold) ((long long *)covr_copied("q", values, hold))
#define covr_reals(values, hold) ((double *)covr_copied("d", values, hold))
#define covr_new_words(values, hold) ((unsigned long long *)covr_copied("Q", values, hold))
#define covr_shared_ints(numbers, hold) ((int *)covr_shared("i", numbers, hold))
#define covr_words(words, hold) ((unsigned long long *)covr_shared("Q", words, hold))
#define covr_zero_array(size) covr_zeros("Q", size)
#define covr_zero_bytes(size, hold) ((signed char *)covr_blank("b", size, 1, hold))
#define covr_zero_shorts(size, hold) ((short *)covr_blank("h", size, sizeof(short), hold))
#define covr_zero_ints(size, hold) ((int *)covr_blank("i", size, sizeof(int), hold))
#define covr_zero_longs(size, hold) ((long long *)covr_blank("q", size, sizeof(long long), hold))
#define covr_zero_words(size, hold) ((unsigned long long *)covr_blank("Q", size, sizeof(long long), hold))
#define covr_zero_reals(size, hold) ((double *)covr_blank("d", size, sizeof(double), hold))

#endif
