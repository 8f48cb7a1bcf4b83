"""A problem comes in, and how many answers it has goes out, without a visit to each of them.

Reading order: part_nodes.py and part_count.py (by some of the options), frontier_count.py (item by
item), side_states.py, side_sweep.py, packed_sweep.py and side_count.py (with side conditions, option by option).
"""
