"""A search is kept in a file while it runs; if it is killed at any moment, it can be continued from there.

Reading order: contents.py (what a run file holds: its tables, its contents as values, and the lock on it), record.py (a
run file: what a long search has found, in SQLite), question.py (the question, and the model that is restored from the
file), recorded.py (the run, how far it is, and the answers in it), cluster.py (its pieces on many machines), and open
pieces as a folder of files, for any number of processes without a scheduler: folder_results.py (its files, and how
results go back into the run), folder_claims.py (who is at work on a piece, and how far the folder is), folder_work.py
(a run becomes a folder of pieces, these are a tree, and a piece is answered).
"""
