"""Every code has its page; its example gives exactly that code, its cure none; the pages say what is really printed."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from covr.cli.group import cli
from covr.dsl.codes import CODES
from covr.explain import code_pages as explain
from covr.explain.code_pages import Page
from tests.covr.explain.pages import CODE, faults, printed
from tests.each import each

pytestmark = pytest.mark.long

PAGES = list(explain.pages().values())


def test_every_code_has_a_page() -> None:
    assert explain.pages().keys() == CODES.keys()


@each("page", PAGES)
def test_the_example_gives_its_code_and_the_cure_none(page: Page) -> None:
    said = printed(page)
    assert set(CODE.findall(said)) == {page.code}
    assert said == page.prints, "run python -m tests.covr.explain.pages"
    if page.cured:
        left = [fault for fault in faults(page.cured) if fault.is_error or page.code.startswith("W")]
        assert not left, left


@each("page", PAGES)
def test_a_page_is_written_with_care(page: Page) -> None:
    assert page.text and page.example and page.prints
    assert page.cured or page.code.startswith(("E5", "E6", "E7"))
    assert all(len(line) <= 120 for line in page.text.split("\n"))


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, ["explain", *words])
    return result.exit_code, result.stdout, result.stderr


def test_a_page_is_shown() -> None:
    code, out, _ = run("e102")
    assert code == 0
    assert out.startswith("E102: a family of choices that does not exist\n")
    assert "did you mean `queen`?" in out and "Fixed:" in out
    assert run("E102", "[E101]")[1].count("covr says:") == 2


def test_the_codes_are_listed() -> None:
    code, out, _ = run()
    assert code == 0
    assert all(f"  {code}  {meaning}" in out for code, meaning in CODES.items())


def test_an_unknown_code_is_met_with_a_guess() -> None:
    code, _, said = run("E1O2")
    assert code == 2
    assert "there is no code `E1O2`" in said and "did you mean `E102`?" in said
