"""VeriPB and `covr verify` say the same of proofs, right and damaged. Slow: VeriPB takes 0.2 s to start.

The VeriPB on the path is asked, whichever it is. Versions before 2.0 have other words for the same lines and know no
conclusions; they get these words, and what only a conclusion says is not asked of them.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from covr.compiler.formats.linear import write_opb
from covr.engine import Problem, search
from covr.verify.checker import BadProof, read_opb, verify
from tests.engine.logged_problems import build_without_costs, covering, drawn, proof_of, touched, with_costs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("veripb") is None, reason="VeriPB is not on the path"),
]

EMPTY = ("* #variable= 1 #constraint= 1\n1 x1 >= 0 ;\n", ["pseudo-Boolean proof version 3.0\n", "f 1;\n"])
END = ["output NONE;\n", "conclusion NONE;\n", "end pseudo-Boolean proof;\n"]


OLDER = {"solx": "v", "soli": "o"}


def ran(opb: str, lines: Sequence[str], folder: Path) -> bool:
    """Whether VeriPB accepts a proof as it is."""
    (folder / "v.opb").write_text(opb)
    (folder / "v.pbp").write_text("".join(lines))
    done = subprocess.run(["veripb", "v.opb", "v.pbp"], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode == 0


@cache
def words_of(folder: Path) -> Callable[[Sequence[str]], list[str]]:
    """Puts a proof into the words of the VeriPB that is there."""
    for words in (list, older):
        if ran(EMPTY[0], words([*EMPTY[1], *END]), folder):
            return words
    pytest.skip("this VeriPB reads neither version 3.0 nor 1.2")


def older(lines: Sequence[str]) -> list[str]:
    """A proof in the words of version 1.2. The conclusion becomes the claim that the row that it names is a
    contradiction, or that the rows contradict each other."""
    said = ["pseudo-Boolean proof version 1.2\n"]
    rows = 0
    for line in lines[1:]:
        rule, _, rest = line.strip().partition(" ")
        rest = rest if rule == "rup" else rest.rstrip(";").strip()
        rows += int(rest) if rule == "f" and rest.isdigit() else rule in ("rup", "pol", "solx", "soli")
        if rule == "conclusion":
            if not rest.startswith(("NONE", "SAT")):
                said += (
                    [f"c {rest.rpartition(' : ')[2]} 0\n"] if " : " in rest else ["rup >= 1 ;\n", f"c {rows + 1} 0\n"]
                )
        elif rule not in ("output", "end", "%"):
            said.append(f"{OLDER.get(rule, rule)} {rest}\n")
    return said


def covr_accepts(opb: str, lines: Sequence[str]) -> bool:
    try:
        return verify(read_opb(opb.splitlines()), lines).kind != "nothing"
    except BadProof:
        return False


def questions() -> list[tuple[str, list[str]]]:
    """Problems as OPB with their proofs: none, one, all, least; colours, totals, ranges; bounds at nodes."""
    rng = random.Random(4)
    found = list[tuple[str, list[str]]]()
    while len(found) < 16:
        problem = build_without_costs(drawn(rng)) if len(found) % 2 else with_costs(drawn(rng), rng)
        opb, lines = asked(problem, None)
        if not re.search(r"\d{10}", opb):  # version 1.2 refuses right lines where numbers are larger
            found.append((opb, lines))
    for problem in (covering(24, 12, rng), covering(65, 24, rng), touched(21, rng)):
        found.append(asked(problem, [*search(problem, goal="minimum")][-1]))
    return found


def asked(problem: Problem, best: Sequence[int] | None) -> tuple[str, list[str]]:
    return "".join(write_opb(problem)), proof_of(problem, best)[1]


def test_both_accept_what_covr_writes(tmp_path: Path) -> None:
    words = words_of(tmp_path)
    for opb, lines in questions():
        assert covr_accepts(opb, lines)
        assert ran(opb, words(lines), tmp_path), "".join(lines)


def test_both_say_the_same_of_a_proof_without_one_of_its_rows(tmp_path: Path) -> None:
    """Few rows can be missed: where an answer of no cost was shown, nothing is left to be proved."""
    words, rng, refused = words_of(tmp_path), random.Random(5), 0
    for opb, lines in questions():
        rows = [k for k, line in enumerate(lines) if line.startswith(("rup", "pol", "solx", "soli"))]
        for k in rng.sample(rows, min(len(rows), 3)):
            less = [*lines[:k], *lines[k + 1 :]]
            right = covr_accepts(opb, less)
            refused += not right
            assert ran(opb, words(less), tmp_path) == right, (opb, lines[k])
    assert refused > 30


def test_both_say_the_same_of_a_changed_number(tmp_path: Path) -> None:
    """A row that says more, another variable, another row: some changes are harmless, and then both accept."""
    words, rng, refused = words_of(tmp_path), random.Random(6), 0
    for opb, lines in questions():
        for _ in range(4):
            k = rng.choice([k for k, line in enumerate(lines) if line.startswith(("rup", "pol", "solx", "soli"))])
            numbers = [*re.finditer(r"\d+", lines[k])]
            at = rng.choice(numbers)
            changed = f"{lines[k][: at.start()]}{int(at[0]) + rng.choice((1, 2))}{lines[k][at.end() :]}"
            other = [*lines[:k], changed, *lines[k + 1 :]]
            right = covr_accepts(opb, other)
            refused += not right
            assert ran(opb, words(other), tmp_path) == right, (lines[k], changed)
    assert refused > 15


def test_both_refuse_a_better_value(tmp_path: Path) -> None:
    """The row of the best answer, one lower, and the same bound: written as an answer that does not exist."""
    words = words_of(tmp_path)
    lowered = 0
    for opb, lines in questions():
        if not any(line.startswith("soli") for line in lines):
            continue
        k = next(k for k, line in enumerate(lines) if line.startswith("soli"))
        chosen = re.findall(r" (x\d+)", lines[k])
        if not chosen:
            continue
        changed = lines[k].replace(f" {chosen[0]}", f" ~{chosen[0]}", 1)
        other = [*lines[:k], changed, *lines[k + 1 :]]
        right = covr_accepts(opb, other)
        assert ran(opb, words(other), tmp_path) == right
        lowered += not right
    assert lowered >= 5
