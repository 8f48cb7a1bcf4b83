"""A search comes in; parts of it go out, which can be searched in parallel, or one after another for days.

Reading order: split.py (a search cut into prefixes), parallel.py (one search on several threads: the same answers in
the same order), class_pieces.py (classes of answers in pieces: cut by a group, and counted by what its members fix),
class_search.py (one answer of each class of a group), ledger.py (the pieces of a search: which are open, taken and
done, and what came of each), piece_work.py (the search of one piece, and its answers as bytes), piece.py (one piece of
a long search, and the workers that search it), piece_search.py (all pieces as one search).
"""
