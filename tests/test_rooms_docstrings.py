"""Every public name has a docstring that says what it is.

Public is a module, and a class, function or method whose name does not begin with an underscore, in a module that may
be interpreted (so kernels count, too). Exempt are

- methods that override a documented one of the same name in a base class, or that fulfil a protocol which documents
  it: the docstring stands there, once;
- methods that a library calls by that name (`LIBRARIES`): it documents them;
- properties and attrs fields that the docstring of the class describes by name, as `name: what it is`;
- dunder methods, and functions inside functions.
"""

import ast
import re
from functools import cache
from pathlib import Path

from tests.modules import syntax_of

ROOT = Path(__file__).parents[1]
ROOMS = ("dsl", "compiler", "engine", "covr")
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
LIBRARIES = {
    "click": {"convert", "list_commands", "get_command", "format_commands", "resolve_command"},
    "lark": {"lex", "process"},
    "pickle": {"find_class"},
}
OVERRIDES = frozenset().union(*LIBRARIES.values())
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def _trees() -> dict[Path, ast.Module]:
    """Per module its syntax. Read when the first test asks: every process that collects tests imports this file."""
    return {path: syntax_of(path) for path in MODULES}


@cache
def _classes() -> list[ast.ClassDef]:
    """All classes, those inside others and inside functions, too."""
    return [node for tree in _trees().values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


def _is_documented(node: ast.Module | ast.ClassDef | Function) -> bool:
    text = ast.get_docstring(node)
    return text is not None and text.strip() != ""


@cache
def _documented_methods() -> dict[str, set[str]]:
    """Per name of a class in the four rooms, the names of its methods that have a docstring."""
    found: dict[str, set[str]] = {}
    for node in _classes():
        methods = {x.name for x in node.body if isinstance(x, Function) and _is_documented(x)}
        named = set(re.findall(r"\b(\w+)(?=(?:, \w+)*:)", ast.get_docstring(node) or ""))
        found.setdefault(node.name, set()).update(methods | named)
    return found


@cache
def _bases() -> dict[str, set[str]]:
    """Per name of a class, the names of the classes that it inherits from directly."""
    found: dict[str, set[str]] = {}
    for node in _classes():
        names = {ast.unparse(base).split("[")[0].rsplit(".", 1)[-1] for base in node.bases}
        found.setdefault(node.name, set()).update(names)
    return found


@cache
def _protocols() -> dict[str, set[str]]:
    """Per name of a protocol, the names of its methods and properties."""
    return {
        node.name: {x.name for x in node.body if isinstance(x, Function)}
        for node in _classes()
        if any(ast.unparse(base).split("[")[0] == "Protocol" for base in node.bases)
    }


def _members(cls: ast.ClassDef) -> set[str]:
    """The names of a class's methods, and of the attributes that it declares or gives to `self`."""
    names = {node.name for node in cls.body if isinstance(node, Function)}
    names |= {ast.unparse(node.target) for node in cls.body if isinstance(node, ast.AnnAssign)}
    names |= {ast.unparse(target) for node in cls.body if isinstance(node, ast.Assign) for target in node.targets}
    return names | {
        node.attr
        for node in ast.walk(cls)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self"
    }


def _methods_of(name: str) -> set[str]:
    """The names that the classes of one room or another promise under that name, inherited ones included."""
    return (
        _documented_methods()
        .get(name, set())
        .union(*(_methods_of(base) for base in _bases().get(name, ()) if base != name))
    )


def _promised(cls: ast.ClassDef) -> set[str]:
    """The names of methods that a base class of this one documents, or a protocol that it fulfils."""
    promised = _methods_of(cls.name)
    members = _members(cls) | promised
    for protocol, methods in _protocols().items():
        if methods and methods <= members:
            promised = promised | _documented_methods()[protocol]
    return promised | OVERRIDES


def _missing(path: Path) -> list[str]:
    tree = _trees()[path]
    found = [] if _is_documented(tree) else ["the module"]

    def look(body: list[ast.stmt], prefix: str, promised: set[str]) -> None:
        for node in body:
            if isinstance(node, ast.If | ast.Try):
                look([*node.body, *node.orelse], prefix, promised)
            if not isinstance(node, ast.ClassDef | Function) or node.name.startswith("_"):
                continue
            if not _is_documented(node) and node.name not in promised:
                found.append(f"{prefix}{node.name} (line {node.lineno})")
            if isinstance(node, ast.ClassDef):
                look(node.body, f"{prefix}{node.name}.", _promised(node))

    look(tree.body, "", set())
    return found


def test_the_rooms_are_found() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in MODULES} == set(ROOMS)


def test_every_public_name_has_a_docstring() -> None:
    assert {str(path.relative_to(ROOT)): names for path in MODULES if (names := _missing(path))} == {}
