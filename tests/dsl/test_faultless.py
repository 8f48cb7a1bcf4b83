"""Reading a text in one go (parser.py) makes what reading it with care makes: the same trees, spans and faults."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.dsl import parser as faultless
from covr.dsl._reading import HOW, follows
from covr.dsl.grammar import GRAMMAR, load
from covr.dsl.lexer import DEPENDENT
from covr.dsl.tables import tables
from covr.frozen import names_of
from tests.dsl.models import SOME
from tests.dsl.read_alike import PARTS, alike
from tests.each import each

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]


@each("path", SOME)
def test_every_model_is_read_in_one_go(path: Path) -> None:
    text = path.read_text("utf-8")
    assert alike(text)
    damaged = random.Random(path.stem)
    for _ in range(1):
        at = damaged.randrange(len(text))
        alike(text[:at] + damaged.choice(["", "(", '"', "}", "x", "\\"]) + text[at + 1 :])


@given(st.lists(st.sampled_from(PARTS), max_size=12).map(" ".join))
def test_any_text_is_read_alike(text: str) -> None:
    alike(text)


@pytest.mark.parametrize("many", [100, 199, 200, 201, 300])
@pytest.mark.parametrize("deep", ["let n = {0}1{1}", 'title "{{{0}1{1}}}"'])
@pytest.mark.parametrize("ends", [("(", ")"), ("-", ""), ("", " + 1"), ("[", "]"), ("f(", ")"), ("not ", "")])
def test_deep_texts_are_read_alike(deep: str, many: int, ends: tuple[str, str]) -> None:
    alike(deep.format(ends[0] * many, ends[1] * many))


INTERPRETED = """
import importlib.util, sys
sys.modules["cython"] = None  # so that it can't be imported
spec = importlib.util.spec_from_file_location("covr.dsl._reading", sys.argv[1])
sys.modules[spec.name] = reading = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reading)
assert not reading.COMPILED
from pathlib import Path
from tests.dsl.read_alike import PARTS, alike
for path in sys.argv[2:]:
    assert alike(Path(path).read_text("utf-8"))
for part in PARTS:
    alike(f"let n = 1\\n{part}")
    alike(f"let n = f({part})")
for many in (199, 200):
    alike(f"let n = {'(' * many}1{')' * many}")
"""


def test_texts_are_read_alike_without_a_compiler() -> None:
    """And without Cython, whose module's place covr/uncompiled.py takes."""
    source = Path(faultless.__file__).with_name("_reading.py")
    files = [str(path) for path in SOME[::4]]
    done = subprocess.run(
        [sys.executable, "-c", INTERPRETED, str(source), *files], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_nodes_are_made_as_their_classes_make_them() -> None:
    """A class with a default, a converter or anything else that is done when it is called can't be made at once."""
    for how, node in faultless.AT_ONCE.values():
        if node is not None:
            fields = attrs.fields(node)
            assert how in HOW and names_of(node) == tuple(field.name for field in fields)
            assert all(field.default is attrs.NOTHING and field.init and field.converter is None for field in fields)
            assert type(node) is type and "__attrs_post_init__" not in vars(node)


def test_no_compiled_reader_is_older_than_its_source() -> None:
    source = Path(faultless.__file__).with_name("_reading.py")
    for suffix in EXTENSION_SUFFIXES:
        library = source.with_name(source.stem + suffix)
        if library.exists():
            assert library.stat().st_mtime >= source.stat().st_mtime, "run `pip install -e .` again"


@pytest.mark.parametrize("written", [r"NUMBER: /[0-9a]+/", r"NUMBER: /[0-9]+x?/", r'EQUAL: "==="', r"EQUAL: /=+/"])
def test_a_terminal_of_another_form_is_refused(written: str) -> None:
    """Words and signs are cut by hand, so that a change of the grammar must not be passed over."""
    name = written.partition(":")[0]
    text = re.sub(rf"^{name}: .*$", lambda _: written, GRAMMAR.read_text("utf-8"), flags=re.MULTILINE)
    with pytest.raises(ValueError, match=f"can't cut {name}"):
        tables(text)


GAPS = ["", " ", "\n", "\t", "\f", "# c", "# c\n", "#\n", " # c \n "]
NEXT = [
    "(",
    "[",
    '"',
    "9",
    "clue",
    "clue a",
    "clue a[",
    "clue # c\n a # c\n [",
    "clue(",
    "clue 1[",
    "a",
    "a[",
    "é [",
    "٣[",
    "",
]


@given(st.data())
def test_what_must_follow_a_word_is_what_the_grammar_says(data: st.DataObject) -> None:
    """Asked of random words behind it, among which are those that it lists."""
    lexer = load().lexer
    word = data.draw(st.sampled_from(sorted(DEPENDENT)))
    kind, listed = load().made["follows"][DEPENDENT[word]]
    parts = [*NEXT, *listed, *lexer.words, *(text + "x" for text in listed), *(t.replace(" ", "\f") for t in listed)]
    gaps, behind = st.sampled_from(GAPS), st.sampled_from(parts)
    text = word + "".join(data.draw(st.lists(st.one_of(gaps, behind), max_size=5)))
    end = data.draw(st.integers(len(word), len(text)))
    name = re.compile(r"[^\W\d]\w*").match(text, 0, end)
    assert name is not None
    if name[0] == word:
        wanted = lexer.follows(DEPENDENT[word]).match(text, 0, end) is not None
        assert follows(faultless._wanted((kind, listed)), text, len(word), end) == wanted
