"""What the subcommands have in common: a command line comes in, and its words, searches and answers are seen to.

Reading order: group.py (finds a subcommand, and handles errors), help.py (the short help and the long one), asking.py
(what is asked), frame.py (what every subcommand does around its own work), shared.py (models, params and options),
verdicts.py (verdicts as sentences), hint.py, interrupt.py (Ctrl-C), progress.py and compiling.py (how far a search or
a compilation is), writing.py (where answers go) with text.py, picture.py (`--puzzle`), running.py (`--run`),
proving.py (`--proof`), shell_completion.py. Parts of one subcommand each: checking.py (`covr solve --check-estimate`),
puzzle_sheet.py and puzzle_table.py (`covr make`), diagram_answers.py (`covr answers`).
"""
