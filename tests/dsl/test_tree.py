"""What every form of statement and expression becomes."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from covr.dsl import ModelErrors, Source, parse
from covr.dsl import syntax as s
from covr.dsl.diagnostics import Span
from covr.dsl.lexer import dedent
from tests.each import each

NOWHERE = Span(Source("nowhere", ""), 0, 0)


def read(text: str) -> s.Statement:
    (statement,) = parse(Source("m.cover", text)).statements
    return statement


def expr(text: str) -> s.Expr:
    statement = read(f"let it = {text}")
    assert isinstance(statement, s.Let)
    return statement.value


def name(id: str) -> s.Name:
    return s.Name(id, NOWHERE)


def number(value: int) -> s.Number:
    return s.Number(value, NOWHERE)


def binary(left: s.Expr, op: str, right: s.Expr) -> s.Binary:
    return s.Binary(op, left, right, NOWHERE)


def call(function: str, *args: s.Expr) -> s.Call:
    return s.Call(name(function), args, NOWHERE)


def taken(choice: s.NamedChoice, negated: bool = False) -> s.Taken:
    return s.Taken(choice, negated, NOWHERE)


def compare(first: s.Expr, *rest: tuple[str, s.Expr]) -> s.Compare:
    return s.Compare(first, rest, NOWHERE)


def generator(over: s.Expr, *patterns: s.Pattern) -> s.Generator:
    return s.Generator(patterns, over, NOWHERE)


def label(*parts: str | s.Expr) -> s.Template:
    return s.Template(parts, NOWHERE)


A, B, C, X, R, F, G = map(name, "abcxrfg")
ONE, TWO, THREE = map(number, (1, 2, 3))
ONE_TO_THREE = s.Range(ONE, THREE, NOWHERE)

EXPRESSIONS: dict[str, s.Expr] = {
    "3": THREE,
    "007": number(7),
    '"t"': s.Text("t", NOWHERE),
    r'"a \"b\" \\ \n"': s.Text('a "b" \\ \n', NOWHERE),
    '""': s.Text("", NOWHERE),
    '"{a}"': s.Text("{a}", NOWHERE),
    "true": s.TruthLiteral(True, NOWHERE),
    "false": s.TruthLiteral(False, NOWHERE),
    "a": A,
    "ünï": name("ünï"),
    "solutions": name("solutions"),
    "at + on + as + no": binary(binary(binary(name("at"), "+", name("on")), "+", name("as")), "+", name("no")),
    "of * with": binary(name("of"), "*", name("with")),
    "(a)": A,
    "()": s.TupleOf((), NOWHERE),
    "(a,)": s.TupleOf((A,), NOWHERE),
    "(a, b)": s.TupleOf((A, B), NOWHERE),
    "(a, b,)": s.TupleOf((A, B), NOWHERE),
    "[]": s.ListOf((), NOWHERE),
    "[a, b]": s.ListOf((A, B), NOWHERE),
    "{}": s.SetOf((), NOWHERE),
    "{a, b,}": s.SetOf((A, B), NOWHERE),
    "{a: b, b: a,}": s.MapOf((s.TupleOf((A, B), NOWHERE), s.TupleOf((B, A), NOWHERE)), NOWHERE),
    "{x: b for x in a}": s.Comprehension("map", s.TupleOf((X, B), NOWHERE), (generator(A, X),), None, NOWHERE),
    "{x for x in a}": s.Comprehension("set", X, (generator(A, X),), None, NOWHERE),
    "[x for x, r in a, (b, (c,)) in r where x = c]": s.Comprehension(
        "list",
        X,
        (generator(A, X, R), generator(R, s.TuplePattern((B, s.TuplePattern((C,), NOWHERE)), NOWHERE))),
        compare(X, ("=", C)),
        NOWHERE,
    ),
    "f()": call("f"),
    "f(a, 1)": call("f", A, ONE),
    "cells(g)": call("cells", G),
    "a[1]": s.Index(A, (ONE,), NOWHERE),
    "a[1, 2][3]": s.Index(s.Index(A, (ONE, TWO), NOWHERE), (THREE,), NOWHERE),
    "a.b.title": s.Field(s.Field(A, "b", NOWHERE), "title", NOWHERE),
    "f(a).b[1]": s.Index(s.Field(call("f", A), "b", NOWHERE), (ONE,), NOWHERE),
    "-a": s.Unary("-", A, NOWHERE),
    "--a": s.Unary("-", s.Unary("-", A, NOWHERE), NOWHERE),
    "not a": s.Unary("not", A, NOWHERE),
    "not not a": s.Unary("not", s.Unary("not", A, NOWHERE), NOWHERE),
    "a + b - c": binary(binary(A, "+", B), "-", C),
    "a + b * c": binary(A, "+", binary(B, "*", C)),
    "a div b mod c": binary(binary(A, "div", B), "mod", C),
    "a | b & c": binary(A, "|", binary(B, "&", C)),
    "a ^ b ^ c": binary(A, "^", binary(B, "^", C)),
    "-a ^ -b": s.Unary("-", binary(A, "^", s.Unary("-", B, NOWHERE)), NOWHERE),
    "-a * b": binary(s.Unary("-", A, NOWHERE), "*", B),
    "a..b + 1": s.Range(A, binary(B, "+", ONE), NOWHERE),
    "x in 1..3": compare(X, ("in", ONE_TO_THREE)),
    "a <= b < c": compare(A, ("<=", B), ("<", C)),
    "a = b != c": compare(A, ("=", B), ("!=", C)),
    "a not in b": compare(A, ("not in", B)),
    "a not\n in b": compare(A, ("not in", B)),
    "a > b and not c >= 1 or x": binary(
        binary(compare(A, (">", B)), "and", s.Unary("not", compare(C, (">=", ONE)), NOWHERE)), "or", X
    ),
    "if a then b else if b then c else x": s.IfElse(A, B, s.IfElse(B, C, X, NOWHERE), NOWHERE),
    "if a or b then 1 else 2 + 3": s.IfElse(binary(A, "or", B), ONE, binary(TWO, "+", THREE), NOWHERE),
    'f """\n  a\n  b\n"""': s.ReaderBlock(F, (), "a\nb", (), NOWHERE),
    'f(1, a) """x"""': s.ReaderBlock(F, (ONE, A), "x", (), NOWHERE),
    "(1 + 2) * 3": binary(binary(ONE, "+", TWO), "*", THREE),
}

Q = s.TuplePattern((A, B), NOWHERE)
STATEMENTS: dict[str, s.Statement] = {
    'title "a {b} {{c}}"': s.Title(label("a ", B, " {c}"), NOWHERE),
    'use "std/x"': s.Use("std/x", NOWHERE),
    "param a = 3": s.Param(A, THREE, None, NOWHERE),
    "param a = 3 where a > 1": s.Param(A, THREE, compare(A, (">", ONE)), NOWHERE),
    "let a = 3": s.Let(A, None, THREE, NOWHERE),
    "let f() = 3": s.Let(F, (), THREE, NOWHERE),
    "let f(a, b) = a": s.Let(F, (A, B), A, NOWHERE),
    "assert a": s.Assert(A, None, NOWHERE),
    'assert a = b "no {a}"': s.Assert(compare(A, ("=", B)), label("no ", A), NOWHERE),
    "cells a, b in c": s.Declare("cells", (generator(C, A, B),), NOWHERE),
    "values (a, b) in c, x in 1..3": s.Declare("values", (generator(C, Q), generator(ONE_TO_THREE, X)), NOWHERE),
    "choose f()": s.Choose(F, (), (), None, NOWHERE),
    "choose f(a, b) for b in c where a": s.Choose(F, (A, B), (generator(C, B),), A, NOWHERE),
    "exactly one f": s.Rule("exactly", name("one"), (F,), (), None, None, NOWHERE),
    "at   least 2 f or g per a": s.Rule("at least", TWO, (F, G), (A,), None, None, NOWHERE),
    'at most 1..3 f per a + b, x in c where x = a "l {x}"': s.Rule(
        "at most",
        ONE_TO_THREE,
        (F,),
        (binary(A, "+", B), s.Key(X, C, NOWHERE)),
        compare(X, ("=", A)),
        label("l ", X),
        NOWHERE,
    ),
    "exactly a[x] f per (a, b) in c, x in r and a": s.Rule(
        "exactly",
        s.Index(A, (X,), NOWHERE),
        (F,),
        (s.Key(Q, C, NOWHERE), binary(compare(X, ("in", R)), "and", A)),
        None,
        None,
        NOWHERE,
    ),
    "exactly one f per a + 1 in c, 1 in c, x not in c": s.Rule(
        "exactly",
        name("one"),
        (F,),
        (compare(binary(A, "+", ONE), ("in", C)), compare(ONE, ("in", C)), compare(X, ("not in", C))),
        None,
        None,
        NOWHERE,
    ),
    "at most 3 total -a of f or 2 of g per x": s.Rule(
        "at most", THREE, (F, G), (X,), None, None, NOWHERE, weights=(s.Unary("-", A, NOWHERE), TWO)
    ),
    "exactly {1, 2} total a..b of f": s.Rule(
        "exactly", s.SetOf((ONE, TWO), NOWHERE), (F,), (), None, None, NOWHERE, weights=(s.Range(A, B, NOWHERE),)
    ),
    "exactly one total per x": s.Rule("exactly", name("one"), (name("total"),), (X,), None, None, NOWHERE),
    'exactly one total "l"': s.Rule("exactly", name("one"), (name("total"),), (), None, label("l"), NOWHERE),
    "exactly one f or total": s.Rule("exactly", name("one"), (F, name("total")), (), None, None, NOWHERE),
    "if f(a) then g() or f(1)": s.Needs(
        ((taken(s.NamedChoice(F, (A,), NOWHERE)),),),
        (s.Then("", None, (s.NamedChoice(G, (), NOWHERE), s.NamedChoice(F, (ONE,), NOWHERE)), NOWHERE),),
        (),
        None,
        None,
        NOWHERE,
    ),
    "if not f(a) and g() or f(1) then no all()": s.Needs(
        (
            (taken(s.NamedChoice(F, (A,), NOWHERE), True), taken(s.NamedChoice(G, (), NOWHERE))),
            (taken(s.NamedChoice(F, (ONE,), NOWHERE)),),
        ),
        (s.Then("no", None, (s.NamedChoice(name("all"), (), NOWHERE),), NOWHERE),),
        (),
        None,
        None,
        NOWHERE,
    ),
    "if  and\nonly if f() then all some(a)": s.Needs(
        ((taken(s.NamedChoice(F, (), NOWHERE)),),),
        (s.Then("all", None, (s.NamedChoice(name("some"), (A,), NOWHERE),), NOWHERE),),
        (),
        None,
        None,
        NOWHERE,
        both=True,
    ),
    "if f() then no()": s.Needs(
        ((taken(s.NamedChoice(F, (), NOWHERE)),),),
        (s.Then("", None, (s.NamedChoice(name("no"), (), NOWHERE),), NOWHERE),),
        (),
        None,
        None,
        NOWHERE,
    ),
    'if f() then not g(a, b) for a in c where x "l"': s.Needs(
        ((taken(s.NamedChoice(F, (), NOWHERE)),),),
        (s.Then("not", None, (s.NamedChoice(G, (A, B), NOWHERE),), NOWHERE),),
        (generator(C, A),),
        X,
        label("l"),
        NOWHERE,
    ),
    "if f() then exactly a..b g(1) or f() and not g()": s.Needs(
        ((taken(s.NamedChoice(F, (), NOWHERE)),),),
        (
            s.Then(
                "exactly",
                s.Range(A, B, NOWHERE),
                (s.NamedChoice(G, (ONE,), NOWHERE), s.NamedChoice(F, (), NOWHERE)),
                NOWHERE,
            ),
            s.Then("not", None, (s.NamedChoice(G, (), NOWHERE),), NOWHERE),
        ),
        (),
        None,
        None,
        NOWHERE,
    ),
    "if f() then at  least\n1 total a of g() or b of f()": s.Needs(
        ((taken(s.NamedChoice(F, (), NOWHERE)),),),
        (
            s.Then(
                "at least",
                ONE,
                (s.NamedChoice(G, (), NOWHERE), s.NamedChoice(F, (), NOWHERE)),
                NOWHERE,
                weights=(A, B),
            ),
        ),
        (),
        None,
        None,
        NOWHERE,
    ),
    'connected f or g at a, x in b along c per r where x "l"': s.Connected(
        (F, G), (A, s.Key(X, B, NOWHERE)), C, (R,), X, label("l"), NOWHERE
    ),
    "connected f at (a, b)": s.Connected((F,), (s.TupleOf((A, B), NOWHERE),), None, (), None, None, NOWHERE),
    'loop f along (a, b) per x where c "l"': s.Loop(F, s.TupleOf((A, B), NOWHERE), (X,), C, label("l"), NOWHERE),
    'all  different a, b in c of f on x, 1 per r where c "l"': s.Alike(
        True, (A, s.Key(B, C, NOWHERE)), F, (X, ONE), (R,), C, label("l"), NOWHERE
    ),
    "all\nalike (a, b) of f": s.Alike(False, (s.TupleOf((A, B), NOWHERE),), F, None, (), None, None, NOWHERE),
    'agree f on (a, b) = c, x = 1 for x in c where a "l"': s.Agree(
        (s.AgreePart(F, ((s.TupleOf((A, B), NOWHERE), C), (X, ONE)), NOWHERE),),
        (generator(C, X),),
        A,
        label("l"),
        NOWHERE,
    ),
    "agree f on a = b, 1 = c, g on x = 1, a = b": s.Agree(
        (s.AgreePart(F, ((A, B), (ONE, C)), NOWHERE), s.AgreePart(G, ((X, ONE), (A, B)), NOWHERE)),
        (),
        None,
        None,
        NOWHERE,
    ),
    "answers by f, g": s.AnswersBy((F, G), NOWHERE),
    "answers\nby f": s.AnswersBy((F,), NOWHERE),
    'given f(a, 1) for a in c where a "l"': s.Given(F, (A, ONE), (generator(C, A),), A, label("l"), NOWHERE),
    "given f()": s.Given(F, (), (), None, None, NOWHERE),
    "forbid f where a": s.Forbid(F, None, (), A, NOWHERE),
    "forbid f(1) for a in c": s.Forbid(F, (ONE,), (generator(C, A),), None, NOWHERE),
    "minimize count of f, a + 1 of g where x": s.Optimize(
        "minimize", (s.Goal(None, F, None, NOWHERE), s.Goal(binary(A, "+", ONE), G, X, NOWHERE)), NOWHERE
    ),
    "then maximize count of f where x, a of f for a in b where x": s.Optimize(
        "maximize",
        (s.Goal(None, F, X, NOWHERE), s.Goal(A, F, X, NOWHERE, (s.Generator((A,), B, NOWHERE),))),
        NOWHERE,
        then=True,
    ),
    "maximize a of f": s.Optimize("maximize", (s.Goal(A, F, None, NOWHERE),), NOWHERE),
    "up to g(a), f(a, b) -> f(b, 1)": s.UpTo((call("g", A), s.SymmetryMap(F, (A, B), F, (B, ONE), NOWHERE)), NOWHERE),
    "show a of f": s.Show((A,), F, (), None, None, None, NOWHERE),
    'show a, b of f at r, c where x else "." as outline': s.Show((A, B), F, (R, C), X, ".", "outline", NOWHERE),
    "outline a of f at r, c where x": s.Show((A,), F, (R, C), X, None, s.REGIONS, NOWHERE),
    "print a at r, c as dark": s.Print((A,), (R, C), (), None, NOWHERE, "dark"),
    "print a at x for x in c as bulb": s.Print((A,), (X,), (generator(C, X),), None, NOWHERE, "bulb"),
    "show a of f at x for x in c as line": s.Show((A,), F, (X,), None, None, "line", NOWHERE, (generator(C, X),)),
    "print a, 1 at r, c for x in c where x": s.Print((A, ONE), (R, C), (generator(C, X),), X, NOWHERE),
    "print a at (a, b), x": s.Print((A,), (s.TupleOf((A, B), NOWHERE), X), (), None, NOWHERE),
    "outline a": s.Outline(A, (), NOWHERE),
    "outline x for x in c": s.Outline(X, (generator(C, X),), NOWHERE),
    "expect 3 solutions": s.Expect("solutions", THREE, (), NOWHERE),
    "expect 1 solution": s.Expect("solutions", ONE, (), NOWHERE),
    "expect unique": s.Expect("unique", None, (), NOWHERE),
    "expect no solution with a = 3": s.Expect("none", None, ((A, THREE),), NOWHERE),
    "expect no solutions": s.Expect("none", None, (), NOWHERE),
    'expect minimum 3 with a = 1, b = f """x"""': s.Expect(
        "minimum", THREE, ((A, ONE), (B, s.ReaderBlock(F, (), "x", (), NOWHERE))), NOWHERE
    ),
}


@each("text", EXPRESSIONS)
def test_expressions_become_trees(text: str) -> None:
    assert expr(text) == EXPRESSIONS[text]


@each("text", EXPRESSIONS)
def test_expressions_in_labels_are_read_as_elsewhere(text: str) -> None:
    if '"""' in text:
        return
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    if text.startswith("{"):
        escaped = f"({escaped})"
    statement = read(f'title "<{{{escaped}}}>"')
    assert statement == s.Title(label("<", EXPRESSIONS[text], ">"), NOWHERE)


@each("text", STATEMENTS)
def test_statements_become_trees(text: str) -> None:
    assert read(text) == STATEMENTS[text]


@each("text", STATEMENTS)
def test_statements_follow_each_other_without_newlines(text: str) -> None:
    found = parse(Source("m", f"let a = b {text} param x = 3")).statements
    assert found[1] == STATEMENTS[text]


@each("text", STATEMENTS)
def test_comments_and_blanks_mean_nothing(text: str) -> None:
    if '"""' not in text:
        assert read("# c\n\t" + text + " # let x = 3") == STATEMENTS[text]


# --- spans --------------------------------------------------------------------------------------------------


def test_trees_know_their_places() -> None:
    text = 'let f(x) = (a + 1) * x[2]\nexactly one put per x where x in s   "square {f(x)}"  # c'
    let, rule = parse(Source("m.cover", text)).statements
    assert isinstance(let, s.Let) and isinstance(rule, s.Rule) and isinstance(let.value, s.Binary)
    assert let.span.text == "let f(x) = (a + 1) * x[2]"
    assert let.value.span.text == "(a + 1) * x[2]"
    assert let.value.left.span.text == "a + 1"
    assert let.value.right.span.text == "x[2]"
    assert rule.span.text == "exactly one put per x where x in s"
    assert rule.span.place == (2, 1)
    assert rule.where is not None and rule.where.span.text == "x in s"
    assert rule.label is not None and rule.label.span.text == '"square {f(x)}"'
    hole = rule.label.parts[1]
    assert isinstance(hole, s.Call) and hole.span.text == "f(x)" and hole.args[0].span.text == "x"


def test_spans_behind_escapes_are_right() -> None:
    title = read(r'title "\"\\ {f(\"a\")} {b}"')
    assert isinstance(title, s.Title)
    first, hole, _, last = title.text.parts
    assert first == '"\\ '
    assert isinstance(hole, s.Call) and hole.span.text == r"f(\"a\")"
    assert isinstance(last, s.Name) and last.span.text == "b"


def test_blocks_know_where_their_lines_are() -> None:
    text = 'param g = grid(2, 2) """\n    12\n      \n     34  \n  """\n'
    param = read(text)
    assert isinstance(param, s.Param) and isinstance(param.value, s.ReaderBlock)
    assert param.value.block == "12\n\n 34  "
    lines = param.value.block.split("\n")
    for line, start in zip(lines, param.value.block_start, strict=True):
        assert text[start : start + len(line)] == line


@given(st.text(alphabet=" \tab\n\r", max_size=40))
def test_dedented_lines_know_their_places(raw: str) -> None:
    block, starts = dedent(raw)
    lines = block.split("\n") if starts else []
    assert len(lines) == len(starts)
    for line, start in zip(lines, starts, strict=True):
        assert raw[start : start + len(line)] == line


@pytest.mark.parametrize(
    ("raw", "block"),
    [
        ("", ""),
        ("\n", ""),
        ("\n  a\n", "a"),
        ("\n  a\n b\n ", " a\nb"),
        ("a\n  b\n  c", "a\nb\nc"),
        ("\n\n a\n\n", "\na\n"),
        ("\n\ta\n\t b", "a\n b"),
        ("\r\n  a\r\n  b\r\n", "a\nb"),
        ("  a", "  a"),
    ],
)
def test_dedent_removes_common_indentation(raw: str, block: str) -> None:
    assert dedent(raw)[0] == block


# --- round trips --------------------------------------------------------------------------------------------


def written(e: s.Expr) -> str:
    """An expression as text, every operand in brackets."""
    match e:
        case s.Number():
            return str(e.value)
        case s.Text():
            return '"' + e.value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
        case s.TruthLiteral():
            return "true" if e.value else "false"
        case s.Name():
            return e.id
        case s.Call():
            return f"{e.function.id}({', '.join(map(written, e.args))})"
        case s.Index():
            return f"({written(e.of)})[{', '.join(map(written, e.args))}]"
        case s.Field():
            return f"({written(e.of)}).{e.name}"
        case s.Unary():
            return f"{e.op} ({written(e.of)})"
        case s.Binary():
            return f"({written(e.left)}) {e.op} ({written(e.right)})"
        case s.Compare():
            return f"({written(e.first)})" + "".join(f" {op} ({written(o)})" for op, o in e.rest)
        case s.IfElse():
            return f"if {written(e.test)} then {written(e.then)} else {written(e.other)}"
        case s.TupleOf():
            return "(" + "".join(f"{written(i)}, " for i in e.items) + ")"
        case s.ListOf():
            return "[" + ", ".join(map(written, e.items)) + "]"
        case s.SetOf():
            return "{" + ", ".join(map(written, e.items)) + "}"
        case s.MapOf():
            return "{" + ", ".join(f"{written(key)}: {written(to)}" for key, to in (i.items for i in e.items)) + "}"
        case s.Range():
            return f"({written(e.low)})..({written(e.high)})"
    raise AssertionError(e)


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
NAMES = st.sampled_from([A, B, name("one"), name("at"), name("solutions"), name("minimum")])
LEAVES = (
    st.builds(number, st.integers(0, 10**20))
    | NAMES
    | st.builds(lambda t: s.Text(t, NOWHERE), TEXTS)
    | st.builds(lambda t: s.TruthLiteral(t, NOWHERE), st.booleans())
)
SIGNS = st.sampled_from(["=", "!=", "<", "<=", ">", ">=", "in", "not in"])


def larger(inner: st.SearchStrategy[s.Expr]) -> st.SearchStrategy[s.Expr]:
    some = st.lists(inner, max_size=3).map(tuple)
    more = st.lists(inner, min_size=1, max_size=2).map(tuple)
    return st.one_of(
        st.builds(lambda a: call("f", *a), some),
        st.builds(lambda o, a: s.Index(o, a, NOWHERE), inner, more),
        st.builds(lambda o: s.Field(o, "where", NOWHERE), inner),
        st.builds(lambda op, o: s.Unary(op, o, NOWHERE), st.sampled_from(["-", "not"]), inner),
        st.builds(binary, inner, st.sampled_from(["+", "-", "*", "div", "mod", "^", "|", "&", "and", "or"]), inner),
        st.builds(lambda f, r: compare(f, *r), inner, st.lists(st.tuples(SIGNS, inner), min_size=1, max_size=3)),
        st.builds(lambda a, b, c: s.IfElse(a, b, c, NOWHERE), inner, inner, inner),
        st.builds(lambda a: s.TupleOf(a, NOWHERE), more),
        st.builds(lambda a: s.ListOf(a, NOWHERE), some),
        st.builds(lambda a: s.SetOf(a, NOWHERE), some),
        st.builds(
            lambda a, b: s.MapOf((s.TupleOf((a, b), NOWHERE), s.TupleOf((b, a), NOWHERE)), NOWHERE), inner, inner
        ),
        st.builds(lambda a, b: s.Range(a, b, NOWHERE), inner, inner),
    )


@given(st.recursive(LEAVES, larger, max_leaves=20))
def test_what_is_written_is_read_back(e: s.Expr) -> None:
    assert expr(written(e)) == e


@given(st.recursive(LEAVES, larger, max_leaves=8))
@example(s.Text('"{', NOWHERE))
@example(s.Text("}\\", NOWHERE))
def test_what_is_written_in_a_label_is_read_back(e: s.Expr) -> None:
    raw = written(e).replace("\\", "\\\\").replace('"', '\\"')
    assert read(f'title "a{{ ({raw}) }}b"') == s.Title(label("a", e, "b"), NOWHERE)


def test_a_hole_may_hold_a_set() -> None:
    assert read('title "{ {a} }"') == s.Title(label(s.SetOf((A,), NOWHERE)), NOWHERE)


def test_a_text_may_not_go_on_in_the_next_line() -> None:
    with pytest.raises(ModelErrors):
        parse(Source("m", 'title "a\nb"'))
