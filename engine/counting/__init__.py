"""A problem comes in, and how many answers it has goes out, without a visit to each of them.

Reading order: part_count.py (counts of problems of which only some options tell answers apart), frontier_count.py (item
by item), side_states.py, side_sweep.py (counts of problems with side conditions, by a sweep over their options).
"""
