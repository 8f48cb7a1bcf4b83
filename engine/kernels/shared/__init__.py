"""What all kernels share, and what the interpreted ones need instead of Cython.

Reading order: _kernel.h (the numbers that Python and C both know), _kernel.py (counters, and how a search is run in
slices), _looks.py (limits in the middle of a long step), _arrays.h (arrays in C), shim.py (instead of Cython's
module), arrays.py (of its arrays), sorting.py (of sorting them), words.py (of C's functions on words).
"""
