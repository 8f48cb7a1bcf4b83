"""A search comes in; parts of it go out, which can be searched in parallel, or one after another for days.

Reading order: split.py (a search cut into prefixes), sided_split.py (the same with side conditions), prefix_search.py
(many prefixes on one kernel), parallel.py (one search on several threads), class_cut.py, class_count.py,
class_pieces.py and class_search.py (one answer of each class of a group), chain_cut.py and chain_pieces.py (the same
where the group is too large to be listed); piece_values.py, piece_work.py and piece.py (one piece of a long search:
what is asked of it, how it is searched, and when it is cut), packing.py (answers as bytes), ledger.py (which pieces are
open, taken and done), workers.py (what searches them), piece_search.py (all pieces as one search).
"""
