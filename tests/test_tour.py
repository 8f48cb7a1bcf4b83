"""The tour leads through the files that answer a question: each of them is there, and names the next."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from tests.modules import ROOT, syntax_of

MOST = 8  # files on the way from a command to a kernel


def ways() -> dict[str, list[str]]:
    """For each question, the files on its way as the tour names them."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| (`covr/cli/[^|]+`) \|$", text, re.MULTILINE)
    return {question: re.findall(r"`([^`]+)`", files) for question, files in rows}


def named(file: str) -> Iterator[str]:
    """The modules that a file names: those it imports, what `load` gets, and the places of a plan."""
    for node in ast.walk(syntax_of(ROOT / file)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if re.fullmatch(r"[a-z_.]+:[a-z_]\w*", node.value, re.IGNORECASE):
                yield "covr.engine." + node.value.partition(":")[0]
            elif re.fullmatch(r"_[a-z_]+", node.value):
                yield node.value


def test_four_questions_lead_to_a_kernel_within_eight_files() -> None:
    found = ways()
    assert list(found) == ["a first answer", "how many", "a minimum", "`up to`"]
    for question, files in found.items():
        assert len(files) <= MOST, question
        assert files[-1].startswith("engine/kernels/")
        for file, following in pairwise(files):
            path = Path(following)
            assert (ROOT / path).is_file(), following
            module = ".".join(path.with_suffix("").parts)
            wanted = {module if module.startswith("covr.") else f"covr.{module}", path.stem}
            assert wanted & set(named(file)), f"{file} does not name {following}"


def test_a_word_stands_in_the_glossary_once() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    glossary = text.partition("\n## Words\n")[2].partition("\n## ")[0]
    words = [word for row in re.findall(r"^\| ([a-z, ]+) \|", glossary, re.MULTILINE) for word in row.split(", ")]
    assert len(words) == len(set(words)) > 20


def test_every_file_of_the_tour_is_there() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    tops = ("dsl", "compiler", "engine", "covr", "tests", "docs", "studio", "editors", "models")
    known = [str(path.relative_to(ROOT)) for top in tops for path in (ROOT / top).rglob("*") if path.is_file()]
    found = re.findall(r"`([\w/]+\.(?:py|h|lark|toml))`", text)
    assert len(found) > 100
    assert [file for file in found if not any(f"/{path}".endswith(f"/{file}") for path in known)] == []
