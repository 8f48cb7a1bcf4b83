# Shell's sort of C arrays, for all kernels. sorting.py says what the functions do, and is their counterpart in Python.
cdef inline void _shell_sort(int *numbers, const int *keys, int first, int end) noexcept nogil:
    cdef int gap = 1
    cdef int a
    cdef int b
    cdef int x
    cdef int key
    while gap < (end - first) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for a in range(first + gap, end):
            x = numbers[a]
            key = x if keys == NULL else keys[x]
            b = a
            while b >= first + gap and (numbers[b - gap] if keys == NULL else keys[numbers[b - gap]]) > key:
                numbers[b] = numbers[b - gap]
                b -= gap
            numbers[b] = x
        gap //= 3


cdef inline void sort(int *numbers, int first, int end) noexcept nogil:
    _shell_sort(numbers, NULL, first, end)


cdef inline void sort_by(int *numbers, const int *keys, int first, int end) noexcept nogil:
    _shell_sort(numbers, keys, first, end)
