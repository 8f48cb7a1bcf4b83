"""Diagnostics as they are printed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from covr.dsl import Diagnostic, Source, Span, render, suggest
from covr.dsl.diagnostics import WIDEST, distance, width


def at(text: str, part: str, name: str = "m.cover") -> Span:
    start = text.index(part)
    return Span(Source(name, text), start, start + len(part))


@given(st.text("ab\n", max_size=30), st.integers(0, 30))
def test_a_place_is_what_counting_says(text: str, offset: int) -> None:
    source = Source("m.cover", text)
    before = text[:offset]
    line, column = source.place(min(offset, len(text)))
    assert (line, column) == (before.count("\n") + 1, len(before) - before.rfind("\n"))
    assert source.line(line) == text.split("\n")[line - 1]
    assert source.line(0) == source.line(text.count("\n") + 2) == ""


def test_an_error_is_laid_out_under_its_line() -> None:
    text = 'title "Queens"\n\n\nexactly one queens per r\n'
    said = Diagnostic(
        "E102", "`queens` is not a family of choices", at(text, "queens", "queens.cover"), "did you mean `queen`?"
    )
    assert render(said) == (
        "error[E102]: `queens` is not a family of choices\n"
        " --> queens.cover:4:13\n"
        "  |\n"
        "4 | exactly one queens per r\n"
        "  |             ^^^^^^\n"
        "  = help: did you mean `queen`?"
    )


def test_another_word_notes_and_wide_numbers_are_laid_out() -> None:
    text = "\n" * 11 + "exactly one put per x"
    said = Diagnostic("W203", "nothing can", at(text, text.strip()), "look", ("a", "b\nc"), "no solution")
    assert render(said) == (
        "no solution[W203]: nothing can\n"
        "  --> m.cover:12:1\n"
        "   |\n"
        "12 | exactly one put per x\n"
        "   | ^^^^^^^^^^^^^^^^^^^^^\n"
        "   = note: a\n"
        "   = note: b\n"
        "           c\n"
        "   = help: look"
    )


def test_a_fault_without_a_place_is_one_line() -> None:
    assert render(Diagnostic("W201", "careful")) == "warning[W201]: careful"


def test_an_end_of_text_gets_one_caret() -> None:
    assert render(Diagnostic("E001", "m", Span(Source("m", "ab\n"), 2, 2))).endswith("1 | ab\n  |   ^")
    assert render(Diagnostic("E001", "m", Span(Source("m", ""), 0, 0))).endswith("1 |\n  | ^")


def test_several_lines_are_underlined_to_the_end_of_the_first() -> None:
    assert render(Diagnostic("E001", "m", at("let x = (1\n + 2)  \n", "(1\n + 2)"))).endswith(
        "1 | let x = (1\n  |         ^^"
    )


def test_carets_stand_under_tabs_and_wide_characters() -> None:
    assert render(Diagnostic("E001", "m", at("\tlet x", "let"))).endswith("1 |     let x\n  |     ^^^")
    assert render(Diagnostic("E001", "m", at("日本 x", "x"))).endswith("1 | 日本 x\n  |      ^")
    assert render(Diagnostic("E001", "m", at("é x", "x"))).endswith("1 | é x\n  |   ^")


def test_nothing_of_a_model_controls_the_terminal() -> None:
    shown = render(Diagnostic("E001", "\x1b[2J", at("\x1b[2J x\r\n", "x")))
    assert "\x1b" not in shown and "\r" not in shown


def test_colours_change_no_character() -> None:
    text = "let x = y"
    said = Diagnostic("E101", "m", at(text, "y"), "h")
    painted = render(said, colour=True)
    assert "\x1b[1;31merror[E101]\x1b[0m" in painted
    for code in ("0", "1", "1;31", "1;33", "1;34", "1;36"):
        painted = painted.replace(f"\x1b[{code}m", "")
    assert painted == render(said)


@given(st.text(max_size=300), st.integers(0, 300), st.integers(0, 300))
def test_any_span_of_any_text_renders(text: str, start: int, length: int) -> None:
    start = min(start, len(text))
    span = Span(Source("m", text), start, min(start + length, len(text)))
    lines = render(Diagnostic("E001", "m", span)).split("\n")
    assert len(lines) == 5
    assert set(lines[4].split("|")[1].strip()) == {"^"}


@given(st.integers(0, 2000), st.integers(1, 500))
def test_long_lines_are_cut_around_the_span(before: int, length: int) -> None:
    text = "x" * before + "y" * length + "z" * 1000
    source, carets = render(Diagnostic("E001", "m", at(text, "y" * length))).split("\n")[3:]
    assert width(source) <= WIDEST + 10
    assert source[carets.index("^")] == "y"
    assert len(carets) <= len(source)


# --- did you mean -------------------------------------------------------------------------------------------


def test_a_near_word_is_suggested() -> None:
    words = ["per", "exactly", "queen", "placements", "n"]
    assert suggest("pre", words) == "per"
    assert suggest("exacty", words) == "exactly"
    assert suggest("Queen", words) == "queen"
    assert suggest("placemnts", words) == "placements"
    assert suggest("N", words) == "n"
    assert suggest("m", words) is None
    assert suggest("king", words) is None
    assert suggest("", words) is None
    assert suggest("x" * 1000, words) is None


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_distance_is_symmetric_and_bounded(a: str, b: str) -> None:
    assert distance(a, b) == distance(b, a) <= max(len(a), len(b))
    assert (distance(a, b) == 0) == (a == b)


def test_a_part_of_a_file_knows_its_lines() -> None:
    """The line numbers of a part are those of the whole, without the whole before it."""
    whole = Source("m", "one\ntwo\nthree\n")
    part = Source("m", "two\nthree\n", first=2)
    for offset in range(len(part.text)):
        assert part.place(offset) == whole.place(offset + 4)
    assert [part.line(n) for n in range(5)] == ["", "", "two", "three", ""]
    assert render(Diagnostic("E001", "m", Span(part, 4, 9))) == render(Diagnostic("E001", "m", Span(whole, 8, 13)))
