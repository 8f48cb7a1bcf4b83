"""Who may know whom: the arrows of the architecture, read from every file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ALLOWED = {
    "dsl": {"dsl"},
    "engine": {"engine"},
    "compiler": {"compiler", "dsl", "engine"},
}
FILES = [(folder, path) for folder in ALLOWED for path in sorted((ROOT / folder).rglob("*.py"))]


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are absolute"
            module = node.module or ""
            yield from (f"{module}.{name.name}" if module == "covr" else module for name in node.names)


@pytest.mark.parametrize(("folder", "path"), FILES, ids=[str(p.relative_to(ROOT)) for _, p in FILES])
def test_a_folder_imports_only_what_it_may_know(folder: str, path: Path) -> None:
    for name in imports(ast.parse(path.read_text())):
        top, _, rest = name.partition(".")
        assert top not in ALLOWED, f"{name}: import covr.{top}"
        if top == "covr":
            assert rest.partition(".")[0] in ALLOWED[folder], f"{folder} must not know {name}"
