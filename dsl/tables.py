"""cover.lark → the tables of the parser, by Lark: numbers, texts, lists and dicts, which grammar.py keeps in a file.

Building them takes a third of a second, importing Lark as long as covr takes to start without it. So this file is
imported only where there are no tables yet. It is written for Lark 1.3; pyproject.toml excludes 2.0, where the private
parts that are read here may differ.
"""

from __future__ import annotations

import re
from string import punctuation
from typing import Any

from lark import Lark
from lark.parsers.lalr_analysis import Shift

from covr.dsl.lexer import DEPENDENT, is_word

STARTS = ["start", "expr"]

Tables = dict[str, Any]
"""symbols: terminals and others, each of which is numbered by its place here. rows, columns, leads: for each state of
the parser how many symbols lead on, one byte each; their numbers, one byte each; and what they lead to, two bytes each,
the lower first: a state, or ~n, to reduce by rule n. starts, ends: for each rule that a text can be read as, the states
where it begins and may end. rules: for each rule how many symbols it takes, the symbol that takes their place, the name
of its tree, whether a single child stands for the tree, and which symbols become children, as (position, whether its
own children take its place), or None for all of them. terminals: (name, whether it is a regular expression, what is
written, the regular expression for it, priority). ignore: terminals that mean nothing. phrases: of terminals that
consist of several words, these words. spelt: of signs that are one of some texts, these texts. follows: of words that
depend on what follows them, what that is: see `_follows`."""

# What is cut by hand (_reading.py), and how it must be written in the grammar.
BY_HAND = {
    "NUMBER": r"[0-9]+", "NAME": r"[^\W\d]\w*", "STRING": '"(?!"")(?:[^"\\\\\n]|\\\\.)*"',
    "BLOCK": r'"""(?:[^"]|"(?!""))*"""', "SPACE": "[ \t\r\n\f]+", "COMMENT": "#[^\n]*",
}  # fmt: skip
BETWEEN = "[ \t\r\n]+"  # the words of a phrase
GAP = "(?:[ \t\r\n\f]|#[^\n]*\n)"
END = "(?:#[^\n]*)?\\Z"
PLACE = rf"[^\W\d]\w*{GAP}*\["  # the param of a clue, up to its bracket
FAMILIES = rf"[^\W\d]\w*(?:{GAP}+or{GAP}+[^\W\d]\w*)*{GAP}+(?:along|at(?!{BETWEEN}(?:least|most)(?!\w)))(?!\w)"


def build(grammar: str, *, strict: bool = False) -> Lark:
    """Lark's parser, from the text of the grammar. strict: conflicts are errors (needs `interegular`)."""
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        strict=strict,
        start=STARTS,
        propagate_positions=True,
        maybe_placeholders=False,
    )


def tables(grammar: str) -> Tables:
    """The tables for the text of a grammar."""
    lark = build(grammar)
    frontend: Any = lark.parser
    table = frontend.parser._parse_table
    numbers = {id(rule): at for at, rule in enumerate(lark.rules)}
    same = {rule: at for at, rule in enumerate(lark.rules)}

    def leads_to(action: Any, argument: Any) -> int:
        return argument if action is Shift else ~numbers.get(id(argument), same[argument])

    assert [*table.states] == [*range(len(table.states))]
    symbols = sorted({str(symbol) for row in table.states.values() for symbol in row})
    place = {symbol: at for at, symbol in enumerate(symbols)}
    entries = [(place[symbol], leads_to(*to)) for row in table.states.values() for symbol, to in row.items()]
    return {
        "symbols": symbols,
        "rows": bytes(map(len, table.states.values())),
        "columns": bytes([column for column, _ in entries]),
        "leads": b"".join([to.to_bytes(2, "little", signed=True) for _, to in entries]),
        "starts": dict(table.start_states),
        "ends": dict(table.end_states),
        "rules": [_rule(rule) for rule in lark.rules],
        "terminals": [
            (t.name, t.pattern.type == "re", t.pattern.value, t.pattern.to_regexp(), t.priority) for t in lark.terminals
        ],
        "ignore": [str(name) for name in lark.ignore_tokens],
        **_forms(lark.terminals),
    }


def _forms(terminals: Any) -> dict[str, dict[str, Any]]:
    """`phrases`, `spelt` and `follows`. Raises ValueError for a terminal of any form that covr does not cut."""
    phrases: dict[str, list[str]] = {}
    spelt: dict[str, list[str]] = {}
    follows: dict[str, Any] = {}
    for t in terminals:
        written, pattern, is_text = t.pattern.value, t.pattern.to_regexp(), t.pattern.type == "str"
        words = pattern.removesuffix(r"(?!\w)").split(BETWEEN)
        texts = [written] if is_text else written.removeprefix("(?:").removesuffix(")").split("|")
        if t.name in DEPENDENT.values():
            follows[t.name] = _follows(t.name, pattern)
            if not all(is_word(word) for text in follows[t.name][1] for word in text.split(" ")):
                raise _uncut(t.name, pattern)
        elif is_text and is_word(written):
            continue
        elif len(words) > 1 and all(map(is_word, words)):
            phrases[t.name] = words
        elif all(len(text) <= 2 and set(text) <= set(punctuation if is_text else "!<=>") for text in texts):
            spelt[t.name] = texts
        elif BY_HAND.get(t.name) != pattern:
            raise _uncut(t.name, pattern)
    return {"phrases": phrases, "spelt": spelt, "follows": follows}


def _follows(name: str, pattern: str) -> tuple[str, list[str]]:
    """What must follow a word, or must not, and words; a phrase is written with a blank between its words. "(": no
    parenthesis. "end": neither the end, nor what begins a clue or a shape, nor one of these words; "text": neither, nor
    a text. "clue": a name that is none of these words, and its bracket. "shape": families, the first none of these
    words, and `at` or `along`."""
    words = [word for word, terminal in DEPENDENT.items() if terminal == name]
    word = words[0] if len(words) == 1 else f"(?:{'|'.join(words)})"
    begin, end = rf"{word}(?!\w)", r")(?!\w)))"
    if pattern == rf"{begin}(?!{GAP}*\()":
        return "(", []
    shapes = "|".join([word for word, terminal in DEPENDENT.items() if terminal == "SHAPE"])
    shapes = rf"(?:{shapes}){GAP}+[^\W\d]\w*{GAP}+(?:along|at|or)(?!\w)|"
    label = rf'(?!{GAP}*")'
    if pattern.startswith(begin + label):
        return "text", _follows(name, pattern.replace(label, "", 1))[1]
    for kind, sign in (("end", ""), ("text", '"|')):
        first = rf"{begin}(?!{GAP}*(?:{sign}{END}|clue{GAP}+{PLACE}|{shapes}(?:"
        if pattern.startswith(first) and pattern.endswith(end):
            return kind, _spelt_out(pattern[len(first) : -len(end)])
    first = rf"{begin}(?={GAP}+(?!(?:"
    for kind, goes_on in (("clue", PLACE), ("shape", FAMILIES)):
        end = rf")(?!\w)){goes_on})"
        if pattern.startswith(first) and pattern.endswith(end):
            return kind, _spelt_out(pattern[len(first) : -len(end)])
    raise _uncut(name, pattern)


def _spelt_out(words: str) -> list[str]:
    """The words of a regular expression `a|b|…`, in each of which some letters may be `(?:x|y)`."""
    found = []
    for one in re.split(r"\|(?![^(]*\))", words.replace(BETWEEN, " ")):
        several = re.fullmatch(r"(.*)\(\?:(.*)\)(.*)", one)
        found += [several[1] + part + several[3] for part in several[2].split("|")] if several else [one]
    return found


def _uncut(name: str, pattern: str) -> ValueError:
    return ValueError(f"covr can't cut {name} of cover.lark: {pattern}")


def _rule(rule: Any) -> tuple[int, str, str, bool, list[tuple[int, bool]] | None]:
    """A rule, as in `Tables`. Follows Lark's parse_tree_builder.py for the options that the grammar uses."""
    options, symbols = rule.options, rule.expansion
    kept = [
        (at, not symbol.is_term and symbol.name.startswith("_"))
        for at, symbol in enumerate(symbols)
        if options.keep_all_tokens or not (symbol.is_term and symbol.filter_out)
    ]
    whole = len(kept) == len(symbols) and not any(inlined for _, inlined in kept)
    name = rule.alias or options.template_source or rule.origin.name
    return (
        len(symbols),
        str(rule.origin.name),
        str(name),
        bool(options.expand1 and not rule.alias),
        None if whole else kept,
    )


__all__ = ["STARTS", "Tables", "build", "tables"]
