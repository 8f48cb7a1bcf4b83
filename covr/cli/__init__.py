"""Words on a command line come in, answers, sentences and an exit code go out.

Reading order: exits.py (exit codes), group.py (finding a subcommand, and what happens to errors), shared.py (what
subcommands have in common), report.py (diagnostics on standard error), stream.py (`--json`), interrupt.py (Ctrl-C),
words.py (verdicts as sentences); then one file a subcommand: solve.py with each.py, count.py, check.py, test.py,
show.py, new.py.
"""

from __future__ import annotations


def main() -> int:
    """The `covr` command. Returns its exit code."""
    try:
        from covr.cli.group import cli

        return int(cli.main(prog_name="covr", standalone_mode=False))
    except KeyboardInterrupt:  # while it starts or ends; in between the group catches it
        return 130
