# Room for an object of a class, all of whose fields are still to be set: what `object.__new__` makes, without looking
# for arguments that it might have been given. Cython's own declaration of PyType_GenericAlloc names another type.
cdef extern from *:
    """
    static PyObject *covr_room(PyObject *kind) { return PyType_GenericAlloc((PyTypeObject *)kind, 0); }
    """
    object _room "covr_room"(object kind)
