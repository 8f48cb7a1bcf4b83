"""A run's open pieces as a folder of files, which any number of processes answer without a scheduler.

Reading order: files.py (how a file is written whole and once), head.py (what the folder is about: a small run file that
nobody changes), results.py (what came of a piece), claims.py (who is at work on a piece, and whether it still is),
bests.py (the better answers of a search for a minimum), tree.py (which pieces are done, cut, taken and free), split.py
(a run becomes a folder), work.py (a piece is answered), merge.py (the results go back into the run), standing.py (how
far the folder is).
"""
