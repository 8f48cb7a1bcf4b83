"""A search is kept in a file while it runs; if it is killed at any moment, it can be continued from there.

Reading order: contents.py (what a run file holds: its tables, its contents as values, and the lock on it), record.py (a
run file: what a long search has found, in SQLite), question.py (the question, and the model that is restored from the
file), recorded.py (the run), state.py (how far a run is, read from its file, and the answers in it), cluster.py (its
pieces on many machines), diagram_file.py (all answers as a diagram, in a file of its own), folder/ (open pieces as
files, for any number of processes), engine/, pieces/.
"""
