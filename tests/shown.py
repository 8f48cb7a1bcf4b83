"""What the pages of the documentation show, and whether it is so.

- a block ```cover is a model: it is compiled and its `expect` lines are run (tests/test_docs.py);
- a block ```python with `>>>` is a doctest; all those of a page run one after another, in one folder;
- a block ```console holds `$ covr …` commands and what they print, likewise; `$ echo $?` asks for the last exit code;
- `<!-- file: NAME -->` before a block makes it a file of that folder.

In what is printed `…` stands for anything, and times and counters need not be the same.

tests/test_docs.py runs them with the covr of this folder. The gate runs them once more with an installed one: this file
needs nothing that covr does not, and `python -I tests/shown.py` finds no module beside it (.ci/installed.py).
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen
from click.testing import CliRunner

from covr.cli.group import cli
from covr.engine import ESTIMATES

ROOT = Path(__file__).parents[1]
IN_PLACE = [ROOT / name for name in ("ARCHITECTURE.md", "benchmarks/messages.md", "covr/links/README.md")]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *IN_PLACE]
BLOCK = re.compile(r"(?:^<!-- file: (\S+) -->\n)?^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@frozen
class Block:
    """page: where it stands.  line: of its first line, from 1.  kind: `cover`, `python` …  file: its name, or empty."""

    page: Path
    line: int
    kind: str
    text: str
    file: str

    @property
    def id(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(*kinds: str) -> Iterator[Block]:
    for page in PAGES:
        text = page.read_text("utf-8")
        for found in BLOCK.finditer(text):
            if found[2] in kinds and (found[2] != "python" or ">>>" in found[3]):
                yield Block(page, text.count("\n", 0, found.start(3)) + 1, found[2], found[3], found[1] or "")


def pages(kind: str) -> list[Path]:
    return list(dict.fromkeys(block.page for block in blocks(kind)))


def write_files(page: Path, folder: Path) -> None:
    for block in blocks("cover", "text"):
        if block.page == page and block.file:
            (folder / block.file).write_text(block.text, "utf-8")


# --- what is typed, and what comes back ------------------------------------------------------------------------

CHECKER = doctest.OutputChecker()
VARYING = [
    (r"\(\d+\.\d+ s\)", "(… s)"),
    (r'"(nodes|updates|seconds)": [\d.e-]+', r'"\1": …'),
    (r'"engine": "[^"]*"', '"engine": "…"'),
    (r"covr [\d.]+, kernel .*", "covr …"),
]


def same(wanted: str, got: str) -> bool:
    for pattern, instead in VARYING:
        wanted, got = re.sub(pattern, instead, wanted), re.sub(pattern, instead, got)
    return CHECKER.check_output(wanted.replace("…", "..."), got.replace("…", "..."), doctest.ELLIPSIS)


def run_commands(page: Path) -> list[list[str]]:
    """Run the commands that a page shows, in this folder; returns their words. Raises AssertionError at the first that
    prints something else."""
    write_files(page, Path())
    code = 0
    run = []
    for block in (b for b in blocks("console") if b.page == page):
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            line, _, wanted = part.partition("\n")
            if line == "echo $?":
                got = f"{code}\n"
            else:
                name, *words = shlex.split(line, comments=True)
                assert name == "covr", (block.id, line)
                words, to = (words[:-2], words[-1]) if words[-2:-1] == [">"] else (words, None)
                result = CliRunner().invoke(cli, words)
                got, code = result.output, result.exit_code
                run.append(words)
                if to is not None:
                    Path(to).write_text(result.stdout)
                    got = result.stderr
            if not same(wanted.strip("\n") + "\n", got.strip("\n") + "\n"):
                raise AssertionError(f"{block.id}: {line}\n{got}")
    return run


def run_python(page: Path) -> int:
    """Run the examples in Python of a page, in this folder; returns how many. Raises AssertionError with all that gave
    something else."""
    write_files(page, Path())
    text = "".join("\n" * 2 + b.text for b in blocks("python") if b.page == page)
    examples = doctest.DocTestParser().get_doctest(text.replace("…", "..."), {}, page.name, str(page), 0)
    said: list[str] = []
    known = dict(ESTIMATES)
    failed = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(examples, out=said.append).failed
    for name in ESTIMATES.keys() - known.keys():
        del ESTIMATES[name]
    if failed:
        raise AssertionError("".join(said))
    return len(examples.examples)


def main() -> None:
    """Run everything that all pages show, each page in an empty folder, and print as JSON what was run."""
    commands, examples = [], 0
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            commands += run_commands(page)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            examples += run_python(page)
        os.chdir("/")
    print(json.dumps({"commands": commands, "examples": examples}))


if __name__ == "__main__":
    main()
