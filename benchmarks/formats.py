"""`python -m benchmarks formats`: are the files that covr writes read by the programs that they are written for, and do
these find as many answers, or the same optimum? Prints the table of docs/formats.md, and each file that was read
otherwise.

Ten models of the gallery and fifty small problems are written in every format that can express them. Programs are
found on the PATH: `apt-get install glpk-utils coinor-cbc lp-solve clasp minizinc`, `pip install miniexact`, and
Knuth's, which have no package, as dlx1, dlx2, dlx3, dlx5, dlx6, ssxcc and xccdc. `pip install highspy pyscipopt pulp
ortools python-sat` into any Python, which `--python` names. What is not there is left out of the table.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from covr.compiler import compile_model
from covr.compiler.formats import FORMATS, FormatFault, Unwritable
from covr.compiler.formats.draft import listening
from covr.engine import Limits, Problem, Status, Total, build, count, search
from covr.frozen import frozen
from covr.inputs.library import open_model

MODELS = ("toy", "queens", "langford", "sudoku", "experts", "crew", "akari", "toichika2", "crossword", "knapsack")
SMALL = 50
SECONDS = 60  # for one file
HERE = Path(__file__).parent


@frozen
class Reading:
    """What a program found: how many answers there are, or the least cost; None for no answer. Either may be unknown,
    which is -1 and infinity."""

    answers: int = -1
    value: float | None = float("inf")


@frozen
class Peer:
    """A program. form: the format that it reads.  command: with FILE for the file.  read: from its output to what it
    found; None if it refuses the file.  version: a command that says its version, or the version itself.  like: the
    program of Knuth's whose files it reads, or empty; the first comment of a .dlx file says whether that one does.
    back: the command with which it writes the file FILE anew, as OUT."""

    name: str
    form: str
    command: tuple[str, ...]
    read: Callable[[str], Reading | None]
    version: tuple[str, ...] = ()
    like: str = ""
    back: tuple[str, ...] = ()


def counted(pattern: str) -> Callable[[str], Reading | None]:
    """Reads how many answers a program found."""

    def read(text: str) -> Reading | None:
        found = re.search(pattern, text)
        return None if found is None else Reading(answers=int(found[1]))

    return read


def valued(pattern: str, none: str = "infeasible|no (integer |primal )?feasible") -> Callable[[str], Reading | None]:
    """Reads the least cost that a program found. none: how it says that there is no answer."""

    def read(text: str) -> Reading | None:
        if re.search(none, text, re.IGNORECASE):
            return Reading(value=None)
        found = re.search(pattern, text, re.IGNORECASE)
        return None if found is None else Reading(value=float(found[1]))

    return read


def said(text: str) -> Reading | None:
    """Reads what _formats_peers.py writes."""
    found = re.search(r"^found (\S+)", text, re.MULTILINE)
    if found is None or found[1] == "refused":
        return None
    return Reading(value=None if found[1] == "none" else float(found[1]))


def cheapest(text: str) -> Reading | None:
    """Reads the cost of what DLX5 finds, which is one of the best answers."""
    found = re.search(r"optimum cost is \$(\d+)", text)
    done = re.search(r"Altogether (\d+) solution", text)
    return None if done is None else Reading(value=None if done[1] == "0" else float(found[1]) if found else 0)


def answered(text: str) -> Reading | None:
    """Reads what MiniZinc writes when asked for every answer, or for the best."""
    if "UNSATISFIABLE" in text:
        return Reading(0, None)
    costs = re.findall(r" cost (-?\d+)", text)
    if costs:
        return Reading(value=float(costs[-1])) if "==========" in text else None
    return Reading(answers=text.count("----------")) if "==========" in text else None


NUMBER = r"(-?[\d.]+(?:e[-+]?\d+)?)"


def peers(python: str) -> list[Peer]:
    """Every program, whether it is there or not."""
    knuth = [
        Peer(name, "dlx", (name.lower(), "m0"), counted(r"Altogether (\d+) solution"), ("of 2025",), name)
        for name in ("DLX1", "DLX2", "DLX3", "DLX6", "SSXCC", "XCCDC")
    ]
    knuth.append(Peer("DLX5", "dlx", ("dlx5",), cheapest, ("of 2025",), "DLX5"))
    script = (python, str(HERE / "_formats_peers.py"))
    forms = {
        "HiGHS": ("lp", "mps"),
        "SCIP": ("lp", "mps", "opb"),
        "PuLP": ("mps",),
        "OR-Tools": ("mps",),
        "RC2": ("wcnf",),
    }
    library = [
        Peer(
            name,
            form,
            (*script, name, "FILE"),
            said,
            (*script, name),
            back=(*script, name, "FILE", "OUT") if form in ("lp", "mps") else (),
        )
        for name in forms
        for form in forms[name]
    ]
    cbc = valued(rf"objective value:?\s+{NUMBER}", "infeasible")
    glpsol = valued(rf"Objective:\s+\S+ = {NUMBER}")
    lp_solve = valued(rf"Value of objective function: {NUMBER}")
    clasp = counted(r"Models\s*:\s*(\d+)")
    version = ("--version",)
    # fmt: off
    return [
        *knuth,
        Peer("miniexact", "dlx", ("miniexact", "-c", "-e", "FILE"), counted(r"Found (\d+) solution"), ("-h",), "DLX2"),
        *library,
        *(Peer("CBC", form, ("cbc", "FILE", "solve", "quit"), cbc, ("quit",)) for form in ("lp", "mps")),
        Peer("GLPK (`--lp`)", "lp", ("glpsol", "--lp", "FILE", "-o", "/dev/stdout"), glpsol, version, "",
             ("glpsol", "--lp", "FILE", "--check", "--wlp", "OUT")),
        Peer("GLPK (`--mps`)", "mps", ("glpsol", "--mps", "FILE", "-o", "/dev/stdout"), glpsol, version, "",
             ("glpsol", "--mps", "FILE", "--check", "--wmps", "OUT")),
        Peer("GLPK (`--freemps`)", "mps", ("glpsol", "--freemps", "FILE", "-o", "/dev/stdout"), glpsol, version, "",
             ("glpsol", "--freemps", "FILE", "--check", "--wfreemps", "OUT")),
        Peer("lp_solve (`-mps`)", "mps", ("lp_solve", "-mps", "FILE"), lp_solve, ("-h",), "",
             ("lp_solve", "-mps", "FILE", "-S1", "-parse_only", "-wmps", "OUT")),
        Peer("lp_solve (`-fmps`)", "mps", ("lp_solve", "-fmps", "FILE"), lp_solve, ("-h",), "",
             ("lp_solve", "-fmps", "FILE", "-S1", "-parse_only", "-wfmps", "OUT")),
        *(
            Peer("clasp", form, ("clasp", "-n", "0", "-q", "--opt-mode=ignore", "FILE"), clasp, version)
            for form in ("opb", "cnf")
        ),
        Peer("MiniZinc with Gecode", "minizinc", ("minizinc", "--solver", "gecode", "-a", "FILE"), answered, version),
    ]
    # fmt: on


def run(command: tuple[str, ...], file: Path | None = None, out: Path | None = None) -> str:
    """What a command writes. A program that reads standard input gets the file there."""
    words = [{"FILE": str(file), "OUT": str(out)}.get(word, word) for word in command]
    try:
        text = file.read_text() if file is not None and file.suffix == ".dlx" else ""
        done = subprocess.run(
            words, input=text, capture_output=True, text=True, timeout=SECONDS, check=False, cwd=tempfile.gettempdir()
        )
    except subprocess.TimeoutExpired:
        return "too slow"
    return done.stdout + done.stderr


def version_of(peer: Peer) -> str | None:
    """The version of a program; None if it is not there."""
    if shutil.which(peer.command[0]) is None:
        return None
    if peer.version == ("of 2025",):
        return peer.version[0]
    if len(peer.version) > 1:
        return run(peer.version).strip() or None
    found = re.search(
        r"(?:version|Version:|Solver) (\d+[\d.]*\d)", run((peer.command[0], *peer.version)), re.IGNORECASE
    )
    return found[1].rstrip(".") if found else ""


def small(seed: int) -> Problem:
    """A small problem of one of several kinds; those with an odd seed have costs, and every fifth has totals."""
    rng = random.Random(seed)
    kind = rng.choice(["exact", "exact", "colours", "colours", "ranges", "cover"])
    primary, secondary, options = rng.randint(1, 4), rng.randint(0, 3), rng.randint(3, 10)
    low = {"ranges": (1, 2), "cover": (1, 99)}.get(kind, (1, 1))
    bounds = [low] * primary + [(0, 2) if kind == "ranges" and rng.random() < 0.3 else (0, 1)] * secondary
    rows = []
    for _ in range(options):
        held = set(rng.sample(range(primary + secondary), rng.randint(1, min(4, primary + secondary))))
        held |= {rng.randrange(primary)} if rng.random() < 0.95 else set()
        rows.append(
            [
                (i, rng.randint(1, 3)) if kind == "colours" and i >= primary and rng.random() < 0.7 else i
                for i in sorted(held)
            ]
        )
    sides = [Total(tuple((o, rng.randint(1, 4)) for o in range(0, options, 2)), ((2, 5),))] if seed % 5 == 0 else []
    costs = [rng.randint(0, 9) for _ in rows] if seed % 2 else []
    return build(bounds, rows, costs=costs, given=[rng.randrange(options)] if rng.random() < 0.2 else [], sides=sides)


def problems() -> Iterator[tuple[str, Problem]]:
    for name in MODELS:
        yield name, compile_model(open_model(name), {}).problem
    for seed in range(SMALL):
        yield f"small {seed}", small(seed)


def expected(problem: Problem) -> Reading:
    """What covr finds."""
    run = search(problem, goal="minimum", limits=Limits(seconds=SECONDS))
    found = list(run)
    if run.status is not Status.EXHAUSTED:
        raise click.ClickException("covr is too slow for a file of this comparison")
    return Reading(count(problem).value, (run.best or 0) if found else None)


def agrees(found: Reading, wanted: Reading, offset: float) -> bool:
    if found.answers not in (-1, wanted.answers):
        return False
    if found.value == float("inf"):
        return True
    if found.value is None or wanted.value is None:
        return found.value is wanted.value
    return abs(found.value + offset - wanted.value) < 1e-6


def compare(peer: Peer, files: list[tuple[str, Path, Reading]]) -> tuple[int, int]:
    """How many files a program was asked to read, and how many of them it read as covr does; others are printed."""
    asked = right = 0
    for name, file, wanted in files:
        text = file.read_text()
        if peer.like and not re.search(rf"\b{peer.like}\b", text.partition("\n")[0]):
            continue
        asked += 1
        output = run(peer.command, file)
        found = peer.read(output)
        offset = float(m[1]) if (m := re.search(r"^c offset (-?\d+)", text, re.MULTILINE)) else 0
        if found is not None and agrees(found, wanted, offset):
            right += 1
        else:
            print(f"{peer.name}, {peer.form}, {name}: {found} for {wanted}: {output.strip()[-200:]!r}", file=sys.stderr)
    return asked, right


def written_back(peer: Peer, files: list[tuple[str, Path, Reading]]) -> str:
    """How many of the models covr reads with the same answers and the same optimum after a program wrote them anew; a
    constant of the objective, which covr leaves out of the values, is added."""
    if not peer.back:
        return ""
    right = 0
    for name, file, wanted in files[: len(MODELS)]:
        out = file.with_name("back" + file.suffix)
        out.unlink(missing_ok=True)
        output = run(peer.back, file, out)
        try:
            with listening() as noted:
                found = expected(FORMATS[peer.form].reader(out.read_text()))
        except (OSError, FormatFault) as fault:
            print(f"{peer.name}, {peer.form}, {name}, written back: {fault}: {output[-200:]!r}", file=sys.stderr)
            continue
        offset = sum(float(m[1]) for note in noted if (m := re.search(r"constant (\S+) is left out", note)))
        if agrees(found, wanted, offset):
            right += 1
        else:
            print(f"{peer.name}, {peer.form}, {name}, written back: {found} for {wanted}", file=sys.stderr)
    return f"{right} of {len(files[: len(MODELS)])}"


@click.command()
@click.option("--python", default=sys.executable, help="The Python that has the solvers.")
@click.option("--only", default="", help="Only programs whose name or format this is.")
def command(python: str, only: str) -> int:
    """Have other programs read what covr writes, and print a table of it."""
    able = [p for p in peers(python) if only.lower() in ("", p.name.lower(), p.form)]
    held = [(name, problem, expected(problem)) for name, problem in problems()]
    wrong = 0
    print("| format | program | version | files | read alike | written by it, read by covr |")
    print("|---|---|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for form in dict.fromkeys(p.form for p in able):
            files = []
            for name, problem, wanted in held:
                file = Path(folder) / f"{name.replace(' ', '_')}{FORMATS[form].suffixes[0]}"
                try:
                    file.write_text("".join(FORMATS[form].writer(problem)))
                except Unwritable:
                    continue
                files.append((name, file, wanted))
            for peer in (p for p in able if p.form == form):
                version = version_of(peer)
                if version is None:
                    print(f"{peer.name} is not here", file=sys.stderr)
                    continue
                asked, right = compare(peer, files)
                wrong += asked - right
                print(
                    f"| `{form}` | {peer.name} | {version} | {asked} | {right} | {written_back(peer, files)} |",
                    flush=True,
                )
    return min(wrong, 1)


def main(arguments: list[str]) -> int:
    """Run the comparison."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks formats", standalone_mode=False) or 0)
