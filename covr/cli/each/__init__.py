"""A file of puzzles comes in, and one line for each of them goes out: `--each` of several subcommands.

Reading order: collection.py (one question for each record), faulty.py (records with faults), beside.py (solutions that
the file gives beside its puzzles), links.py (a file of links).
"""
