"""The words of a command line come in; answers, sentences and an exit code go out.

Reading order: group.py (the `covr` command and its subcommands: their help, and errors as messages), shared.py (models,
params and options, and words for a shell to complete), asking.py (what a subcommand asks of a model, and what surrounds
its work), progress.py (how far compiling and searching are, and verdicts in words), writing.py (`-o`, `--format`,
`--json`, `--puzzle`: where answers go and how they are written), solve.py (`covr solve`, `count` and
`resume`), each.py (`--each`: collections of puzzles), each_faults.py (their faulty records, and solutions that they
give), check.py (`covr check`, `params` and `test`), explain.py (`covr explain`, `help`, `fmt` and `verify`), size.py
(`covr size` and `covr sample`), hint.py (`covr hint`, `candidates`, `grade`, `why` and `spare`: what answers rest on),
make.py, answers.py (`covr compile` and `answers`: answers kept in files; `split`, `piece`, `merge` and `status`: runs
in folders of pieces), show.py (`covr show`, `trace` and `watch`), new.py (`covr new`, `gallery`, `studio`, `lsp`,
`completion` and `convert`).
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress

# Objects that Python makes before it looks for cycles among the young ones; 700 by default, which takes a twelfth of
# the time in which covr starts and compiles a small model, to find nothing.
GARBAGE = 20_000


def _leave_deaf(code: int) -> None:
    """End the process at once if an outside solver is still running and does not react to the request to stop."""
    outside = sys.modules.get("covr.engine.outside.solvers")
    if outside is not None and not outside.all_end():
        sys.stderr.flush()
        os._exit(code)


def main() -> int:
    """The `covr` command. Returns its exit code, which a fault while output is written never changes into another
    verdict."""
    try:
        from covr.output.streams import CLOSED, finish, guard

        there = guard()
        gc.set_threshold(GARBAGE)
        # Python looks for cycles among all objects twice more before it ends: a sixth of the time of a small question.
        atexit.register(gc.freeze)
        from covr.cli.group import cli

        if not there:
            sys.stderr.write(CLOSED + "\n")
            return 2
        code = finish(int(cli.main(prog_name="covr", standalone_mode=False)))
        _leave_deaf(code)
        return code
    except KeyboardInterrupt:  # during start or end; in between the group of commands catches it
        if sys.stderr is not None:
            with suppress(OSError, ValueError):  # standard error is closed, or the disk is full
                sys.stderr.write("\ninterrupted\n")
        return 130
    except Exception as error:  # Python would exit with 1, which means that there is no answer
        if os.environ.get("COVR_TRACEBACK"):  # the group of commands lets a mistake through, to be shown here
            import traceback

            traceback.print_exc()
        elif sys.stderr is not None:
            sys.stderr.write(f"error: covr can't start ({type(error).__name__}: {str(error)[:200]})\n")
        return 2
