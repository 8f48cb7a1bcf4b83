"""A run's open pieces as a folder of files, which any number of processes answer without a scheduler.

Reading order: results.py (the files of a folder of pieces, and how its results go back into the run), claims.py (who is
at work on a piece of a folder, and how far the folder is), work.py (a run becomes a folder of pieces, these are
a tree, and a piece is answered).
"""
