"""A link is the gallery's model with the board drawn in it, and whatever is wrong with it is told."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import covr
from covr.cli.common.group import cli
from covr.compiler import compile_model
from covr.dsl.diagnostics import ModelErrors
from covr.dsl.source import Source
from covr.inputs import library
from covr.links.kind import Kind
from covr.links.opened import read_linked
from tests.links.published import HEAVY, compiled_for, each_kind, published
from tests.shared import IN_GATE

LINK = "https://puzz.link/p?slither/5/5/cbcbcddad"
FILE = "pzprv3\nslither\n2\n2\n. 3 \n. . \n"


@each_kind(4 if IN_GATE else 1)  # that every kind's params are right is held in test_published.py
def test_a_link_is_the_same_problem_as_the_model_with_its_params(kind: Kind, slow: bool) -> None:
    if kind.name in HEAVY and not slow:
        pytest.skip("takes seconds; run with --slow")
    link = f"https://puzz.link/p?{kind.name}/{published()[kind.name]['url']}"
    assert compile_model(library.open_model(link)).problem == compiled_for(kind, read_linked(link).board).problem


def test_every_question_can_be_asked_of_a_link(tmp_path: Path) -> None:
    assert covr.load(LINK).count() == 1
    for page in ("puzz.link/p?", "http://pzv.jp/p.html?", "https://pzplus.tck.mn/p.html?", "http://a.b/c?type=editor&"):
        assert covr.load(page + LINK.partition("?")[2]).count() == 1
    path = tmp_path / "board.txt"
    path.write_text(FILE)
    assert covr.load(FILE).count() == covr.load(FILE.replace("\n", "/")).count() == covr.load(path).count() == 4
    assert covr.load(LINK, clue="....\n....").count() > 3


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_link_that_was_written_into_another_address_is_the_same(times: int) -> None:
    whole, behind = LINK, LINK.partition("?")[2]
    for _ in range(times):
        whole, behind = quote(whole, safe=""), quote(behind, safe="")
    for link in (whole, whole.lower(), f"https://puzz.link/p?{behind}"):
        assert covr.load(link).problem == covr.load(LINK).problem


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ("https://puzz.link/p?slitehr/5/5/cbcbcddad", "did you mean `slither`"),
        ("https://puzz.link/p?zzzzz/5/5/cbcbcddad", "the kinds are"),
        ("https://puzz.link/p?slither/5/5/cbcb!", "means nothing at letter 5"),
        ("https://puzz.link/p?kurodoko/5/5/g-1", "cut off"),
        ("https://puzz.link/p?slither/5/5/cbcb!ddad", "means nothing at letter 5"),
        ("https://puzz.link/p?slither/5%2F5%2Fcbcbcddad", "encoded twice"),
        ("https://puzz.link/p?slither/v:odd/5/5/cbcbcddad", "variant"),
        ("https://puzz.link/p?slither/q/5/5/cbcbcddad", "no meaning that is known"),
        ("https://puzz.link/p?slither/\n/5/5/cbcbcddad", "its `\N{REPLACEMENT CHARACTER}` has no meaning"),
        ("https://puzz.link/p?yajilin/o/5/5/m32j10", "all shaded squares are outside"),
        ("https://puzz.link/p?slither/1000000000/1000000000/g", "too large"),
        ("https://puzz.link/p?slither/5/5/" + "g" * 2_000_000, "more than"),
        ("https://puzz.link/p?sudoku/6/6/" + "zv", "square boxes"),
        ("pzprv3/slither/2/2/. 3 /. x /", "`x` means nothing"),
        ("pzprv3/slither/2/2/. 3 /. /", "1 words instead of 2"),
        ("pzprv9/slither/2/2/. 3 /. . /", "does not begin"),
    ],
)  # fmt: skip
def test_a_link_that_can_not_be_read_says_why(link: str, told: str) -> None:
    with pytest.raises(ModelErrors) as caught:
        library.open_model(link)
    (fault,) = caught.value.diagnostics
    assert fault.code == "E606" and told in f"{fault.message} {fault.help}"
    assert len(fault.message) < 400


@given(st.text(max_size=60), st.sampled_from([LINK, FILE, "https://puzz.link/p?"]), st.integers(0, 45))
def test_a_damaged_link_is_a_model_or_one_fault(more: str, text: str, at: int) -> None:
    source = Source("<text>", text[:at] + more + text[at:])
    try:
        found = library.unlinked(source)
    except ModelErrors as errors:
        assert [fault.code for fault in errors.diagnostics] == ["E606"]
        return
    assert found is source or found.text.startswith("title")


def test_a_link_becomes_a_model_that_a_person_goes_on_from(tmp_path: Path) -> None:
    out = tmp_path / "my.cover"
    assert CliRunner().invoke(cli, ["convert", LINK, str(out)]).exit_code == 0
    assert '  2..1.\n  .2..1\n  ..2..\n  3..3.\n  .0..3\n"""' in out.read_text()
    assert CliRunner().invoke(cli, ["test", str(out)]).exit_code == 0
    refused = CliRunner().invoke(cli, ["solve", LINK[:-2] + "!"])
    assert refused.exit_code == 2 and refused.stderr.startswith("error[E606]")
