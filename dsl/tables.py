"""cover.lark → the tables of the parser, by Lark: numbers, texts, lists and dicts, which grammar.py keeps in a file.

Building them takes a third of a second, importing Lark as long as covr takes to start without it. So this file is
imported only where there are no tables yet. It is written for Lark 1.3; pyproject.toml excludes 2.0, where the private
parts that are read here may differ.
"""

from __future__ import annotations

from typing import Any

from lark import Lark
from lark.parsers.lalr_analysis import Shift

STARTS = ["start", "expr"]

Tables = dict[str, Any]
"""symbols: terminals and others, each of which is numbered by its place here. rows, columns, leads: for each state of
the parser how many symbols lead on, one byte each; their numbers, one byte each; and what they lead to, two bytes each,
the lower first: a state, or ~n, to reduce by rule n. starts, ends: for each rule that a text can be read as, the states
where it begins and may end. rules: for each rule how many symbols it takes, the symbol that takes their place, the name
of its tree, whether a single child stands for the tree, and which symbols become children, as (position, whether its
own children take its place), or None for all of them. terminals: (name, whether it is a regular expression, what is
written, the regular expression for it, priority). ignore: terminals that mean nothing."""


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
    }


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
