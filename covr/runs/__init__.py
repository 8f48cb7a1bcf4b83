"""A question that is kept in a file while it is searched: killed at any instant, it goes on where it was.

Reading order: rows.py (the file's tables, and how damage is found), lock.py (one process at a time), record.py (the
file), question.py (what it is about, and the way back to the model), recorded.py (the run), state.py (how far it is),
listing.py (its answers), cluster.py (its pieces on many machines). The search in pieces is the engine's:
engine/pieces/.
"""
