"""A file of puzzles comes in, and one line for each of them goes out: `--each` of several subcommands.

Reading order: collection.py (`--each`: one question for each record or link of a file, one line for each answer),
faulty.py (faulty records of a collection, each kind shown once, and solutions that a file gives).
"""
