"""What the documentation shows is so: its models keep their promises, its examples give what they say.

Blocks of models, commands and Python are read as tests/shown.py says. Beyond that:

- `expression → value` in docs/language.md and values.md is evaluated;
- blocks of ```clingo and ```minizinc in docs/other-solvers.md have as many answers as the model of covr beside them.
"""

from __future__ import annotations

import json
import pkgutil
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from attrs import fields

import covr
from covr import highlight as keywords
from covr.api.model import Model
from covr.cli.group import COMMANDS, cli
from covr.compiler import CompileLimits
from covr.draw.book import FORMATS
from covr.dsl import scope as builtins
from covr.dsl.syntax import Expect
from covr.engine import ENGINES, ESTIMATES
from covr.output.answer_files import ENDINGS
from covr.questions.options import Options
from covr.questions.proof_file import run_expectations
from tests.each import each
from tests.shown import BLOCK, PAGES, ROOT, Block, blocks, pages, run_commands, run_python, write_files

pytestmark = pytest.mark.long

LANGUAGE = "\n".join((ROOT / "docs" / name).read_text("utf-8") for name in ("language.md", "values.md"))

# --- pictures ----------------------------------------------------------------------------------------------

DRAWN = re.compile(r"^```cover\n(.*?)^```\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STATED = re.findall(DRAWN, (ROOT / "docs" / "pictures.md").read_text("utf-8"))


@pytest.mark.parametrize(("text", "drawn"), STATED, ids=range(1, len(STATED) + 1))
def test_a_model_is_drawn_as_the_page_shows(text: str, drawn: str) -> None:
    answer = covr.loads(text).solve()
    assert f"{answer}\n" == drawn
    assert answer is not None and answer.svg().startswith("<svg")


@pytest.mark.parametrize("words", ["as plain", "as dark", "as line", "else ", "show ", "print ", "outline ", " for "])
def test_every_display_statement_has_an_example(words: str) -> None:
    assert any(words in text for text, _ in STATED)


# --- words -------------------------------------------------------------------------------------------------

LEARN = (ROOT / "docs" / "learn.md").read_text("utf-8")
KNOWN_WORDS = {
    *" ".join((*keywords.STATEMENTS, *keywords.CONNECTING, *keywords.OPERATORS)).split(),
    *builtins.FUNCTIONS, *builtins.READERS, "total",
}  # fmt: skip


def words_of(text: str) -> set[str]:
    """The words of the language in what is written as code, without texts and comments."""
    fences = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    code = [found[2] for found in fences.finditer(text) if found[1] in ("cover", "text")]
    code += re.findall(r"`([^`]+)`", fences.sub("", text))
    bare = re.sub(r'"""|"[^"\n]*"|#.*', "", "\n".join(code))
    return KNOWN_WORDS & set(re.findall(r"[a-z]\w*", bare))


@pytest.mark.parametrize("number", range(1, 9))
def test_an_exercise_of_the_course_needs_only_what_was_taught_before_it(number: int) -> None:
    """Or what its own hints teach; the last one, which has none, needs nothing new."""
    begin = LEARN.index(f"### Exercise {number}")
    solved = LEARN.index("<details>", begin)
    end = LEARN.index("</details>", solved)
    taught = words_of(LEARN[: solved if number < 8 else begin])
    assert words_of(LEARN[begin if number == 8 else solved : end]) <= taught


def test_all_pages_say_the_same_of_how_many_models_there_are() -> None:
    said = re.findall(r"[Mm]ore than (\w+ hundred|\d+) models", "\n".join(page.read_text("utf-8") for page in PAGES))
    assert len(said) >= 3 and set(said) == {"two hundred"} and 200 < len(covr.gallery()) < 300


UNCLEAR = ["81 signs", "of them dear", "nothing that it loses", "as rule sheets", "like rule sheets", "dearer"]


def test_words_that_readers_did_not_understand_are_gone() -> None:
    helps = [str(command.get_help(context)) for command, context in helped()]
    for text in ("\n".join(helps), *(page.read_text("utf-8") for page in PAGES if page.name != "CHANGELOG.md")):
        assert not [words for words in UNCLEAR if words in " ".join(text.split())]


def helped() -> Iterator[tuple[click.Command, click.Context]]:
    root = click.Context(cli, info_name="covr")
    yield cli, root
    for name in COMMANDS:
        command = cli.get_command(root, name)
        assert command is not None
        yield command, click.Context(command, info_name=name, parent=root)


def test_the_page_of_json_names_every_command_that_writes_it() -> None:
    page = (ROOT / "docs" / "formats.md").read_text("utf-8")
    said = re.findall(r"`(?:covr )?(\w+)`", page[page.index("With `--json`") : page.index("write JSON lines")])
    assert said == [command.name for command, context in helped() if "--json" in command.get_help(context)]


# --- models ------------------------------------------------------------------------------------------------


LONG = "scott59.cover"  # takes seconds to search through, which is its point
PROMISING = [pytest.param(b, id=b.id, marks=[pytest.mark.slow] if b.file == LONG else []) for b in blocks("cover")]


@pytest.mark.parametrize("block", PROMISING)
def test_a_model_keeps_its_promises(block: Block, tmp_path: Path) -> None:
    if block.file:
        write_files(block.page, tmp_path)
    model = covr.load(tmp_path / block.file) if block.file else covr.loads(block.text)
    assert model.problem.options or "choose" not in block.text
    for verdict in run_expectations(model.compiled, Options()):
        assert verdict.kept, (verdict.line, verdict.expected, verdict.found, verdict.fault)


def test_models_of_the_definition_promise_something() -> None:
    for block in blocks("cover"):
        if block.page.name in ("language.md", "values.md") and "choose" in block.text:
            assert covr.loads(block.text).compiled.model.all(Expect), block.id


EXAMPLES = re.findall(r"`([^`\n]+) → ([^`\n]+)`", LANGUAGE)


@pytest.mark.parametrize(("expression", "value"), EXAMPLES, ids=[e for e, _ in EXAMPLES])
def test_an_expression_has_the_value_that_is_written(expression: str, value: str) -> None:
    text = f"let it = {expression}\nchoose show_it()\nexactly one show_it\nshow it of show_it"
    assert str(covr.loads(text).solve()) == value


# --- the same in other languages -----------------------------------------------------------------------------


SAME = (ROOT / "docs" / "other-solvers.md").read_text("utf-8").split("\n## ")[6:-1]
TITLES = [section.partition("\n")[0] for section in SAME]


def in_three(section: str) -> tuple[str, str, int]:
    """The model of a section in MiniZinc and in clingo, and what covr's promises: how many answers, or the minimum."""
    texts = {found[2]: found[3] for found in BLOCK.finditer(section)}
    assert set(texts) == {"minizinc", "clingo", "cover"}
    return texts["minizinc"], texts["clingo"], int(re.findall(r"^expect \D*(\d+)", texts["cover"], re.MULTILINE)[0])


@pytest.mark.parametrize("section", SAME, ids=TITLES)
def test_clingo_agrees_with_what_the_page_about_it_promises(section: str) -> None:
    clingo = pytest.importorskip("clingo", reason="needs covr[clingo]")
    _, text, promised = in_three(section)
    control = clingo.Control(["0"])
    control.add("base", [], text)
    control.ground([("base", [])])
    with control.solve(yield_=True) as found:
        costs = [model.cost for model in found]
    assert (costs[-1][0] if costs[-1] else len(costs)) == promised


@pytest.mark.parametrize("section", SAME, ids=TITLES)
def test_minizinc_agrees_with_what_the_page_about_it_promises(section: str, tmp_path: Path) -> None:
    command = shutil.which("minizinc")
    if command is None:
        pytest.skip("needs MiniZinc")
    text, _, promised = in_three(section)
    (tmp_path / "model.mzn").write_text(text, "utf-8")
    said = subprocess.run([command, "-a", "model.mzn"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    answers = said.split("----------\n")[:-1]
    assert (int(answers[-1]) if "minimize" in text else len(answers)) == promised


# --- the definition is whole ---------------------------------------------------------------------------------


@each("name", builtins.FUNCTIONS)
def test_a_function_is_in_the_definition_with_an_example(name: str) -> None:
    row = re.search(rf"^\| `{name}\(.*$", LANGUAGE, re.MULTILINE)
    assert row, name
    assert name == "file" or "→" in row[0]


@each("name", [*builtins.READERS, *builtins.CONSTANTS])
def test_readers_and_constants_are_in_the_definition(name: str) -> None:
    assert f"`{name}" in LANGUAGE


def test_the_reserved_words_are_those_of_the_grammar() -> None:
    grammar = (ROOT / "dsl" / "cover.lark").read_text("utf-8")
    word = re.search(r"^word: NAME((?:[^\n]|\n    )*)", grammar, re.MULTILINE)
    assert word
    reserved = {name.lower() for name in re.findall(r"[A-Z]+", word[1])}
    listed = re.search(r"^## Reserved words.*?```text\n(.*?)```", LANGUAGE, re.MULTILINE | re.DOTALL)
    assert listed
    assert set(listed[1].split()) == reserved


@pytest.mark.parametrize("limit", fields(CompileLimits), ids=lambda f: f.name)
def test_the_limits_are_those_of_the_compiler(limit: object) -> None:
    page = (ROOT / "docs" / "errors.md").read_text("utf-8")
    assert f"| `{limit.name}` | {limit.default:,} |" in page  # type: ignore[attr-defined]


def test_the_command_page_has_every_subcommand() -> None:
    text = (ROOT / "docs" / "command.md").read_text("utf-8")
    for name in COMMANDS:
        assert f"## covr {name}" in text, name


def test_the_python_page_has_every_public_name() -> None:
    text = (ROOT / "docs" / "python.md").read_text("utf-8")
    for name in covr.__all__:
        assert f"`{name}" in text or f"covr.{name}" in text, name
    for name in vars(Model):
        if not name.startswith("_"):
            assert f".{name}" in text, name


def test_names_of_python_that_pages_name_exist() -> None:
    settings = json.loads((ROOT / "editors/vscode/package.json").read_text("utf-8"))["contributes"]["configuration"]
    for page in PAGES:
        for name in set(re.findall(r"`(covr(?:\.\w+)+)", page.read_text("utf-8"))) - set(settings["properties"]):
            assert pkgutil.resolve_name(name) is not None, (page.name, name)


def test_pages_name_every_ending_of_a_file_of_answers() -> None:
    for page, endings in (("pictures.md", FORMATS), ("formats.md", ENDINGS)):
        text = (ROOT / "docs" / page).read_text("utf-8")
        rows = "".join(re.findall(r"^\| (`\.[^|]*)\|", text, re.MULTILINE))
        assert set(re.findall(r"`(\.\w+)`", rows)) == set(endings), page


def test_the_page_of_estimates_has_every_estimate_with_its_nodes() -> None:
    text = (ROOT / "docs" / "engines.md").read_text("utf-8")
    for name, estimate in ESTIMATES.items():
        if estimate.bound.__module__.startswith("covr."):
            assert len(re.findall(rf"^\| `{name}` \|", text, re.MULTILINE)) >= 2, name


def test_the_page_of_engines_has_every_engine() -> None:
    text = (ROOT / "docs" / "engines.md").read_text("utf-8").partition("## Engines")[2].partition("## Estimates")[0]
    for name in ENGINES:
        assert len(re.findall(rf"^\| `{name}` \|", text, re.MULTILINE)) == 1, name


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), (page.name, target)


def test_every_page_is_in_the_contents_of_the_site_once() -> None:
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    trees = re.findall(r"^```\{toctree\}\n(?::[^\n]*\n)*\n(.*?)^```$", index, re.MULTILINE | re.DOTALL)
    named = [page for pages in trees for page in pages.split()]
    assert sorted(named) == sorted(page.stem for page in (ROOT / "docs").glob("*.md") if page.stem != "index")


def test_the_first_page_of_the_site_links_to_every_page() -> None:
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    linked = set(re.findall(r"\]\(([\w-]+)\.md\)", index))
    assert linked == {page.stem for page in (ROOT / "docs").glob("*.md")} - {"index"}


def test_anchors_of_the_definition_exist() -> None:
    headings = {
        re.sub(r"[^\w\- ]", "", h).strip().lower().replace(" ", "-")
        for h in re.findall(r"^##+ (.*)$", LANGUAGE, re.MULTILINE)
    }
    for anchor in re.findall(r"\]\(#([^)]*)\)", LANGUAGE):
        assert anchor in headings, anchor


# --- what is typed, and what comes back ------------------------------------------------------------------------


@pytest.mark.parametrize("page", pages("console"), ids=lambda p: p.name)
def test_commands_print_what_is_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_commands(page)


@pytest.mark.parametrize("page", pages("python"), ids=lambda p: p.name)
def test_python_gives_what_is_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_python(page)


def test_the_picture_of_the_readme_is_what_covr_draws() -> None:
    answer = covr.load("scott").solve()
    assert answer is not None and answer.svg() == (ROOT / "docs" / "scott.svg").read_text("utf-8")
    assert "](docs/scott.svg)" in (ROOT / "README.md").read_text("utf-8")


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").split()) <= 900


def test_every_command_is_shown() -> None:
    """Those that are not do not end, or write for a shell or an editor: .ci/installed.py tries these by itself."""
    lines = [line.strip().removeprefix("$ ") for block in blocks("console", "sh") for line in block.text.splitlines()]
    shown = {line.split()[1] for line in lines if line.startswith("covr ") and line.split()[1:]}
    assert set(COMMANDS) - shown == {"completion", "watch", "lsp"} - shown


def test_all_pages_together_are_short() -> None:
    written = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    assert len(written) <= 24 + 2
    assert sum(len(page.read_text("utf-8").split()) for page in written) <= 60_000


def test_the_changes_of_the_last_two_versions_are_short() -> None:
    _, newest, before, *_ = (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n## ")
    assert len(newest.split()) <= 1500 and len(before.split()) <= 1500


def test_every_page_clones_from_one_address() -> None:
    lines = [line for page in PAGES for line in re.findall(r"git clone (\S+)", page.read_text("utf-8"))]
    assert len(lines) >= 2 and len(set(lines)) == 1


# --- the two commands of the README ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["main", "test"])
def test_the_gate_reads_the_commands_of_the_readme(name: str) -> None:
    """.ci/run takes them from the README with sed; what it takes is what stands there, and a shell can read it."""
    readme = (ROOT / "README.md").read_text("utf-8")
    (written,) = re.findall(rf"^<!-- {name} -->\n```sh\n(.*?)\n```$", readme, re.MULTILINE | re.DOTALL)
    gate = (ROOT / ".ci" / "run").read_text("utf-8")
    function = next(line for line in gate.split("\n") if line.startswith("readme()"))
    taken = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f"{function}\nreadme {name}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert taken == written + "\n"
    subprocess.run(["bash", "-n", "-c", taken], check=True)
    assert "\n" not in written, "one command, one line"
