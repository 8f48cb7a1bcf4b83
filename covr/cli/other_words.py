"""What options are called in other tools: solvers, compilers, programs for puzzles."""

from __future__ import annotations

# An option that covr does not have → those of covr that mean it, the first that a command has being the one.
MEANT: dict[str, tuple[str, ...]] = {}
_ALIKE: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("--timeout --time-limit --timelimit --time --max-time --tlimit --limit --seconds -t -T", ("--limit-time",)),
    ("--threads --num-threads --workers --cores --parallel --processes --cpus -j -p", ("--jobs",)),
    ("--all-solutions --all-answers --enumerate -a", ("--all",)),
    (
        "--num-solutions --solutions --max-solutions --models --answers --number --count --num",
        ("-n", "--limit-answers"),
    ),
    ("--random-seed --random --rng", ("--seed",)),
    ("--verbose --statistics --stats --log -v -s", ("--progress",)),
    ("--silent --no-progress", ("--quiet",)),
    ("--output-file --outfile --save --svg --pdf --png", ("--output",)),
    ("--memory --memory-limit --memlimit --max-memory --mem", ("--limit-memory",)),
    ("--node-limit --nodes --max-nodes", ("--limit-nodes",)),
    ("--solver --backend --algorithm", ("--engine",)),
    ("--define --data --param --set -d", ("-D",)),
    ("--input-format --input", ("--from",)),
    ("--output-format", ("--format",)),
    ("--bound --bounds --lower-bound", ("--estimate",)),
    ("--checkpoint --resume --journal", ("--run",)),
)
for _words, _ours in _ALIKE:
    MEANT.update(dict.fromkeys(_words.split(), _ours))


def meant(word: str, known: list[str]) -> str | None:
    """The option that a word of another tool means in a command with these options; None if there is none."""
    return next((ours for ours in MEANT.get(word, ()) if ours in known), None)
