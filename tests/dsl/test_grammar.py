"""The grammar is free of conflicts, its tables are loaded from a cache, and the fast lexer is Lark's own."""

from __future__ import annotations

import logging
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lark import Lark, Token

from covr.dsl import Source, grammar, parse
from covr.dsl.grammar import GRAMMAR, load
from covr.dsl.lexer import RESERVED, STATEMENTS, Parsing
from covr.dsl.tables import STARTS, build
from tests.dsl.models import MODELS, SOME
from tests.each import each

pytest.importorskip("interegular", reason="Lark's strict mode needs interegular")

pytestmark = pytest.mark.long


def test_the_grammar_has_no_conflicts() -> None:
    parser = build(GRAMMAR.read_text(encoding="utf-8"), strict=True)
    assert parser.options.parser == "lalr"
    assert parser.options.lexer == "contextual"


def test_reserved_words_are_those_of_the_grammar() -> None:
    """The rule `word` of the grammar lists every word that is reserved; two-word ones can't follow a dot."""
    rules = [r for r in build(GRAMMAR.read_text(encoding="utf-8")).rules if r.origin.name == "word"]
    words = {r.expansion[0].name for r in rules}
    assert words == set(RESERVED) - {
        "AT_LEAST",
        "AT_MOST",
        "UP_TO",
        "ANSWERS_BY",
        "IF_AND_ONLY_IF",
        "THEN_MINIMIZE",
        "THEN_MAXIMIZE",
        "ALL_DIFFERENT",
        "ALL_ALIKE",
        "SHAPE",  # a name wherever families and `at` or `along` do not follow
        "CLUE",  # a name wherever the param of its clues does not follow
    }
    begin = load().terminals & set(STATEMENTS)
    assert begin == set(STATEMENTS)


def test_total_is_a_name_before_every_word_that_may_follow_a_family() -> None:
    """The regular expression of TOTAL lists them: the words of statements and clauses, a label and the end."""
    from covr.dsl.syntax import Rule

    words = [n.lower().replace("_", " ").replace("shape", "path") for n in STATEMENTS]
    after = {w: w for w in words} | {"at": "at most", "up": "up to", "answers": "answers by", "all": "all alike"}
    statements = {
        "title": '"x"', "use": '"x"', "param": "a = 1", "let": "a = 1", "assert": "true", "cells": "a in b",
        "values": "a in b", "choose": "a()", "exactly": "1 a", "at least": "1 a", "at most": "1 a",
        "if": "a() then b()", "if and only if": "a() then b()",
        "divide": "a by b along c", "connected": "a at b", "loop": "a along b", "path": "a along b from c to d",
        "agree": "a on b = c",
        "all different": "a of b", "all alike": "a of b on c per d", "given": "a()", "forbid": "a",
        "clue": "a[b] = c",
        "minimize": "count of a", "maximize": "count of a", "prefer": "exactly 1 a cost 2",
        "then minimize": "count of a", "then maximize": "count of a", "up to": "a", "answers by": "a",
        "show": "a of b", "print": "1 at a", "outline": "a", "expect": "unique",
    }  # fmt: skip
    assert set(statements) == set(words) <= set(after)
    rests = [f"{word} {rest}" for word, rest in statements.items()]
    for rest in [*rests, "per a", "where a", "or b", '"label"', "", "# a comment", "# one\n# two\nper a"]:
        rule = parse(Source("m.cover", f"exactly one total\n {rest}")).statements[0]
        assert isinstance(rule, Rule)
        assert rule.families[0].id == "total" and not rule.weights, rest
    for weight in ("1", "-1", "(1)", "a", "[1][1]", "total", "size({1})", "# why\n 2"):
        rule = parse(Source("m.cover", f"exactly one total {weight} of a")).statements[0]
        assert isinstance(rule, Rule) and rule.weights, weight


class Reserved:
    """Tells Lark which words are reserved, so that its lexer knows them in every state of the parser."""

    always_accept = RESERVED

    def process(self, tokens: Iterator[Token]) -> Iterator[Token]:
        return tokens


@pytest.fixture(scope="module")
def larks_own() -> Lark:
    """A parser with Lark's lexer. Building it takes half a second, and a parse leaves nothing behind in it."""
    return Lark(
        GRAMMAR.read_text(encoding="utf-8"),
        parser="lalr",
        start=STARTS,
        propagate_positions=True,
        maybe_placeholders=False,
        postlex=Reserved(),
    )


@each("path", SOME)
def test_the_fast_lexer_cuts_as_larks_does(path: Path, larks_own: Lark) -> None:
    text = path.read_text(encoding="utf-8")
    logging.getLogger("lark").setLevel(logging.CRITICAL)
    running = larks_own.parse_interactive(text, "start")
    theirs = [(t.type, str(t), t.start_pos, t.end_pos) for t in running.iter_parse()]
    parsing = Parsing(load(), text, "start")
    ours = []
    for token in parsing.tokens():
        parsing.feed(token)
        ours.append((token.type, str(token), token.start_pos, token.end_pos))
    assert ours[:-1] == theirs


# --- the cache ----------------------------------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    grammar.load.cache_clear()
    path = grammar.cache_path(GRAMMAR.read_bytes())
    assert path is not None
    yield path
    grammar.load.cache_clear()


def parses() -> bool:
    grammar.load.cache_clear()
    return len(parse(Source("m.cover", "let n = 3")).statements) == 1


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bytes]:
    """What a cache holds, as covr writes it. To build it takes half a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        path = grammar.cache_path(GRAMMAR.read_bytes())
        assert path is not None and parses()
        yield path.read_bytes()
    grammar.load.cache_clear()


@pytest.fixture
def filled(tables: bytes, cache: Path) -> Path:
    """A cache that an earlier process has written."""
    cache.parent.mkdir(mode=0o700)
    cache.touch(mode=0o600)
    cache.write_bytes(tables)
    assert grammar.read(cache) is not None
    return cache


def test_the_cache_is_written_for_its_owner_alone(cache: Path) -> None:
    assert parses()
    assert cache.is_file()
    assert cache.stat().st_mode & 0o077 == 0
    assert cache.parent.stat().st_mode & 0o077 == 0
    assert [p.name for p in cache.parent.iterdir()] == [cache.name]


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_where_the_cache_lies(system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert grammar.cache_folder(system) == tmp_path / "cache" / "covr"
    for ignored in ("", "relative/cache"):
        monkeypatch.setenv("XDG_CACHE_HOME", ignored)
        folder = grammar.cache_folder(system)
        assert folder is not None and folder.is_absolute() and folder.is_relative_to(Path.home())
        if sys.platform == "linux":
            assert folder == tmp_path / "home" / ".cache" / "covr"


class Trap:
    """What a hostile cache would hold: unpickling it touches a file."""

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return open, (os.environ["COVR_TRAP"], "w")


def test_a_damaged_cache_is_built_anew(filled: Path) -> None:
    """To build it takes half a second, so that it is built for the last damage only."""
    whole = filled.read_bytes()
    for damage in (
        b"",
        b"nonsense",
        b"\x80\x04",
        pickle.dumps({"data": 1}),
        pickle.dumps([1]),
        whole[: len(whole) // 2],
    ):
        filled.write_bytes(whole)
        assert grammar.read(filled) is not None
        filled.write_bytes(damage)
        assert grammar.read(filled) is None
    assert parses()
    assert grammar.read(filled) is not None


def test_a_cache_runs_nothing(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COVR_TRAP", str(tmp_path / "trap"))
    filled.write_bytes(pickle.dumps(Trap()))
    assert parses()
    assert not (tmp_path / "trap").exists()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs owners and permissions")
def test_a_cache_others_may_write_is_not_trusted(filled: Path) -> None:
    filled.chmod(0o666)
    assert grammar.read(filled) is None
    filled.unlink()
    filled.parent.chmod(0o777)
    assert parses()
    assert not filled.exists()


def test_no_cache_is_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert parses()
    grammar.load.cache_clear()


def test_the_first_parse_of_a_process_is_fast(tmp_path: Path) -> None:
    """Under 20 ms with a warm cache; the bound here leaves room for a busy machine."""
    model = next((p for p in MODELS if p.stem == "sudoku"), None)
    if model is None:
        pytest.skip("needs models/latin/sudoku.cover")
    script = (
        "import sys, time\n"
        "from covr.dsl import Source, parse\n"
        "text = open(sys.argv[1], encoding='utf-8').read()\n"
        "start = time.process_time()\n"
        "parse(Source('sudoku.cover', text))\n"
        "print(time.process_time() - start)\n"
    )
    root = Path(__file__).parents[2]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "PYTHONPATH": str(root)}
    times = []
    for _ in range(4):
        done = subprocess.run(
            [sys.executable, "-c", script, str(model)], env=environment, capture_output=True, text=True, check=True
        )
        times.append(float(done.stdout))
        time.sleep(0.01)
    assert min(times[1:]) < 0.1, times


@each("path", SOME)
def test_trees_are_those_that_lark_makes(path: Path, larks_own: Lark) -> None:
    """Our reductions and places beside Lark's own, on every model that ships with covr."""
    text = path.read_text(encoding="utf-8")
    parsing = Parsing(load(), text, "start")
    (mine,) = [tree for tree in map(parsing.feed, parsing.tokens()) if tree is not None]
    assert shape(mine) == shape(larks_own.parse(text, "start"))


def shape(tree: Any) -> list[Any]:
    """A tree as lists: the rule, where it begins and ends, and its children, tokens among them."""
    where = getattr(tree, "meta", tree)
    begin, end = (getattr(where, name, None) for name in ("start_pos", "end_pos"))
    return [
        str(tree.data),
        begin,
        end,
        *(shape(c) if hasattr(c, "children") else (c.type, str(c), c.start_pos, c.end_pos) for c in tree.children),
    ]


def test_the_parser_runs_without_lark_where_its_tables_are_kept(filled: Path) -> None:
    script = (
        "import sys; from covr.dsl import Source, parse; parse(Source('m', 'let n = 3')); print('lark' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
