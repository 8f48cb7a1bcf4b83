"""What the subcommands have in common: a command line comes in, and its words, searches and answers are seen to.

Reading order: group.py (the `covr` command: imports a subcommand when it is called, and turns errors into messages),
help.py (the help of a subcommand, and words for a shell to complete), asking.py (what a subcommand asks of a model, and
what surrounds its work), shared.py (models, params and options), verdicts.py (verdicts as sentences with their exit
codes, and the command that says more), progress.py (shows how far compiling and searching are: on a terminal, or as
lines for programs), writing.py (`-o`, `--format`, `--json`, `--puzzle`: where answers go and how they are written),
puzzle_sheet.py (the puzzles of `covr make` as lines, tables, booklets and sheets).
"""
