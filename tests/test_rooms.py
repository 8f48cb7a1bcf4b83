"""The house: every folder names its files, and imports between rooms run one way."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from tests.modules import syntax_of

ROOT = Path(__file__).parents[1]
TOPS = {"dsl": "covr.dsl", "compiler": "covr.compiler", "engine": "covr.engine", "covr": "covr"}

# Who may know whom: a file knows those of its own line and of the lines above it. A line is a room (a folder, with what
# is in it) or some files of a folder; the longest name that fits a module says where it belongs.
HOUSE = (
    ("covr.verify",),
    ("covr.frozen", "covr.text"),
    ("covr.dsl",),
    ("covr.engine.base",),
    ("covr.engine.problem", "covr.engine.check", "covr.engine.reference"),
    ("covr.engine.witness",),
    ("covr.engine.kernels",),
    ("covr.engine.checks",),
    ("covr.engine.minimum.estimates",),
    ("covr.engine.settings",), ("covr.engine.priors",),
    ("covr.engine.prepare",),
    ("covr.engine.turns",),
    ("covr.engine.counting",),
    ("covr.engine.symmetries",),
    ("covr.engine.outside.solvers", "covr.engine.outside.highs_turns", "covr.engine.outside.process"),
    ("covr.engine.minimum",),
    ("covr.engine.search",),
    ("covr.engine.outside",),
    ("covr.engine.plan",),
    ("covr.engine.single",),
    ("covr.engine.pieces",),
    ("covr.engine.portfolio",),
    ("covr.engine.dispatch",),
    ("covr.engine.proofs",),
    ("covr.engine.batch", "covr.engine.diagrams"),
    ("covr.engine.sampling",),
    ("covr.engine.puzzles",),
    ("covr.engine",),
    ("covr.compiler.lattices",),
    ("covr.compiler.evaluate", "covr.compiler.grids"),
    ("covr.compiler.lower",),
    ("covr.compiler.display",),
    ("covr.compiler.review.remarks",),
    ("covr.compiler.compiled", "covr.compiler.clues", "covr.compiler.matrix_model"),
    ("covr.compiler.review",),
    ("covr.compiler.formats",),
    ("covr.compiler",),
    ("covr.faults",),
    ("covr.highlight",),
    ("covr.links",),
    ("covr.inputs",),
    ("covr.draw",),
    ("covr.questions",),
    ("covr.puzzles",),
    ("covr.explain",),
    ("covr.output",),
    ("covr.runs",),
    ("covr.api",),
    ("covr.live",),
    ("covr.lsp",),
    ("covr.studio",),
    ("covr.cli",),
    ("covr",),
)  # fmt: skip
# What a package offers in one import is made of all its rooms; those of one package import each other's files instead.
OPEN = ("covr",)
LINE = {name: number for number, line in enumerate(HOUSE) for name in line}

# A class that has another's name must say why.
#   Problem: `covr.Problem` is what a Python program is given, and wraps the engine's.
#   Link: `covr.Link` is a puzzle's address; drawing's is a line from one place to another.
TWICE = {"Link", "Problem"}


def modules() -> Iterator[tuple[str, Path]]:
    """Every module by its dotted name, read where it really lies and not through the links."""
    for top, package in TOPS.items():
        for path in sorted((ROOT / top).rglob("*.py")):
            if any(parent.is_symlink() for parent in path.parents):
                continue
            parts = path.relative_to(ROOT / top).with_suffix("").parts
            yield ".".join((package, *(p for p in parts if p != "__init__"))), path


MODULES = dict(modules())


def line_of(module: str) -> int:
    """The number of the line that a module belongs to."""
    name = module
    while name not in LINE:
        name = name.rpartition(".")[0]
    return LINE[name]


@cache
def read(path: Path) -> tuple[Sequence[tuple[int, str]], Sequence[str]]:
    """What a file imports (see `imported`), and the classes in it. Parsing all files takes seconds: it is done once."""
    tree = syntax_of(path)
    return [*imported(tree)], [node.name for node in statements(tree) if isinstance(node, ast.ClassDef)]


def statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """All statements in a tree, those inside of others, too. To look into expressions takes five times as long."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for node in getattr(tree, field, ()):
            if isinstance(node, ast.stmt):
                yield node
            yield from statements(node)


def imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The modules that a file imports, and in which line of the file; those for type checkers alone left out."""
    for_types = {
        id(inner)
        for node in statements(tree)
        if isinstance(node, ast.If) and any(getattr(part, "id", "") == "TYPE_CHECKING" for part in ast.walk(node.test))
        for inner in statements(node)
    }
    for node in statements(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names if name.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                full = f"{node.module}.{name.name}"
                yield node.lineno, full if full in MODULES else node.module


def misplaced(module: str) -> Iterator[str]:
    """What a module imports although it stands further down in HOUSE."""
    own = line_of(module)
    for number, other in read(MODULES[module])[0]:
        if other not in MODULES or (MODULES[other].name == "__init__.py" and module.startswith(f"{other}.")):
            continue
        if MODULES[other].name == "__init__.py" and other.count(".") == 1 and line_of(module) > line_of(other):
            continue
        if line_of(other) > own:
            yield f"{MODULES[module]}:{number} knows {other}, which stands further down in HOUSE"


def test_imports_between_rooms_run_one_way() -> None:
    assert len(MODULES) > 300
    assert [fault for module in MODULES for fault in misplaced(module)] == []


# Circles of imports, which are all inside of functions, and why each stays.
#   evaluate: expressions hold calls, readers of pictures and areas, all of which hold expressions.
#   covr: the notebook's magic is registered by the package itself, and asks it for its public names.
CIRCLES = {
    frozenset(f"covr.compiler.evaluate.{name}" for name in (
        "calls", "expressions", "functions", "geometry", "picture_readers", "scope", "sheets", "table_readers",
    )),
    frozenset({
        "covr", "covr.api.answer_diagram", "covr.api.model", "covr.api.notebook", "covr.runs.question",
    }),
}  # fmt: skip


def circles(known: Mapping[str, set[str]]) -> Iterator[frozenset[str]]:
    """The sets of two or more modules each of which leads to all others."""
    reached: dict[str, set[str]] = {}
    for module in known:
        found, open_ones = set[str](), [module]
        while open_ones:
            fresh = known[open_ones.pop()] - found
            found |= fresh
            open_ones += fresh
        reached[module] = found
    seen: set[str] = set()
    for module, found in reached.items():
        if module in found and module not in seen:
            circle = frozenset(other for other in found if module in reached[other])
            seen |= circle
            yield circle


def test_no_imports_run_in_a_circle_but_those_with_a_reason() -> None:
    known = {
        module: {other for _, other in read(path)[0] if other in MODULES and other != module}
        for module, path in MODULES.items()
    }
    assert {*circles({"a": {"b"}, "b": {"c"}, "c": {"b"}})} == {frozenset("bc")}
    assert {*circles(known)} == CIRCLES


FOLDERS = sorted({path.parent for _, path in MODULES.items()})


def unnamed(folder: Path) -> set[str]:
    """The files of a folder that its `__init__.py` does not name."""
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    assert "Reading order" in text, folder
    named = set(re.findall(r"\w+\.\w+|\w+(?=/)", text))
    files = {p.name for p in folder.iterdir() if p.suffix in (".py", ".h", ".lark") and p.name != "__init__.py"}
    files |= {p.name for p in folder.iterdir() if p.is_dir() and (p / "__init__.py").exists() and not p.is_symlink()}
    return files - named - {"__main__.py"}


def test_a_folder_says_what_is_in_it_and_names_every_file() -> None:
    assert len(FOLDERS) > 30
    assert {folder: missing for folder in FOLDERS if (missing := unnamed(folder))} == {}


# --- sizes -----------------------------------------------------------------------------------------------------------

MOST_LINES, MOST_FILES, MOST_OF_A_FUNCTION = 650, 25, 60
# Files above MOST_LINES, and why each is one.
LONG_FILES = {
    "compiler/evaluate/expressions.py": "a closure for each kind of expression",
    "compiler/evaluate/values/members.py": "the kinds of value, which hold one another",
    "covr/links/codes.py": "a table of codes, read and written side by side",
    "covr/verify/checker.py": "shares nothing with the rest of covr, and is read as a whole",
    "dsl/bound_names.py": "the checks of all statements",
    "dsl/syntax.py": "every node of the tree, a class each",
    "dsl/tree.py": "a method for each rule of the grammar",
    "engine/kernels/cover/_vertex_cover.py": "a kernel",
    "engine/kernels/links/_general.py": "a kernel",
}
# Functions above MOST_OF_A_FUNCTION, and why. Those of kernels and of commands are named by what they have in common:
#   kernels: a search is one loop over arrays that are local variables, which no call may interrupt.
#   commands: a command's options are its decorators and arguments.
LONG_FUNCTIONS = {
    "covr/lsp/server.py answer_about_places": "registers a handler for each question of the protocol",
    "covr/lsp/server.py do_searches": "registers a handler for each question of the protocol",
    "engine/minimum/mixed_core.py _core_of": "to be divided",
    "engine/proofs/decide.py _propagate": "one loop, which a call for each step would make twice as slow",
}


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Every function of a file, with its lines."""
    for node in ast.walk(syntax_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def test_files_folders_and_functions_are_short_or_say_why() -> None:
    lines = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8").count("\n") for path in MODULES.values()}
    assert {file for file, count in lines.items() if count > MOST_LINES} == set(LONG_FILES)
    assert {str(folder) for folder in FOLDERS if len([*folder.glob("*.py")]) > MOST_FILES} == set()
    long = {
        f"{file} {name}"
        for file in lines
        for name, count in functions(ROOT / file)
        if count > MOST_OF_A_FUNCTION and not file.startswith("engine/kernels/")
        if not (file.startswith("covr/cli/") and name.endswith("_command"))
    }
    assert long == set(LONG_FUNCTIONS)


def test_what_statements_are_lowered_with_is_handed_along_as_one() -> None:
    """As a `Lowering`, instead of a scope, groups and families side by side."""
    names = ("scope", "declared", "families", "faults", "draft")
    for path in (ROOT / "compiler").rglob("*.py"):
        for node in ast.walk(syntax_of(path)):
            if isinstance(node, ast.FunctionDef):
                taken = {argument.arg for argument in node.args.args}
                assert len(taken.intersection(names)) < 3 and not {"scope", "declared"} <= taken, (path, node.name)


def test_every_room_of_the_house_is_there() -> None:
    rooms = {".".join(module.split(".")[:depth]) for module in MODULES for depth in range(1, module.count(".") + 2)}
    assert {name for line in HOUSE for name in line} <= rooms


# --- tests ---------------------------------------------------------------------------------------------------------

TESTS = sorted((ROOT / "tests").rglob("*.py"))
TEST_MODULE = re.compile(r"(^|\.)test_\w+$")
# What a file must hold to import a test module: its name behind `from tests` or `import tests`, or names in brackets.
# To parse the files that hold nothing of the kind takes seconds.
MAY_IMPORT = re.compile(r"(?:from|import)\s+tests[\w.]*\.test_|from\s+tests[\w.]*\s+import\s+(?:[(\\]|.*\btest_)")


def imports_of_tests(path: Path) -> Iterator[str]:
    """The test modules that a file of the tests imports: by a statement, or in a text that another process runs."""
    if not MAY_IMPORT.search(path.read_text(encoding="utf-8")):
        return
    for node in ast.walk(syntax_of(path)):
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module}.{name.name}" for name in node.names)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names = re.findall(r"^(?:from|import) (tests[\w.]+)", node.value, re.MULTILINE)
        else:
            continue
        yield from (name for name in names if name.startswith("tests.") and TEST_MODULE.search(name))


def test_what_tests_share_is_in_no_test_module() -> None:
    """A test module that another one imports is run twice, and read by whoever looks for what is shared."""
    assert len(TESTS) > 200
    assert TEST_MODULE.search("tests.engine.test_cover") and not TEST_MODULE.search("tests.engine.strategies")
    found = {(path.relative_to(ROOT).as_posix(), name) for path in TESTS for name in imports_of_tests(path)}
    assert found == set()


# --- Lark's own ------------------------------------------------------------------------------------------------

# Attributes of Lark's parser that are none of its documented ones, though some have no underscore.
INSIDE = {"parser_state", "lexer_thread", "state_stack", "value_stack", "feed_token", "parse_conf", "parse_table"}


def private_names_of_lark(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that import Lark, and that reach into it: for inner attributes, and those with an
    underscore."""
    text = path.read_text(encoding="utf-8")
    if "lark" not in text and "grammar" not in text:
        return
    tree = syntax_of(path)
    knows = False
    for node in ast.walk(tree):
        modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        modules += [a.name for a in node.names] if isinstance(node, ast.Import) else []
        for module in modules:
            knows = knows or module.split(".")[0] == "lark" or module == "covr.dsl.grammar"
            if module.split(".")[0] == "lark":
                yield node.lineno, module
    for node in ast.walk(tree) if knows else ():
        if isinstance(node, ast.Attribute):
            own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            dunder = node.attr.startswith("__")
            if node.attr in INSIDE or (node.attr.startswith("_") and not own and not dunder):
                yield node.lineno, node.attr
            if ast.unparse(node).endswith(".lexer.lexer"):
                yield node.lineno, ".lexer.lexer"


def test_lark_is_known_to_one_file() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in MODULES.values()
        for line, name in private_names_of_lark(path)
    }
    assert {place for place in found if not place.startswith("dsl/tables.py:")} == set()
    assert any(place.endswith(": _parse_table") for place in found), "the test finds what it looks for"


def test_one_class_name_is_one_thing() -> None:
    places: dict[str, list[str]] = {}
    for module, path in MODULES.items():
        for name in read(path)[1]:
            places.setdefault(name, []).append(module)
    assert len(places) > 300
    assert {name for name, found in places.items() if len(found) > 1} == TWICE


def named(tree: ast.Module) -> Iterator[str]:
    """The names that the statements of a file give, those inside of others left out."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            overloaded = any("overload" in ast.unparse(part) for part in node.decorator_list)
            yield from [] if overloaded else [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                parts = target.elts if isinstance(target, ast.Tuple) else [target]
                yield from (part.id for part in parts if isinstance(part, ast.Name))


def test_no_file_gives_a_name_twice() -> None:
    """Two people who add to one file may choose the same name, and no conflict tells them."""
    for path in MODULES.values():
        names = [*named(syntax_of(path))]
        assert sorted(names) == sorted({*names}), path
