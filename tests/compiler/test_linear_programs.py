"""Linear programs over 0 and 1, as LP and MPS files have them: what is read is what brute force and HiGHS read, and a
file that is damaged, or says what covr has no words for, is refused with one fault at its place."""

from __future__ import annotations

import importlib.util
import random
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from attrs import evolve, frozen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from covr.compiler.evaluate.limits import CompileLimits
from covr.compiler.formats import FORMATS, FormatFault, draft
from covr.compiler.formats import mps as zero_one
from covr.compiler.formats.draft import listening
from covr.compiler.formats.table import recognise
from covr.engine import Problem, build
from covr.engine.reference import answers
from tests.engine.strategies import problems
from tests.shared import examples

FORMS = ("lp", "mps")
SENSES = {"E": "=", "L": "<=", "G": ">="}


def read(name: str, text: str) -> Problem:
    return FORMATS[name].reader(text)


def write(name: str, problem: Problem) -> str:
    return "".join(FORMATS[name].writer(problem))


@frozen
class Row:
    """factors: by column, as text.  span: of RANGES, as text.  where: a column, and its value where the row holds; None
    if it always holds."""

    kind: str
    factors: dict[int, str]
    side: str
    span: str | None = None
    where: tuple[int, int] | None = None

    def holds(self, taken: tuple[int, ...]) -> bool:
        if self.where is not None and taken[self.where[0]] != self.where[1]:
            return True
        value = sum((Fraction(f) for c, f in self.factors.items() if taken[c]), Fraction())
        side, span = Fraction(self.side), None if self.span is None else Fraction(self.span)
        if self.kind == "E" and span is not None:
            return min(side, side + span) <= value <= max(side, side + span)
        if self.kind == "E":
            return value == side
        if self.kind == "L":
            return value <= side and (span is None or value >= side - abs(span))
        return value >= side and (span is None or value <= side + abs(span))


@frozen
class Program:
    """bounds: by column, (0, 0), (0, 1) or (1, 1)."""

    costs: list[str]
    bounds: list[tuple[int, int]]
    rows: list[Row]
    maximises: bool = False

    def answers(self) -> dict[tuple[int, ...], Fraction]:
        """What is taken in each answer, and its value."""
        return {
            taken: sum((Fraction(c) for c, t in zip(self.costs, taken, strict=True) if t), Fraction())
            for taken in product(*(range(low, high + 1) for low, high in self.bounds))
            if all(row.holds(taken) for row in self.rows)
        }


NUMBERS = st.sampled_from(["1", "1", "1", "-1", "2", "3", "-2", "0.5", "1.25", "2.50", "1e0", "-3", ".5", "1e1"])
SIDES = st.sampled_from(["0", "1", "1", "2", "-1", "1.5", "0.5", "3", "-2.25"])


@st.composite
def programs(draw: st.DrawFn) -> Program:
    n = draw(st.integers(1, 6))
    plain = draw(st.booleans())
    numbers = st.just("1") if plain else NUMBERS
    rows = []
    for _ in range(draw(st.integers(0, 5))):
        columns = draw(st.sets(st.integers(0, n - 1), min_size=1))
        span = draw(st.none() | st.sampled_from(["1", "2.5", "-1"]))
        factors = {c: draw(numbers) for c in sorted(columns)}
        where = draw(st.none() | st.none() | st.tuples(st.integers(0, n - 1), st.integers(0, 1)))
        rows.append(Row(draw(st.sampled_from("ELG")), factors, draw(SIDES), span, where))
    bounds = draw(st.lists(st.sampled_from([(0, 1), (0, 1), (0, 1), (1, 1), (0, 0)]), min_size=n, max_size=n))
    costs = draw(st.lists(st.sampled_from(["0", "1", "2", "-1", "0.5", "3.25"]), min_size=n, max_size=n))
    return Program(costs, bounds, rows, draw(st.booleans()))


def as_mps(program: Program, shape: random.Random, named: bool = False) -> str:
    """One of the ways in which programs write it. named: for HiGHS, which demands that sets of numbers have names, and
    knows neither `$` nor OBJNAME, LAZYCONS and INDICATORS."""
    plain = named
    named = shape.random() < 0.5 or named
    prefix = {"RHS": "RHS ", "RNG": "RNG ", "BND": "BND "} if named else {"RHS": "", "RNG": "", "BND": ""}
    lines = ["* made for a test", "NAME x"]
    if program.maximises:
        lines += ["OBJSENSE", "    MAX"] if shape.random() < 0.5 else ["OBJSENSE MAX"]
    goal = not plain and shape.random() < 0.5
    if goal:
        lines += ["OBJNAME", "    cost"] if shape.random() < 0.5 else ["OBJNAME cost"]
    lines += ["ROWS", *([" N other"] if goal else []), " N cost"]
    lazy = 0 if plain else shape.randrange(len(program.rows) + 1)  # how many rows are lazy
    said = [f" {row.kind}  r{r}" for r, row in enumerate(program.rows)]
    lines += said[lazy:] + (["LAZYCONS", *said[:lazy]] if lazy else []) + ["COLUMNS"]
    fixed = [c for c, (low, high) in enumerate(program.bounds) if low == high and shape.random() < 0.5]
    for c in fixed:  # columns that are continuous, and fixed
        pairs = [
            ("cost", program.costs[c]),
            *((f"r{r}", row.factors[c]) for r, row in enumerate(program.rows) if c in row.factors),
        ]
        lines += [f"    x{c}  {row}  {value}" for row, value in pairs]
    lines.append("    M1  'MARKER'  'INTORG'")
    for c, cost in enumerate(program.costs):
        if c in fixed:
            continue
        pairs = [("cost", cost), *((f"r{r}", row.factors[c]) for r, row in enumerate(program.rows) if c in row.factors)]
        step = shape.choice([1, 2])
        for k in range(0, len(pairs), step):
            lines.append(f"    x{c}  " + "  ".join(f"{row}  {value}" for row, value in pairs[k : k + step]))
    lines += ["    M2  'MARKER'  'INTEND'", "RHS"]
    lines += [f"    {prefix['RHS']}r{r}  {row.side}" for r, row in enumerate(program.rows) if Fraction(row.side)]
    lines.append("RANGES")
    lines += [f"    {prefix['RNG']}r{r}  {row.span}" for r, row in enumerate(program.rows) if row.span is not None]
    lines.append("BOUNDS")
    for c, (low, high) in enumerate(program.bounds):
        if (low, high) == (0, 1):
            lines += [[], [f" BV {prefix['BND']}x{c}"], [f" UP {prefix['BND']}x{c} 1"]][shape.randrange(3)]
        elif shape.random() < 0.5:
            lines.append(f" FX {prefix['BND']}x{c} {low}")
        else:
            lines += [f" UP {prefix['BND']}x{c} {high}", f" LO {prefix['BND']}x{c} {low}"]
    bound = [f" IF r{r} x{row.where[0]} {row.where[1]}" for r, row in enumerate(program.rows) if row.where is not None]
    lines += ["INDICATORS", *bound] if bound else []
    noted = [line + " $ a note" if not plain and line[0] == " " and shape.random() < 0.2 else line for line in lines]
    return "\n".join([*noted, "ENDATA", ""])


def as_lp(program: Program, shape: random.Random, named: bool = False) -> str:
    """One of the ways in which programs write it. named: for HiGHS, which wants a name for each row, all different, and
    an End, and knows neither lazy rows nor indicators."""

    def total(factors: dict[int, str]) -> str:
        signed = [f"{'-' if f.startswith('-') else '+'} {f.lstrip('-')} x{c}" for c, f in factors.items()]
        return " ".join(signed).removeprefix("+ ") if shape.random() < 0.5 else "\n  ".join(signed)

    goal = shape.choice(["Maximize", "MAXIMISE", "max"] if program.maximises else ["Minimize", "minimum", "min"])
    lines = ["\\ made for a test", goal, " cost: " + total(dict(enumerate(program.costs)))]
    lines.append(shape.choice(["Subject To", "such that", "st", "s.t."]))
    lazy = shape.randrange(len(program.rows) + 1) if not named else len(program.rows)  # where the lazy rows begin
    for r, row in enumerate(program.rows):
        lines += ["Lazy Constraints"] if r == lazy else []
        where = "" if row.where is None else f"x{row.where[0]} = {row.where[1]} -> "
        label = shape.choice([f"r{r}: ", "r: ", ""]) if not named else f"r{r}: "
        side, sign = Fraction(row.side), SENSES[row.kind]
        if row.span is None:
            lines.append(f" {label}{where}{total(row.factors)} {sign} {row.side}")
            continue
        span = Fraction(row.span)
        ends = {"L": (side - abs(span), side), "G": (side, side + abs(span))}
        low, high = ends.get(row.kind, (min(side, side + span), max(side, side + span)))
        lines.append(f" {label}{where}{float(low)} <= {total(row.factors)} <= {float(high)} \\ a range")
    lines.append("Bounds")
    whole = []
    for c, (low, high) in enumerate(program.bounds):
        if (low, high) == (0, 1):
            if shape.random() < 0.5:
                whole.append(c)
                lines.append(shape.choice([f" 0 <= x{c} <= 1", f" x{c} <= 1", f" 1 >= x{c}"]))
        else:
            if shape.random() < 0.5:  # else it is continuous, and fixed
                whole.append(c)
            lines.append(f" x{c} = {low}" if shape.random() < 0.5 else f" {low} <= x{c} <= {high}")
    others = [c for c, (low, high) in enumerate(program.bounds) if c not in whole and low != high]
    lines += [shape.choice(["Binary", "BINARIES", "bin"]), *(f" x{c}" for c in others)] if others else []
    lines += [shape.choice(["General", "Integers", "gen"]), " " + " ".join(f"x{c}" for c in whole)] if whole else []
    return "\n".join([*lines, *([] if not named and shape.random() < 0.2 else ["End"]), ""])


WRITERS = {"mps": as_mps, "lp": as_lp}


def found(problem: Problem, columns: int, maximises: bool) -> dict[tuple[int, ...], int]:
    """The answers of a problem by the columns named x0, x1, … of its program, and their values."""
    places = [int(name[1:]) for name in problem.option_names]
    result = {}
    for answer in answers(problem):
        taken = [0] * columns
        for o in answer:
            taken[places[o]] = 1
        value = sum(problem.costs[o] for o in answer) if problem.costs else 0
        result[tuple(taken)] = -value if maximises else value
    return result


@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(programs(), st.sampled_from(FORMS), st.integers(0, 2**32))
def test_what_is_read_has_the_answers_and_values_of_brute_force(program: Program, form: str, seed: int) -> None:
    text = WRITERS[form](program, random.Random(seed))
    assert recognise(text) is FORMATS[form]
    with listening() as noted:
        problem = read(form, text)
    assert noted.maximises == program.maximises or not problem.costs
    held = found(problem, len(program.costs), noted.maximises)
    wanted = program.answers()
    assert set(held) == set(wanted)
    scale = next((int(word) for note in noted if "times" in note for word in note.split() if word.isdigit()), 1)
    assert held == {taken: value * scale for taken, value in wanted.items()}


@pytest.mark.skipif(importlib.util.find_spec("highspy") is None, reason="highspy is not installed")
@settings(max_examples=examples(60), suppress_health_check=list(HealthCheck), deadline=None)
@given(programs(), st.sampled_from(FORMS), st.integers(0, 2**32))
def test_highs_reads_the_same(tmp_path_factory: pytest.TempPathFactory, program: Program, form: str, seed: int) -> None:
    import highspy

    program = evolve(program, rows=[evolve(row, where=None) for row in program.rows])
    if form == "lp":  # HiGHS 1.15 takes `1 <= 1 x + y <= 2` for two rows without a column
        program = evolve(program, rows=[evolve(row, span=None) for row in program.rows])
    text = WRITERS[form](program, random.Random(seed), True)
    path = tmp_path_factory.getbasetemp() / f"p.{form}"
    path.write_text(text)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    # It warns of what it was asked for: whole numbers without bounds.
    assert solver.readModel(str(path)) in (highspy.HighsStatus.kOk, highspy.HighsStatus.kWarning)
    program_ = solver.getLp()
    matrix = program_.a_matrix_
    # Taken out once: HiGHS makes a list of all numbers anew whenever one of them is asked for.
    starts, indices, values = (list(part) for part in (matrix.start_, matrix.index_, matrix.value_))
    lows, highs, names = list(program_.col_lower_), list(program_.col_upper_), list(program_.col_names_)
    rows_from, rows_to, columns = list(program_.row_lower_), list(program_.row_upper_), program_.num_col_
    held = []
    order = [names.index(f"x{c}") for c in range(columns)]
    for taken in product((0, 1), repeat=columns):
        totals = [0.0] * len(rows_from)
        for c in range(columns):
            for k in range(starts[c], starts[c + 1]):
                totals[indices[k]] += values[k] * taken[c]
        bounded = zip((*lows, *rows_from), (*taken, *totals), (*highs, *rows_to), strict=True)
        if all(low <= x <= high for low, x, high in bounded):
            held.append(tuple(taken[c] for c in order))
    kinds = zip(program_.integrality_, lows, highs, strict=True) if list(program_.integrality_) else ()
    assert all(kind == highspy.HighsVarType.kInteger or low == high for kind, low, high in kinds)
    assert set(held) == set(found(read(form, text), len(program.costs), False))
    if any(program_.col_cost_):
        assert (program_.sense_ == highspy.ObjSense.kMaximize) == program.maximises


@settings(max_examples=examples(100), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(problems(), st.sampled_from(FORMS))
def test_what_is_written_is_read_again(problem: Problem, form: str) -> None:
    back = read(form, write(form, problem))
    n = problem.options
    places = [int(name[1:]) - 1 for name in back.option_names]  # LP has the columns with costs first
    held = (tuple(sorted(places[o] for o in answer if places[o] < n)) for answer in answers(back))
    assert sorted(held) == sorted(answers(problem))
    costs = dict(zip(places, back.costs, strict=False))
    assert [costs.get(o, 0) for o in range(n)] == list(problem.costs or [0] * n)


def test_rows_that_items_can_say_are_items() -> None:
    """What an item says, no total should: the searches for exact covers and covers know no totals."""
    rows = {
        "x + y + z = 1": (1, 1), "x + y + z <= 1": (0, 1), "x + y + z >= 1": (1, 3), "2 x + 2 y + 2 z >= 3": (2, 3),
        "- x - y - z >= -2": (0, 2), "3 x + 2 y + 4 z >= 2": (1, 3), "3 x + 2 y + 2.5 z <= 3": (0, 1),
        "0.5 x + 0.5 y = 0.5": (1, 1), "1 <= x + y + z <= 2": (1, 2), "2 x + 2 y = 3": (1, 0), "x + y <= -1": (1, 0),
    }  # fmt: skip
    for row, bounds in rows.items():
        problem = read("lp", f"min\n x + 2 y + z\nst\n {row}\nbin\n x y z\nend\n")
        assert (problem.low, problem.high) == ((bounds[0],), (bounds[1],)), row
        assert not problem.sides
    assert read("lp", "min\nst\n x - y <= 0\nbin\n x y\nend\n").sides
    assert not read("lp", "min\nst\n x - y <= 1\nbin\n x y\nend\n").sides  # it excludes nothing


def mps(columns: str = " x cost 1\n x r 1\n", rest: str = "BOUNDS\n BV B x\n") -> str:
    return f"NAME t\nROWS\n N cost\n G r\nCOLUMNS\n{columns}RHS\n RHS r 1\n{rest}ENDATA\n"


def lp(rows: str = " r: x + y >= 1\n", rest: str = "Binary\n x y\n") -> str:
    return f"Minimize\n cost: x + y\nSubject To\n{rows}{rest}End\n"


FAULTS = [
    ("mps", mps(rest=""), "6:2 the column `x` is continuous; covr reads columns that are 0 or 1"),
    ("mps", mps(rest="BOUNDS\n UI B x 3\n"), "6:2 the column `x` is a whole number from 0 to 3"),
    ("mps", mps(rest="BOUNDS\n LI B x 0\n"), "6:2 the column `x` is a whole number from 0 to infinity"),
    ("mps", mps(rest="BOUNDS\n BV B x\n UP B x -1\n"), "6:2 the column `x` can have no value"),
    ("mps", mps(rest="BOUNDS\n SC B x 3\n"), "11:2 covr reads no bound `SC`"),
    ("mps", mps(rest="BOUNDS\n BV B z\n"), "11:7 there is no column `z`"),
    ("mps", mps(rest="SOS1\n S1 a\n"), "10:1 covr reads no section `SOS1` of MPS"),
    ("mps", mps(rest="RHS\n OTHER r 2\n"), "11:2 this is a second set of right-hand sides"),
    ("mps", mps(" x q 1\n"), "6:4 there is no row `q`"),
    ("mps", mps(" x r one\n"), "6:6 `one` is not a number"),
    ("mps", mps(" x r 1\n x r 1\n"), "7:4 the column `x` is in the row `r` twice"),
    ("mps", mps(" x r 1\n y r 1\n x cost 1\n"), "8:2 the column `x` began on an earlier line"),
    ("mps", mps(" x r\n"), "6:4 here stand pairs of a row and a value"),
    ("mps", mps(" M 'MARKER' 'SOSORG'\n"), "6:13 covr reads no marker 'SOSORG'"),
    ("mps", mps()[:-8], "11:1 the file ends before ENDATA"),
    ("mps", "ROWS\n N c\n E r\n E r\n", "4:4 the row `r` is named twice"),
    ("mps", "ROWS\n Q r\n", "2:2 a row is N, E, L or G"),
    ("mps", " N r\n", "1:2 this stands in no section"),
    ("mps", "OBJSENSE\n up\n", "2:2 the sense of the objective is MIN or MAX"),
    ("lp", lp(rest="Binary\n x\n"), "2:12 the column `y` is continuous"),
    ("lp", lp(rest="General\n x\nBinary\n y\n"), "2:8 the column `x` is a whole number from 0 to infinity"),
    ("lp", lp(rest="Bounds\n x <= 2\nGeneral\n x y\n"), "2:8 the column `x` is a whole number from 0 to 2"),
    ("lp", lp(rest="Bounds\n x free\nGeneral\n x y\n"), "2:8 the column `x` is a whole number from -infinity"),
    ("lp", lp(rest="Semi-continuous\n x\n"), "5:1 covr reads no such section of LP"),
    ("lp", lp(rest="SOS2\n s: x:1 y:2\n"), "5:1 covr reads no such section of LP"),
    ("lp", lp(" x1y + x1 + x >= 1\n", "Binary\n x x1y y\n"), "4:8 the column `x1` is continuous"),
    ("lp", lp(" x * y >= 1\n"), "4:4 covr can't read `*` here; products and powers are not linear"),
    ("lp", lp(" x + [ y^2 ] >= 1\n"), "4:6 a number or a name is missing here"),
    ("lp", lp(" a: x + y = 1 -> y = 1\n"), "4:15 to the left of `->` stands a column, and that it is 0 or 1"),
    ("lp", lp(" a: x <= 1 -> y = 1\n"), "4:12 to the left of `->` stands a column, and that it is 0 or 1"),
    ("lp", lp(" a: x = 2 -> y = 1\n"), "4:11 to the left of `->` stands a column, and that it is 0 or 1"),
    ("lp", lp(" a: x = 1 -> y = 1 -> x = 1\n"), "4:20 "),
    ("lp", lp(" a: x = 1 ->\n"), "5:1 `<=`, `>=` or `=` is missing here"),
    ("lp", lp(rest="User Cuts\n x >= 1\n"), "5:1 covr reads no such section of LP"),
    ("lp", lp(rest="Bounds\n x = 2\nBinary\n y\n"), "2:8 the column `x` is continuous"),
    ("lp", lp(rest="Bounds\n x = 0.5\nBinary\n y\n"), "2:8 the column `x` is continuous"),
    ("mps", mps(rest="BOUNDS\n FX B x 2\n"), "6:2 the column `x` is continuous"),
    ("mps", mps(rest="BOUNDS\n FX B x 0.5\n"), "6:2 the column `x` is continuous"),
    ("mps", mps(rest="USERCUTS\n G u\n"), "10:1 covr reads no section `USERCUTS` of MPS"),
    ("mps", mps(rest="BOUNDS\n BV B x\nINDICATORS\n IF q x 1\n"), "13:5 there is no row `q`"),
    ("mps", mps(rest="BOUNDS\n BV B x\nINDICATORS\n IF r z 1\n"), "13:7 there is no column `z`"),
    ("mps", mps(rest="BOUNDS\n BV B x\nINDICATORS\n IF r x 2\n"), "13:2 an indicator is IF"),
    ("mps", "OBJNAME\n c\n" + mps(), "2:2 there is no row N named `c`"),
    ("mps", mps(rest="OBJNAME r\n"), "10:9 OBJNAME stands before ROWS"),
    ("mps", mps(" x $r 1\n"), "6:1 here stand pairs of a row and a value"),
    ("lp", lp(" x >= y\n"), "4:7 a number is missing here: columns stand to the left"),
    ("lp", lp(" x >= 3 y\n"), "4:9 a number ends a row: columns stand to the left"),
    ("lp", lp(" x + y\n"), "5:1 `<=`, `>=` or `=` is missing here"),
    ("lp", lp(" 3 >= 1\n"), "4:2 a row needs a column"),
    ("lp", lp(f" {'7' * 50} x >= 1\n"), "4:2 `7777"),
    ("lp", "Minimize\n cost: x\n", "3:1 the file ends before Subject To"),
    ("lp", "x + y\n", "1:1 an LP file begins with Minimize or Maximize"),
    ("lp", "", "1:1 an LP file begins with Minimize or Maximize"),
    ("lp", lp().replace("cost: x", "cost: 1e19 x"), "1:1 the costs add up to 10000000000000000001"),
    ("lp", lp(" r: 1e19 x + y >= 1\n"), "4:2 the coefficients of the row `r` are too large"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "text", "what"), FAULTS)
def test_what_does_not_fit_is_refused_at_its_place(form: str, text: str, what: str) -> None:
    with pytest.raises(FormatFault) as fault:
        read(form, text)
    assert f"{fault.value.line}:{fault.value.column} {fault.value.what}".startswith(what)


def test_sections_that_are_empty_say_nothing() -> None:
    """HiGHS writes the word `semi` into every file."""
    assert read("lp", lp(rest="Binary\n x y\nsemi\n")) == read("lp", lp())
    assert read("lp", lp(rest="SOS\nBounds\nGeneral\nBinary\n x y\n")) == read("lp", lp())


def test_two_rows_of_one_name_are_two_rows() -> None:
    problem = read("lp", lp(" a: x >= 1\n a: y >= 1\n a (2): x + y >= 1\n".replace(" (2)", "")))
    assert problem.item_names == ("a", "a (2)", "a (3)") and [*answers(problem)] == [(0, 1)]


def test_a_file_without_end_is_read_and_said() -> None:
    with listening() as noted:
        problem = read("lp", lp()[:-4])
    assert problem == read("lp", lp())
    assert noted == ["the file ends without End: if it was cut off, something is missing"]


def test_the_right_hand_side_of_the_objective_is_minus_its_constant() -> None:
    """As HiGHS, SCIP and OR-Tools have it; GLPK and lp_solve have plus."""
    with listening() as noted:
        read("mps", mps(rest=" RHS cost -5\nBOUNDS\n BV B x\n"))
    assert noted == ["the objective's constant 5 is left out of the values"]


def test_dollars_begin_comments_and_names() -> None:
    text = (
        "NAME $t\nROWS\n N $cost $ the price\n G $r\nCOLUMNS\n $x $cost 1 $r 1\n $y $cost 2 $ what it costs\n"
        " $y $r 1 $q\nRHS\n RHS $r 1 $\nBOUNDS\n BV B $x $ 3\n BV B $y\nENDATA\n"
    )
    problem = read("mps", text)
    assert problem.option_names == ("$x", "$y") and problem.costs == (1, 2) and problem.item_names == ("$r",)


def test_numbers_and_names_stand_in_the_columns_of_fixed_mps() -> None:
    """1-based columns 2-3, 5-12, 15-22, 25-36, and 40-47 for the word after MARKER."""
    problem = build(
        [(1, 1), (2, 9), (0, 2)], [[0, 1], [1, 2], [0, 1, 2], [], [1, 2]], costs=[10**11, -(10**10), 0, 1, 0]
    )
    section = ""
    for line in write("mps", problem).splitlines():
        if line.startswith("*"):
            continue
        if not line.startswith(" "):
            section = line.split()[0]
            continue
        fields = [line[a:b] for a, b in ((1, 3), (4, 12), (14, 22), (24, 36), (39, 47))]
        words = {"ROWS": fields[:2], "BOUNDS": fields[:3]}.get(section, fields[1:])
        assert [w for w in line.split() if w] == [w.strip() for w in words if w.strip()], line


def test_a_number_too_long_for_fixed_mps_is_said() -> None:
    with listening() as noted:
        text = write("mps", build([(1, 1)], [[0], [0]], costs=[10**12, 1]))
    assert noted == ["a number has 13 digits: programs that read fixed MPS know 12"]
    assert read("mps", text).costs == (10**12, 1)


def test_every_column_stands_in_the_objective_or_in_a_row() -> None:
    """SCIP refuses one that stands under Binary alone."""
    text = write("lp", build([(1, 1)], [[], [0], []], costs=[0, 0, 3]))
    assert "obj: + 3 x3 + 0 x1\n" in text and "c1: + x2 >= 1" in text


def test_what_is_left_out_is_said() -> None:
    text = "max\n 0.5 x + y + 7\nst\n a: x + y <= 2\n b: x + y + z <= 1\nbounds\n z = 0\nbin\n x y z\nend\n"
    with listening() as noted:
        problem = read("lp", text)
    assert noted.maximises and problem.costs == (-1, -2) and problem.item_names == ("b",)
    assert noted == [
        "the values are 2 times those of the objective, so that they are whole",
        "the objective's constant 7 is left out of the values",
        "1 row excludes nothing and is left out: a",
        "1 column is fixed at 0 and is left out: z",
    ]


@pytest.mark.parametrize("form", FORMS)
def test_programs_have_the_limits_of_a_model(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = read("lp", lp("".join(f" x{r} + y{r} >= 1\n" for r in range(30)), "Binary\n" + "".join(
        f" x{r} y{r}\n" for r in range(30)) + " x y\n"))  # fmt: skip
    text = write(form, problem)
    for limits in (CompileLimits(items=20), CompileLimits(options=20), CompileLimits(entries=20)):
        for module in (draft, zero_one):
            monkeypatch.setattr(module, "LIMITS", limits)
            monkeypatch.setattr(module, "most_entries", lambda most=limits.entries: most)
        with pytest.raises(FormatFault, match="more than 20"):
            read(form, text)


@settings(max_examples=examples(200), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(programs(), st.sampled_from(FORMS), st.integers(0, 2**32), st.data())
def test_a_damaged_file_is_one_fault_or_another_program(
    program: Program, form: str, seed: int, data: st.DataObject
) -> None:
    text = WRITERS[form](program, random.Random(seed))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        end = at + data.draw(st.sampled_from([0, 1, 1, 2, 9]))
        text = (
            text[:at]
            + data.draw(st.sampled_from(["", " ", "\n", "-", "e9", "x1", ":", "\n RHS", "1e999", "<"]))
            + text[end:]
        )
    try:
        problem = read(form, text)
    except FormatFault as fault:
        assert 1 <= fault.line <= text.count("\n") + 1 and fault.column >= 1
        return
    assert problem.items <= 10 and problem.options <= 20


@given(programs(), st.sampled_from(FORMS), st.integers(0, 2**32), st.data())
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_a_cut_file_is_refused(program: Program, form: str, seed: int, data: st.DataObject) -> None:
    """Unless it is an LP file, and what is left says all that is needed: then a remark says that it has no End."""
    text = WRITERS[form](program, random.Random(seed))
    end = text.rfind("\nEnd\n") if form == "lp" else text.rindex("ENDATA")
    cut = text[: data.draw(st.integers(0, end - 1 if end > 0 else len(text)))]
    try:
        with listening() as noted:
            read(form, cut)
    except FormatFault:
        return
    assert form == "lp" and "without End" in noted[0]


def test_crew_pairings_are_covered_exactly() -> None:
    text = "2 3\n5 1 1\n4 1 2\n8 2 1 2\n"
    pairings, railway = read("spp", text), read("rail", text)
    assert sorted(answers(pairings)) == [(0, 1), (2,)] and pairings.costs == (5, 4, 8)
    assert len([*answers(railway)]) == 5
    with pytest.raises(FormatFault, match="there is no row 3: there are 2"):
        read("spp", "2 1\n5 1 3\n")


def test_its_files_are_known_by_their_names() -> None:
    from covr.compiler.formats import format_of

    names = {"air04.mps": "mps", "air04.mps.gz": "mps", "a.LP.xz": "lp", "sppnw04.txt": "spp", "sppnw04.txt.gz": "spp",
             "m.dlx.gz": "dlx", "x.gz": None, ".gz": None, str(Path("a.lp") / "b"): None}  # fmt: skip
    for name, form in names.items():
        known = format_of(name)
        assert (known and known.name) == form, name
