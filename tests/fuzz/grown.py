"""Models that the grammar makes: statements from `from_lark`, put under a preamble whose names they use, and crossed.

hypothesis' `from_lark` draws from the grammar itself, but what it draws costs ten milliseconds, and hardly ever means
anything: of a thousand whole models none came to have choices. So single statements are drawn, their names all known
to a preamble, and kept by how far they lead; models are then crossed from these, mostly of those that lead far. That
way most models reach the last stage.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache

import hypothesis
from attrs import define, field
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.extra.lark import from_lark
from lark import Lark

from covr.dsl.grammar import GRAMMAR
from tests.fuzz.stages import lead

PREAMBLE = """
param a = 2
let b = {1, 2, 3}
let d = grid(2, 2, "1..2")
let e(x) = x + a
let m = [(1, 2), (2, 1)]
cells r, c in 1..2
values x in b
choose p(r, c, x)
choose q(x, s) for s in {{(1, 1)}, {(1, 2), (2, 2)}}
choose w()
"""
NAMES = "a|b|d|m|r|c|x|s|g|h|one"
FUNCTIONS = "e|size|min|sum|abs|subsets|tuples|placements|neighbours|box|sorted|cells|grid|list|symmetries|file"
# The ladder of operators, flat. Drawn as it stands, each of its eight steps goes on with even chance, and an expression
# has 256 parts, with expressions in them; nearly all that is drawn is then thrown away for its length.
FLAT = """
?expr: atom | IF atom THEN expr ELSE atom -> if_else | atom (OR | AND) atom | NOT atom
     | atom (EQUAL | COMPARES | IN | NOT_IN) atom | atom ".." atom | atom (PLUS | MINUS | BAR) atom
     | atom (STAR | DIV | MOD | AMPERSAND) atom | MINUS atom | atom CARET atom | atom EQUAL atom COMPARES atom
?range: atom
?sum: atom
"""
LEAVES = 50  # so many alternatives of an atom are a name or a number, to some twenty that hold others


@cache
def grammar() -> Lark:
    """The grammar as hypothesis can read it: no look-aheads, and words that are short."""
    text = GRAMMAR.read_text(encoding="utf-8").replace(r"(?!\w)", "").replace("_statement", "statement")
    for name, pattern in (
        ("STRING", r'/"[a-z {}]{0,8}"/'), ("BLOCK.2", r'/"""[ \\n0-9.#ab]{0,12}"""/'), ("NAME", f"/{NAMES}/"),
        ("NUMBER", "/[0-9]/"), ("COMPARES", "/[<>]=?|!=/"),
    ):  # fmt: skip
        text = re.sub(rf"^{re.escape(name)}: .*$", lambda _, n=name, p=pattern: f"{n}: {p}", text, flags=re.MULTILINE)
    text = re.sub(r"^(%ignore|SPACE|COMMENT).*$", "", text, flags=re.MULTILINE)
    start, end = text.index("?expr: "), text.index("?atom: ")
    postfix = '     | atom "[" expr ("," expr)* "]" -> index\n     | atom "." word -> field\n'
    text = text[:start] + FLAT + text[end:]
    leaves = postfix + "".join(f"     | LEAF{i} -> name\n" for i in range(LEAVES))
    text = re.sub(r"^\?atom: NUMBER -> number\n", lambda m: m[0] + leaves, text, flags=re.MULTILINE)
    text = re.sub(r"\b(AGREE|GIVEN|FORBID|OF|LOOP) name\b", r"\1 family", text)
    text = text.replace("named: name", "named: family").replace("shown: name", "shown: family")
    text = text.replace("ANSWERS_BY names", 'ANSWERS_BY family ("," family)*')
    text = text.replace("name (OR name)*", "family (OR family)*")
    text = text.replace("(NAME | CELLS) arguments", "FUNCTION arguments")
    text = text.replace("NAME [arguments] BLOCK", "FUNCTION [arguments] BLOCK")
    text += f"\nfamily: FAMILY\nFAMILY: /p|q|w/\nFUNCTION: /{FUNCTIONS}/\n"
    text += "".join(f"\nLEAF{i}: /{NAMES}|[0-9]|1[.][.]3/\n" for i in range(LEAVES))
    return Lark(text, parser="earley", start="statement")


def statement() -> st.SearchStrategy[str]:
    """A statement that the grammar allows, blanks between its words."""
    words = {t.name: t.pattern for t in grammar().terminals}
    told = {n: st.just(f" {p.value} ") for n, p in words.items() if p.type == "str"}
    for name, some in (("NAME", NAMES), ("FUNCTION", FUNCTIONS), ("FAMILY", "p|p|q")):
        told[name] = st.sampled_from([f" {word} " for word in some.split("|")])
    leaves = [f" {w} " for w in (*NAMES.split("|"), *map(str, range(6)), "1..3", '"t"', "{(1, 1)}", "(1, 2)")]
    told |= {n: st.sampled_from(leaves) for n in words if n.startswith("LEAF")}
    # Words that look ahead would never be drawn from their patterns, and those of two parts with any blanks between.
    looking = ("AT_LEAST", "AT_MOST", "UP_TO", "NOT_IN", "ANSWERS_BY", "AT", "TOTAL", "ALL_DIFFERENT", "ALL_ALIKE")
    told |= {n: st.just(f" {n.lower().replace('_', ' ')} ") for n in looking}
    return from_lark(grammar(), explicit=told)


def models() -> st.SearchStrategy[str]:
    """One to three statements of the grammar, mostly under a preamble that has families for them."""
    some = st.lists(statement(), min_size=1, max_size=3).map("\n".join)
    return st.builds(lambda text, bare: text if bare else PREAMBLE + text, some, st.sampled_from([False] * 5 + [True]))


def drawn(number: int, seed: int) -> list[str]:
    """So many statements of the grammar."""
    found: list[str] = []

    @hypothesis.seed(seed)
    @settings(
        max_examples=number,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(statement())
    def collect(text: str) -> None:
        found.append(text)

    collect()
    return found


@define
class Garden:
    """Statements by how far they lead under the preamble. early: not to the matrix; deep: to the end."""

    early: list[str] = field(factory=list)
    deep: list[str] = field(factory=list)

    def plant(self, text: str, met: Counter[str]) -> None:
        reached = met["rest"]
        lead(PREAMBLE + text, met)
        (self.deep if met["rest"] > reached else self.early).append(text)

    def crossed(self, rng: random.Random) -> str:
        """Some statements of the garden under the preamble, a word or two of them exchanged for another."""
        pick = [rng.choice(self.deep if self.deep and rng.random() < 0.95 else self.early or self.deep)
                for _ in range(rng.randint(1, 4))]  # fmt: skip
        text = "\n".join({" ".join(p.split()[:2]): p for p in pick}.values())  # nothing defined twice
        for _ in range(rng.choice((0, 0, 0, 1, 2))):
            places = list(re.finditer(rf" ({NAMES}|[0-9]) ", text))
            if places:
                spot = rng.choice(places)
                other = rng.choice(places)[1] if rng.random() < 0.7 else rng.choice((*NAMES.split("|"), "e", "p", "7"))
                text = f"{text[: spot.start(1)]}{other}{text[spot.end(1) :]}"
        return PREAMBLE + text
