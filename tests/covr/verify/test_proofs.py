"""`--proof` and `covr verify`: what they print, and that they refuse what they should."""

from __future__ import annotations

import errno
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from covr.engine.proofs.logged import ProofLog
from covr.inputs.library import gallery_names
from tests.covr.command import Covr, covr, write

__all__ = ["covr"]

PIGEONS = "cells p in 1..4, h in 1..3\nchoose sits(p, h)\nexactly one sits per p\nat most one sits per h\n"
COINS = "values c in 1..4\nchoose pay(c)\nat least 2 pay\nexactly 1..3 pay where c > 1\nminimize 3 * c of pay\n"
SUMS = "cells x in 1..5\nchoose on(x)\nexactly {5, 9} total x of on\nif on(1) then not on(4)\n"


def verified(covr: Covr, name: str) -> tuple[int, str]:
    """What `covr verify` ends with and says first."""
    result = covr("verify", f"{name}.opb", f"{name}.pbp")
    return result.exit_code, (result.stdout or result.stderr).partition("\n")[0]


def test_a_proof_shows_how_many_answers_there_are(covr: Covr) -> None:
    result = covr("count", "queens", "-D", "n=6", "--proof", "q.pbp")
    assert (result.exit_code, result.stdout) == (0, "4\n")
    assert re.fullmatch(r"wrote q.opb and q.pbp: \d+ lines; `covr verify` checks them\n", result.stderr)
    code, said = verified(covr, "q")
    assert code == 0 and said.startswith("verified: there are exactly 4 answers (")
    assert "* x1 = queen(1, 1)" in Path("q.opb").read_text()


def test_a_proof_shows_that_there_is_no_answer_or_one(covr: Covr) -> None:
    write("pigeons.cover", PIGEONS)
    assert covr("count", "pigeons.cover", "--proof", "p.pbp").exit_code == 1
    assert verified(covr, "p")[1].startswith("verified: there is no answer (")
    assert covr("solve", "pigeons.cover", "--proof", "p.pbp").exit_code == 1
    assert verified(covr, "p")[1].startswith("verified: there is no answer (")
    assert covr("solve", "sudoku", "--unique", "--proof", "s.pbp.gz").exit_code == 0
    result = covr("verify", "s.opb.gz", "s.pbp.gz")
    assert result.stdout.startswith("verified: there is exactly one answer (")
    assert "\nthe answer: place(1, 1, 5), " in result.stdout
    assert gzip.decompress(Path("s.pbp.gz").read_bytes()).startswith(b"pseudo-Boolean proof version 3.0\n")


def test_two_answers_are_enough_to_be_not_unique(covr: Covr) -> None:
    assert covr("solve", "queens", "--unique", "--proof", "q.pbp").exit_code == 1
    assert verified(covr, "q")[1].startswith("verified: there are at least 2 answers (")


def test_a_proof_shows_a_minimum_and_what_totals_allow(covr: Covr) -> None:
    write("coins.cover", COINS)
    assert covr("solve", "coins.cover", "--proof", "c.pbp").exit_code == 0
    code, said = verified(covr, "c")
    assert code == 0 and said.startswith("verified: the least value of the sum that is minimised is 9 (")
    write("sums.cover", SUMS)
    count = covr("count", "sums.cover", "--proof", "t.pbp").stdout.strip()
    assert verified(covr, "t")[1].startswith(f"verified: there are exactly {count} answers (")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("count", "slitherlink"), "cannot say the loop"),
        (("count", "scott"), "`up to`"),
        (("count", "experts"), "`covr solve … --proof`"),
    ],
)
def test_what_can_not_be_proved_is_refused_by_name(covr: Covr, args: tuple[str, ...], said: str) -> None:
    result = covr(*args, "--proof", "x.pbp")
    assert result.exit_code == 2 and said in result.stderr
    assert not Path("x.pbp").exists() and not Path("x.opb").exists()


def test_bad_names_and_places(covr: Covr) -> None:
    assert covr("count", "queens", "--proof", "x.txt").exit_code == 2
    assert covr("count", "queens", "--proof", "no/such/folder/x.pbp").exit_code == 2
    assert covr("count", "queens", "--proof", "x.pbp", "--run", "x.run").exit_code == 2
    result = covr("verify", "nothing.opb", "nothing.pbp")
    assert result.exit_code == 2 and result.stderr.startswith("error[E501]: `nothing.opb` can't be read")
    bad = ("1 x1 >= 1\n", 1), ("* x\n+1 y1 >= 1 ;\n", 2), ("+1 x1 >= 99999999999999999999 ;\n", 1)
    large = ("+1 x999999999 >= 1 ;\n", 1), ("* #variable= 20000000 #constraint= 0\n", 1)
    for text, where in (*bad, *large):
        write("bad.opb", text)
        write("bad.pbp", "")
        result = covr("verify", "bad.opb", "bad.pbp")
        assert result.exit_code == 2 and result.stderr.startswith(f"error: bad.opb:{where}: ")
    write("broken.pbp.gz", "no zip")
    assert covr("verify", "broken.pbp.gz", "bad.pbp").exit_code == 2


def test_a_file_that_unpacks_without_end_is_refused(covr: Covr, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, or many; and what is damaged after a beginning that is right."""
    from covr.questions import proof_file as proof_check

    assert covr("solve", "sudoku", "--unique", "--proof", "s.pbp.gz").exit_code == 0
    whole = gzip.decompress(Path("s.opb.gz").read_bytes())
    lines = [*whole.splitlines(True), *gzip.decompress(Path("s.pbp.gz").read_bytes()).splitlines(True)]
    monkeypatch.setattr(proof_check, "LONGEST_LINE", max(map(len, lines)))
    monkeypatch.setattr(proof_check, "MOST_PROBLEM", len(whole))
    assert covr("verify", "s.opb.gz", "s.pbp.gz").exit_code == 0
    packed = gzip.compress(whole)
    for data in (
        gzip.compress(b"*" * 1_000_000),
        gzip.compress(whole + b"* more\n" * 100),
        packed[:40] + b"xx" + packed[40:],
    ):
        Path("bad.opb.gz").write_bytes(data)
        result = covr("verify", "bad.opb.gz", "s.pbp.gz")
        assert (result.exit_code, result.stderr.count("error[")) == (2, 1), result.stderr
    Path("bad.pbp.gz").write_bytes(gzip.compress(b"*" * 1_000_000))
    assert covr("verify", "s.opb.gz", "bad.pbp.gz").exit_code == 2


def test_a_wrong_line_is_named(covr: Covr) -> None:
    covr("count", "queens", "-D", "n=6", "--proof", "q.pbp")
    lines = Path("q.pbp").read_text().splitlines(keepends=True)
    at = next(k for k, line in enumerate(lines) if line.startswith("solx"))
    write("q.pbp", "".join([*lines[:at], *lines[at + 1 :]]))
    code, said = verified(covr, "q")
    assert code == 1 and re.match(r"not verified: q.pbp:\d+: ", said)
    write("q.pbp", "".join(lines[:-1]))
    assert verified(covr, "q") == (1, f"not verified: q.pbp:{len(lines)}: the proof is unfinished: its last line, "
                                      "`end pseudo-Boolean proof`, is missing")  # fmt: skip


def test_a_proof_that_is_cut_short_says_so(covr: Covr) -> None:
    result = covr("count", "queens", "--proof", "q.pbp", "--limit-proof", "1k", "-D", "n=9")
    assert result.exit_code == 3 and result.stdout == "352\n"
    assert "the proof is unfinished: a limit was reached" in result.stderr
    code, said = verified(covr, "q")
    assert code == 3 and said.startswith("every line is right, but the proof is unfinished and shows nothing else")


def test_proofs_of_small_models_of_the_gallery_are_verified(covr: Covr) -> None:
    """Every model that is small enough, and about which a proof can be written."""
    proved = 0
    for name in gallery_names()[::3]:
        result = covr("count", name, "--limit-time", "0.2", "--limit-nodes", "2000", "--limit-answers", "200",
                      "--proof", "g.pbp")  # fmt: skip
        if result.exit_code == 0 and Path("g.pbp").exists():
            code, said = verified(covr, "g")
            assert code == 0 and f" {result.stdout.strip()} answers" in said.replace("exactly one answer", "1 answers")
            proved += 1
        for file in ("g.pbp", "g.opb"):
            Path(file).unlink(missing_ok=True)
    assert proved >= 5


def test_verify_checks_the_proof_at_once(covr: Covr) -> None:
    result = covr("count", "queens", "-D", "n=6", "--proof", "q.pbp", "--verify")
    assert result.stdout == "4\n" and "\nverified: there are exactly 4 answers (" in result.stderr
    write("coins.cover", COINS)
    result = covr("solve", "coins.cover", "--proof", "c.pbp", "--verify")
    assert "\nverified: the least value of the sum that is minimised is 9 (" in result.stderr


def test_what_is_maximised_is_told_with_its_own_sign(covr: Covr) -> None:
    write("most.cover", "cells x in 1..4\nchoose on(x)\nat most 2 on\nmaximize 2 * x - 1 of on\n")
    assert covr("solve", "most.cover", "--proof", "m.pbp").exit_code == 0
    assert verified(covr, "m")[1].startswith("verified: the greatest value of the sum that is maximised is 12 (")
    proof = Path("m.pbp").read_text()
    assert "conclusion BOUNDS -12 -12;" in proof
    weaker = proof.replace("conclusion BOUNDS -12 ", "conclusion BOUNDS -16 ")
    Path("m.pbp").write_text(weaker)
    assert "the sum that is maximised is at most 16, and an answer has at least 12 (" in verified(covr, "m")[1]


WORK = """cells p in 1..3, d in 1..4
choose work(p, d)
exactly one work per d
at most 2 work per p
prefer if work(p, d) then not work(p, d + 1) cost 3
"""
GOALS = ("", "minimize p * d of work\n", "maximize d of work where p = 1\n", "then maximize p of work where d > 1\n",
         "then minimize (p + d) mod 3 of work\n")  # fmt: skip


@pytest.mark.parametrize("first", GOALS[:3])
@pytest.mark.parametrize("second", GOALS[3:])
@pytest.mark.parametrize("near", [False, True])
def test_goals_in_order_are_told_one_by_one(covr: Covr, first: str, second: str, near: bool) -> None:
    """What the checker says of each goal is what covr told; also of wishes, and of how near an earlier answer is."""
    write("w.cover", WORK + (first + second if first else ""))
    if near:
        write("old.cover", WORK + "maximize (p - d) * (p - d) of work\n")
        assert covr("solve", "old.cover", "--json", "--out", "old.jsonl").exit_code == 0
    asked = ["--near", "old.jsonl"] if near else []
    told = covr("solve", "w.cover", "--proof", "w.pbp", *asked)
    assert told.exit_code == 0, told.stderr
    values = re.findall(r"(minimum|maximum) (\d+), proved", told.stdout)
    changes = re.search(r"(\d+) changes?", told.stdout) if near else None
    said = verified(covr, "w")[1]
    if len(values) > 1 or near:
        words = [f"{kind} {value}" for kind, value in values]
        assert changes is not None or not near or "nothing changed, the fewest" in told.stdout
        words += [f"minimum {changes[1] if changes is not None else 0}"] if near else []
        assert said.startswith(f"verified: {', then '.join(words)}: the least value of "), (told.stdout, said)
    else:
        assert said.startswith(f"verified: the least value of the sum that is minimised is {values[0][1]} (")


def test_bounds_of_goals_in_order_are_told_with_their_weights(covr: Covr) -> None:
    write("w.cover", "cells x in 1..4\nchoose on(x)\nexactly 2 on\nminimize x of on\nthen maximize x * x of on\n")
    assert covr("solve", "w.cover", "--proof", "w.pbp").exit_code == 0
    assert "\n* goal 1, minimised, 31 times: +1 x1 +2 x2 +3 x3 +4 x4\n" in Path("w.opb").read_text()
    assert verified(covr, "w")[1].startswith(
        "verified: minimum 3, then maximum 5: the least value of 31 · goal 1 - 1 · goal 2 is 88 ("
    )
    proof = Path("w.pbp").read_text()
    Path("w.pbp").write_text(proof.replace("BOUNDS 88 88", "BOUNDS 80 90"))
    assert "31 · goal 1 - 1 · goal 2 is at least 80, and an answer has at most 90 (" in verified(covr, "w")[1]


def test_a_minimum_is_not_taken_for_all_answers(covr: Covr) -> None:
    """The proof of a best answer, with a conclusion about their number."""
    write("best.cover", "choose a(i) for i in 1..2\nexactly one a\nminimize i of a\n")
    assert covr("solve", "best.cover", "--proof", "b.pbp").exit_code == 0
    proof = Path("b.pbp").read_text()
    for conclusion in ("ENUMERATION_COMPLETE 0", "ENUMERATION_COMPLETE 1", "ENUMERATION_PARTIAL 0", "UNSAT"):
        Path("b.pbp").write_text(proof.replace("conclusion BOUNDS 1 1", f"conclusion {conclusion}"))
        code, said = verified(covr, "b")
        assert code == 1 and said.startswith("not verified: b.pbp:"), conclusion


def test_expect_lines_are_proved(covr: Covr) -> None:
    expected = COINS + "expect minimum 9\n"
    write("coins.cover", expected)
    write("pairs.cover", "cells c in 1..4\nchoose on(c)\nexactly 2 on\nexpect 6 solutions\nexpect no solution\n")
    result = covr("test", "coins.cover", "pairs.cover", "--proof", "t.pbp")
    lines = result.stdout.splitlines()
    assert result.exit_code == 1 and re.search(r"minimum 9: t-1.pbp shows it in \d+ lines$", lines[0])
    assert re.search(r"6 solutions: t-2.pbp shows it in \d+ lines$", lines[1]) and not Path("t-3.pbp").exists()
    assert verified(covr, "t-1")[0] == verified(covr, "t-2")[0] == 0
    result = covr("test", "scott", "--proof", "s.pbp")
    assert result.exit_code == 0 and "no proof can be written of answers that count as one (`up to`)" in result.stdout
    result = covr("test", "queens", "--proof", "q.pbp", "--limit-proof", "1k")
    assert result.exit_code == 3 and "q-1.pbp is unfinished: a limit was reached" in result.stdout
    assert covr("test", "queens", "--proof", "q.txt").exit_code == 2


def test_a_full_disk_leaves_both_old_files(covr: Covr, monkeypatch: pytest.MonkeyPatch) -> None:
    def lines(log: ProofLog, known: object = None) -> Iterator[str]:
        yield "pseudo-Boolean proof version 3.0\n"
        raise OSError(errno.ENOSPC, "No space left on device")

    for ending in ("", ".gz"):
        write("q.opb" + ending, "old problem")
        write("q.pbp" + ending, "old proof")
        monkeypatch.setattr(ProofLog, "lines", lines)
        result = covr("count", "queens", "-D", "n=6", "--proof", "q.pbp" + ending)
        assert (result.exit_code, result.stdout) == (2, "4\n")
        assert f"`q.pbp{ending}` can't be written: no space left on device" in result.stderr
        assert (Path("q.opb" + ending).read_text(), Path("q.pbp" + ending).read_text()) == ("old problem", "old proof")
        assert {file.name for file in Path().iterdir()} == {"q.opb", "q.pbp"} | (
            {"q.opb.gz", "q.pbp.gz"} if ending else set()
        )
