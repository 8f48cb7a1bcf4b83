"""Run the examples of the pages of `covr explain`.

`python -m tests.covr.explain.pages` writes what they print into the pages.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from click.testing import CliRunner

from covr.cli.group import cli
from covr.cli.shared import overrides_from
from covr.compiler import CompileLimits, compile_model
from covr.compiler.evaluate.operators import noting
from covr.dsl import ModelErrors, Source, render
from covr.dsl.diagnostics import Diagnostic
from covr.explain import code_pages as explain
from covr.explain.code_pages import FOLDER, Page
from covr.inputs.library import checked
from covr.puzzles.made_puzzle import contradicted_clues
from covr.questions.run import remarks

CODE = re.compile(r"^[a-z ]+\[([EW]\d+)\]", re.MULTILINE)


def printed(page: Page) -> str:
    """What covr prints for the example of a page."""
    if page.kind == "command":
        return typed(page)
    if page.kind == "python":
        return "\n\n".join(map(render, in_python(page.example)))
    return "\n\n".join(map(render, faults(page.example, page.words)))


def codes(page: Page) -> set[str]:
    return set(CODE.findall(printed(page)))


def faults(text: str, words: str = "") -> Sequence[Diagnostic]:
    """The errors of a model; where it has none, the remarks on it."""
    limits, defines = CompileLimits(), []
    if words.startswith("limits"):
        limits = CompileLimits(**{k: int(v) for k, v in (pair.split("=") for pair in words.split()[1:])})
    elif words:
        defines = [word for word in shlex.split(words) if word != "-D"]
    try:
        model = checked(Source("example.cover", text))
        with noting() as noted:
            compiled = compile_model(model, overrides_from(defines), limits=limits)
            found = remarks(compiled, noted)
            return found if any(d.is_error for d in found) else [*found, *contradicted_clues(compiled)]
    except ModelErrors as errors:
        return errors.diagnostics


def in_python(text: str) -> Sequence[Diagnostic]:
    import covr

    try:
        exec(text, {"covr": covr})
    except ModelErrors as errors:
        return errors.diagnostics
    raise AssertionError("no fault")


def typed(page: Page) -> str:
    with folder() as place:
        for name, text in page.files.items():
            (place / name).parent.mkdir(exist_ok=True)
            (place / name).write_bytes(text.strip("\n").replace(r"\xff", "\xff").encode("latin-1"))
        result = CliRunner().invoke(cli, shlex.split(page.example)[1:])
        return result.stderr.rstrip("\n")


@contextmanager
def folder() -> Iterator[Path]:
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


def main() -> None:
    """Write what the examples print into the pages."""
    for path in sorted(FOLDER.glob("*.txt")):
        parts = re.split(r"(?=^=== )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        path.write_text("".join(map(filled, parts)), encoding="utf-8")


def filled(part: str) -> str:
    """A page with the section `prints` made anew."""
    if not part.startswith("=== "):
        return part
    page = next(explain.read_pages(part))
    try:
        said = printed(page)
    except Exception as error:
        print(page.code, "fails:", repr(error))
        return part
    if set(CODE.findall(said)) != {page.code}:
        print(f"{page.code} prints\n{said}\n")
    section = f"--- prints\n{said}\n"
    part = re.sub(r"^--- prints\n.*?(?=^---|\Z)", "", part.rstrip("\n") + "\n", flags=re.MULTILINE | re.DOTALL)
    at = part.find("--- cured")
    return (part + section if at < 0 else part[:at] + section + part[at:]) + "\n"


if __name__ == "__main__":
    main()
