"""Proofs that covr did not write: what the format allows and covr never uses, and arithmetic beside brute force."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from covr.verify.checker import BadProof, Opb, PbRow, ProofChecker, ProofLine, ProofResult, read_opb, verify

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


# --- every conclusion behind every kind of line ---

SMALL = [  # of three variables, with a sum that is minimised or without: some answers, one, none, all
    "min: 1 x1 2 x2 ;\n1 x1 1 x2 1 x3 >= 2 ;\n1 ~x1 1 ~x2 1 ~x3 >= 1 ;\n",
    "min: 3 x1 -2 x2 ;\n1 x1 1 x2 = 1 ;\n1 x3 >= 1 ;\n",
    "min: 1 x1 ;\n1 x1 >= 1 ;\n1 x2 = 0 ;\n1 x3 1 x2 >= 1 ;\n",
    "min: 1 x1 1 x2 1 x3 ;\n1 x1 1 x2 >= 2 ;\n1 x1 1 x2 <= 1 ;\n",
    "min: ;\n1 x1 1 x2 1 x3 = 1 ;\n",
    "* #variable= 3 #constraint= 0\n",
    "1 x1 1 x2 = 1 ;\n1 x2 1 x3 = 1 ;\n",
    "1 x1 1 x2 >= 2 ;\n1 x1 1 x2 <= 1 ;\n1 x3 >= 0 ;\n",
]
ANSWERS = [" ".join(f"{'' if bit else '~'}x{v}" for v, bit in enumerate(bits, 1)) for bits in product((0, 1), repeat=3)]
LINES = [  # before a conclusion
    *(("rup", row) for row in ("1 x1 >= 1", "1 ~x1 1 x2 >= 1", "3 ~x3 1 x2 <= 2")),
    *(("pol", words) for words in ("1 2 +", "-1 2 d", "1 x1 w")),
    *((rule, answer) for rule in ("sol", "solx", "v", "soli", "o") for answer in ANSWERS),
    *((rule, words) for rule, words in (("del", "id -1"), ("del", "range 1 3"), ("delc", "-1"), ("deld", "1"))),
]
VALUES = ("-3", "-2", "0", "1", "2", "3", "99", "INF")
CONCLUSIONS = [
    "NONE", "SAT", "UNSAT",
    *(f"ENUMERATION_{kind} {n}" for kind in ("COMPLETE", "PARTIAL") for n in range(4)),
    *(f"BOUNDS {least} {most}" for least in VALUES for most in VALUES),
    *(f"SAT : {answer}" for answer in ANSWERS),  # the last, as they show an answer
]  # fmt: skip
MAY = {  # what can be concluded at all where a line of this kind stands before
    "sol": {"NONE", "SAT", "ENUMERATION_PARTIAL", "ENUMERATION_COMPLETE", "BOUNDS"},
    "solx": {"NONE", "SAT", "ENUMERATION_PARTIAL", "ENUMERATION_COMPLETE"},
    "soli": {"NONE", "SAT", "BOUNDS"},
}
MAY |= {"v": MAY["solx"], "o": MAY["soli"]}


def prefixes(problem: Opb) -> Iterator[tuple[tuple[tuple[str, str], ...], ProofChecker]]:
    """Every proof of up to two lines that follow, with and without a contradiction after them; and proofs of three."""
    rng = random.Random(1)
    drawn = [tuple(rng.choice(LINES) for _ in range(3)) for _ in range(1500)]
    for lines in ((), *((one,) for one in LINES), *product(LINES, LINES), *drawn):
        for closed in ((), (("rup", ">= 1"),)):
            checker = ProofChecker(problem)
            checker.check(ProofLine(1, "f", []))
            try:
                for rule, words in (*lines, *closed):
                    checker.check(ProofLine(2, rule, words.split()))
            except BadProof:
                break
            yield (*lines, *closed), checker


@pytest.mark.parametrize("text", SMALL)
def test_every_conclusion_behind_every_kind_of_line_is_true(text: str) -> None:
    """And for each kind of line there is no conclusion but those that can be drawn from it."""
    problem = read_opb(text.splitlines())
    answers = [bits for bits in product((0, 1), repeat=3) if all(meets(r, bits) for r in problem.rows)]
    costs = {bits: sum(c * bits[v] for v, c in (problem.costs or {}).items()) for bits in answers}
    drawn: dict[str, set[str]] = {}
    for lines, checker in prefixes(problem):
        for words in CONCLUSIONS:
            try:
                found = checker.check(ProofLine(9, "conclusion", words.split()))
            except BadProof:
                continue
            assert found is not None
            said = (text, lines, words)
            assert is_true(found, len(answers), min(costs.values(), default=None)), said
            if checker.true or found.kind in ("sat", "all"):
                bits = tuple(int(v in checker.true) for v in range(3))
                assert bits in costs or not found.answers, said
                assert found.kind != "bounds" or found.least != found.most or costs[bits] == found.least, said
            for rule, _ in lines:
                drawn.setdefault(rule, set()).add(words.split()[0])
    assert all(drawn.get(rule, set()) <= allowed for rule, allowed in MAY.items())
    if problem.costs and len(answers) == 2:
        kinds = {"soli": MAY["soli"], "solx": MAY["solx"]}
        assert {rule: drawn[rule] for rule in kinds} == kinds


def is_true(found: ProofResult, answers: int, least: int | None) -> bool:
    """Whether what a proof is said to show is so."""
    match found.kind:
        case "unsat":
            return answers == 0
        case "sat":
            return answers >= found.answers > 0
        case "all":
            return answers == found.answers
        case "bounds":
            assert found.least is not None
            reached = found.most is None or (least is not None and least <= found.most)
            return reached and (least is None or found.least <= least)
    return found.answers <= answers


def test_numbers_are_not_concluded_from_cheaper_answers_nor_bounds_from_excluded_ones() -> None:
    """The lines of the issue, word by word."""
    problem = "min: 1 x1 2 x2 ;\n1 x1 >= 1 ;\n1 x2 <= 0 ;\n"
    shown_one, end = "f 2;\n{} x1 ~x2;\n", f"rup >= 1;\noutput NONE;\nconclusion {{}};\n{END}"
    for conclusion in ("ENUMERATION_COMPLETE 0", "ENUMERATION_COMPLETE 1", "ENUMERATION_PARTIAL 0"):
        with pytest.raises(BadProof, match="nothing is known of their number"):
            shown(problem, NEW + shown_one.format("soli") + end.format(conclusion))
    for conclusion in ("BOUNDS INF INF", "BOUNDS 99 INF", "BOUNDS 1 1", "BOUNDS 0 INF"):
        with pytest.raises(BadProof, match="nothing is known of the least value"):
            shown(problem, NEW + shown_one.format("solx") + end.format(conclusion))


def test_the_best_answer_is_the_cheapest_one_whatever_comes_after_it() -> None:
    steps = "f 2;\nsoli x2 x3 ~x1;\ndel id 3;\nsoli x1 x2 ~x3;\noutput NONE;\nconclusion BOUNDS 0 4;\n"
    found = shown(COINS, NEW + steps + END)
    assert (found.most, found.true) == (4, (1, 2))


def test_goals_in_order_are_held_to_the_sum() -> None:
    """A file whose comments say other goals than its sum has shows nothing."""
    goals = "* goal 1, minimised, 6 times: +1 x1 +2 x2\n* goal 2, maximised, 1 times: +4 x1 -1 x2 plus 3\n"
    rows = "min: +2 x1 +13 x2 ;\n1 x1 1 x2 = 1 ;\n"
    read = read_opb((goals + rows).splitlines())
    assert [(g.weight, dict(g.terms), g.plus) for g in read.goals] == [(6, {0: 1, 1: 2}, 0), (-1, {0: 4, 1: -1}, 3)]
    for wrong, line, what in (
        (goals.replace("+2 x2", "+3 x2") + rows, 1, "do not add up"),
        (goals.replace("maximised", "minimised") + rows, 1, "do not add up"),
        (goals + rows.partition("\n")[2], 1, "do not add up"),
        (goals.replace("6 times", "5 times") + rows.replace("+2 x1 +13", "+1 x1 +11"), 1, "not worth more"),
        (goals.replace("1 times", "0 times") + rows, 2, "not worth more"),
        (goals.replace("plus 3", "plus x3") + rows, 2, "no term of a goal"),
        (goals.replace("plus 3", "times 3") + rows, 2, "no term of a goal"),
    ):
        with pytest.raises(BadProof) as fault:
            read_opb(wrong.splitlines())
        assert fault.value.line == line and what in fault.value.what
