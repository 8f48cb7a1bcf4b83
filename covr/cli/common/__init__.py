"""What the subcommands have in common: a command line comes in, and its words, searches and answers are seen to.

Reading order: group.py (the `covr` command and its subcommands: their help, and errors as messages), shared.py (models,
params and options, and words for a shell to complete), asking.py (what a subcommand asks of a model, and what surrounds
its work), progress.py (how far compiling and searching are, and verdicts in words), writing.py (`-o`, `--format`,
`--json`, `--puzzle`: where answers go and how they are written).
"""
