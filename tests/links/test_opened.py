"""A link is the gallery's model with the board drawn in it, and whatever is wrong with it is told."""

from __future__ import annotations

from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import covr
from covr.cli.group import cli
from covr.compiler import compile_model
from covr.dsl.diagnostics import ModelErrors, Source
from covr.inputs import library
from covr.links.file import read_linked, write_address
from covr.links.places import LinkFault
from covr.links.table import Kind, kinds
from covr.puzzles.made_puzzle import contradicted_clues
from tests.links.forms import boards_of
from tests.links.published import HEAVY, compiled_for, each_kind, published
from tests.shared import IN_GATE

pytestmark = pytest.mark.long

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
        ("https://puzz.link/p?country/2/2/g0h", "parts no rooms"),
        ("https://puzz.link/p?heyablock/2/2/g0g", "parts no rooms"),
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


@pytest.mark.parametrize(
    "kind", [kind for name, kind in kinds().items() if name not in HEAVY], ids=lambda kind: kind.name
)
def test_every_form_of_an_address_opens_or_is_one_fault(kind: Kind, slow: bool) -> None:
    """Empty clues, secret ones, black squares, the largest numbers, and boards of one row or column."""
    for board in boards_of(kind, Random(kind.name), 60 if slow else 6, ((1, 1), (1, 3), (3, 1), (2, 2))):
        try:
            model = covr.load(write_address(board, kind))
            assert not [fault for fault in contradicted_clues(model.compiled) if fault.is_error]
        except LinkFault:  # no address says it
            continue
        except ModelErrors as errors:
            assert [fault.code for fault in errors.diagnostics] == ["E606"], write_address(board, kind)


@pytest.mark.parametrize(
    ("link", "told"),
    [
        (LINK[:-2], "ends too early"),
        ("https://puzz.link/p?kurodoko/5/5/g3h.", "ends too early"),
        ("https://puzz.link/p?nurikabe/2/2", "ends too early"),
        (LINK + "g1", "`g1` is passed over"),
        ("https://puzz.link/p?nurikabe/2/2/1z", "what is left over is passed over"),
    ],
)
def test_a_link_that_is_too_short_or_too_long_opens_with_a_remark(link: str, told: str, tmp_path: Path) -> None:
    for command in ("check", "count"):
        result = CliRunner().invoke(cli, [command, link])
        assert result.exit_code in (0, 1)  # a board without clues may have no answer
        first = result.stderr.split("\n")[0]
        assert told in first and first.startswith(f"`{link}` ")
    assert CliRunner().invoke(cli, ["check", link]).stdout.endswith("1 note\n")
    assert told in covr.link(link).remark
    path = tmp_path / "links.txt"
    path.write_text(link + "\n")
    each = CliRunner().invoke(cli, ["count", "--each", str(path)])
    assert f"line 1: the link {covr.link(link).remark}\n" in each.stderr


def test_what_a_short_link_does_not_tell_is_as_the_site_has_it() -> None:
    """Blank, but for squares without a circle, gaps and zeros, which stand for nothing there."""
    for short, whole in (
        ("slither/3/3/0", "slither/3/3/0n"),
        ("nondango/2/2/00", "nondango/2/2/00u"),
        ("mejilink/3/2/0", "mejilink/3/2/0o"),
        ("box/2/1/12", "box/2/1/120"),
        ("statuepark/2/2", "statuepark/2/2/00//p"),
    ):
        assert covr.link(f"https://puzz.link/p?{short}") == covr.link(f"https://puzz.link/p?{whole}")


@pytest.mark.parametrize(
    "link",
    [
        "castle/3/3/d00.d",  # a grey square that tells nothing
        "geradeweg/2/2/0i",  # a 0 tells no length
        "dosufuwa/2/2/000",  # no border around its black square
    ],
)
def test_published_forms_open(link: str) -> None:
    address = f"https://puzz.link/p?{link}"
    assert covr.load(address).count() == covr.load(covr.link(address).file).count()
    assert covr.link(covr.link(address).file).address == covr.link(address).address


def test_a_zero_of_geradeweg_is_a_secret_length() -> None:
    counts = [covr.load(f"https://puzz.link/p?geradeweg/3/3/{clue}n").count() for clue in "0."]
    assert counts[0] == counts[1] > 0


@pytest.mark.slow
def test_a_symmetry_area_with_many_squares_without_a_number_opens() -> None:
    """Too few of them lie alike about any middle for two regions of one size to have the same one."""
    assert covr.link("https://puzz.link/p?symmarea/37/1/1zv").load().compiled.problem.options > 0
