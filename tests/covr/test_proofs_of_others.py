"""Proofs that covr did not write: what the format allows and covr never uses, and arithmetic beside brute force."""

from __future__ import annotations

import random
from itertools import product

import pytest

from covr.verify.checker import ProofChecker, ProofResult, verify
from covr.verify.opb import BadProof, PbRow, read_opb
from covr.verify.proof import ProofLine

PIGEONS = """* #variable= 6 #constraint= 6
1 x1 1 x2 >= 1 ;
1 x3 1 x4 >= 1 ;
1 x5 1 x6 >= 1 ;
1 x1 1 x3 1 x5 <= 1 ;
-1 x2 -1 x4 -1 x6 >= -1 ;
"""
COINS = "min: 3 x1 2 x2 2 x3 ;\n1 x1 1 x2 1 x3 >= 2 ;\n1 x2 1 ~x3 >= 1 ;\n"
NEW, END = "pseudo-Boolean proof version 3.0\n", "end pseudo-Boolean proof;\n"
OLD = "pseudo-Boolean proof version 2.0\n"


def shown(problem: str, proof: str) -> ProofResult:
    return verify(read_opb(problem.splitlines()), proof.splitlines())


@pytest.mark.parametrize(
    "steps",
    [
        "f 5;\npol 1 2 + 3 + 4 + 5 +;\noutput NONE;\nconclusion UNSAT : 6;\n",
        "@sum pol 1 2 + 3 +\n  4 + % and the last\n 5 +; output NONE; conclusion UNSAT : @sum;\n",
        "f 5; rup 1 ~x1 >= 1 : ~ 4 2 3 5; @b rup >= 1 : 6 1; output NONE;\nconclusion\nUNSAT\n: -1;\n",
        "f 5;\nrup 1 x1 <= 0 ;\ndeld 6;\nrup 1 x1 <= 0 ;\nrup >= 1 ;\ndelc 1 2;\noutput NONE;\nconclusion UNSAT;\n",
    ],
)
def test_ways_to_say_that_there_is_no_answer(steps: str) -> None:
    assert shown(PIGEONS, NEW + steps + END).kind == "unsat"


def test_lines_of_version_2_are_read() -> None:
    steps = "* by cases\nf 5\nu 1 ~x1 >= 1 ; ~ 4 2\n@b rup >= 1 ; 6 1\noutput NONE\nconclusion UNSAT : @b\n"
    assert shown(PIGEONS, OLD + steps + "end pseudo-Boolean proof\n").kind == "unsat"
    bounds = "f 2\no x2 x3 ~x1\np 3 1 2 * +\noutput NONE\nconclusion BOUNDS 4 : 4 4 : x2 x3 ~x1\n"
    found = shown(COINS, OLD + bounds + "end pseudo-Boolean proof\n")
    assert (found.kind, found.least, found.most) == ("bounds", 4, 4)


def test_answers_need_not_be_excluded() -> None:
    found = shown(COINS, f"{NEW}f 2;\nsol x1 x2 ~x3;\noutput NONE;\nconclusion SAT;\n{END}")
    assert (found.kind, found.true) == ("sat", (0, 1))
    assert shown(COINS, f"{NEW}output NONE;\nconclusion SAT : x1 x2 ~x3;\n{END}").kind == "sat"
    partial = shown(COINS, f"{NEW}solx x1 x2 ~x3;\noutput NONE;\nconclusion ENUMERATION_PARTIAL 1;\n{END}")
    assert (partial.kind, partial.answers) == ("sat", 1)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ("sol x1 x2 ~x3;\noutput NONE;\nconclusion UNSAT;\n", "an answer was shown"),
        ("sol x1 x2 ~x3;\noutput NONE;\nconclusion BOUNDS INF INF;\n", "an answer was shown"),
        ("output NONE;\nconclusion SAT : x1 ~x2 x3;\n", "no answer"),
        ("sol x1 x2;\n", "leaves a variable open"),
        ("@a sol x1 x2 ~x3;\n", "makes no row"),
        ("@a;\n", "a name is no line"),
        ("pol 1 @b +;\n", "no row @b"),
        ("red 1 x1 >= 1 : x1 -> 1;\n", "`red` is no rule"),
        ("solx x1 x2 ~x3;\noutput NONE;\nconclusion ENUMERATION_PARTIAL 2;\n", "1 answers were shown, not 2"),
        ("solx x1 x2 ~x3;\ndelc 3;\n", "can't be deleted"),
        ("soli x2 x3 ~x1;\noutput NONE;\nconclusion BOUNDS 4 : 1 4 : x2 x3;\n", "row 1 is no contradiction"),
        ("soli x2 x3 ~x1;\noutput NONE;\nconclusion BOUNDS 4 4;\n", "no contradiction"),
        ("f 2;\nf 2;\n", "loaded once"),
        ("pol 1 2 +", "a line does not end with `;`"),
    ],
)
def test_what_does_not_follow(steps: str, said: str) -> None:
    with pytest.raises(BadProof) as fault:
        shown(COINS, NEW + steps + ("" if steps.endswith("+") else END))
    assert said in fault.value.what


def test_arithmetic_keeps_every_assignment_that_its_rows_admit() -> None:
    """Lines of random words, with `w` and `s`, over rows of the problem and of lines before: all assignments of four
    variables that the problem admits meet every row, and none of the rows has changed."""
    rng = random.Random(1)
    held = 0
    for _ in range(200):
        rows = []
        for _ in range(3):
            terms = " ".join(f"{rng.randint(-4, 4)} {rng.choice(('', '~'))}x{rng.randint(1, 4)}" for _ in range(4))
            rows.append(f"{terms} {rng.choice(('>=', '<=', '='))} {rng.randint(-3, 6)} ;")
        checker = ProofChecker(read_opb(["* #variable= 4 #constraint= 3", *rows]))
        checker.check(ProofLine(1, "f", []))
        admitted = [bits for bits in product((0, 1), repeat=4) if all(meets(r, bits) for r in checker.problem.rows)]
        for line in range(2, 8):
            words = drawn_words(rng, checker.last)
            before = {number: (dict(row.terms), row.degree) for number, row in checker.rows.items()}
            checker.check(ProofLine(line, "pol", words))
            assert all((dict(checker.rows[k].terms), checker.rows[k].degree) == row for k, row in before.items()), words
            assert all(meets(checker.rows[checker.last], bits) for bits in admitted), (rows, words)
            held += len(admitted)
    assert held > 1000


def drawn_words(rng: random.Random, rows: int) -> list[str]:
    words = [str(rng.randint(1, rows))]
    for _ in range(rng.randint(1, 6)):
        literal, number = f"{rng.choice(('', '~'))}x{rng.randint(1, 4)}", rng.choice("23")
        words += rng.choice(([str(rng.randint(1, rows)), "+"], [literal, "+"], [literal, "w"], ["s"], [number, "*"],
                             [number, "d"]))  # fmt: skip
    return words


def meets(row: PbRow, bits: tuple[int, ...]) -> bool:
    return sum(c * (bits[x // 2] ^ (x & 1)) for x, c in row.terms.items()) >= row.degree
