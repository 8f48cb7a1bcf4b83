"""What to write instead: advice on signs and words that the language does not have, or not in this place."""

from __future__ import annotations

# Characters of other languages and keyboards → what to write.
INSTEAD = {
    "/": "whole numbers are divided with `div`", "%": "write `mod`; a comment begins with `#`",
    "!": "write `not`, or `!=`",
    ";": "a statement needs nothing at its end", "'": 'a text stands in `"double quotes"`',
    "“": 'a text stands in `"double quotes"`', "”": 'a text stands in `"double quotes"`',
    "‘": 'a text stands in `"double quotes"`', "’": 'a text stands in `"double quotes"`',
    "−": "write `-`", "–": "write `-`", "×": "write `*`", "·": "write `*`", "≤": "write `<=`", "≥": "write `>=`",
    "≠": "write `!=`", "∈": "write `in`", "∪": "write `|`", "∩": "write `&`", "…": "a range is written `1..n`",
    "\\": "a statement may go on in the next line as it is", "?": "write `if A then B else C`",
}  # fmt: skip
# What begins a comment in other languages → what to write.
COMMENTS = {"//": "a comment begins with `#`", "/*": "each line of a comment begins with `#`"}
# Two signs that touch → what is meant.
TOUCHING = {
    "==": "equality is written `=`", "=>": "write `>=`", "=<": "write `<=`", "<>": "write `!=`",
    "**": "write `^`", "&&": "write `and`", "||": "write `or`", "++": "write `+`", "--": "a comment begins with `#`",
}  # fmt: skip


# Words that begin a line elsewhere → what is meant.
BEGINNING = {
    "one": "a rule begins with `exactly`, `at least` or `at most`", "no": "write `exactly 0 f`, or `forbid f`",
    "each": "write `exactly one f per KEYS`", "every": "write `exactly one f per KEYS`",
    "for": "write `exactly one f per KEYS`", "then": "write `if f(x) then g(x)`",
    "const": "did you mean `let`?", "var": "did you mean `let`?", "set": "did you mean `let`?",
    "def": "did you mean `let`?", "function": "did you mean `let`?", "import": "did you mean `use`?",
    "include": "did you mean `use`?",
}  # fmt: skip
# Words that are written where another is meant, if that one may stand there.
MEANT = {"for": "per", "at": "per", "each": "per", "every": "per", "if": "where", "when": "where", "with": "where"}
LET_IN = "there is no `let … in`: give it a line of its own, or make it a function: `let f(x) = …`"
NUMBERS = {
    "zero": 0, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip

# How each statement reads.
FORMS = {
    "TITLE": 'title "…"', "USE": 'use "path"', "PARAM": "param NAME = VALUE where CONDITION",
    "LET": "let NAME = VALUE", "ASSERT": 'assert CONDITION "…"', "CELLS": "cells x, y in SET, z in SET",
    "VALUES": "values x, y in SET, z in SET", "CHOOSE": "choose f(x, y) for x in SET where CONDITION",
    "EXACTLY": 'exactly N f or g per KEYS where CONDITION "…"',
    "IF": 'if f(x) and not g(x) then some h(y) and at most 2 k(y) for y in SET where CONDITION "…"',
    "IF_AND_ONLY_IF": 'if and only if f(x) then g(x) for x in SET where CONDITION "…"',
    "CONNECTED": 'connected f or g at PLACE along PAIRS per KEYS where CONDITION "…"',
    "LOOP": 'loop f along ENDS per KEYS where CONDITION "…"',
    "PREFER": 'prefer at most N f per KEYS where CONDITION cost PRICE "…"',
    "AT_LEAST": 'at least N f or g per KEYS where CONDITION "…"',
    "AT_MOST": 'at most N f or g per KEYS where CONDITION "…"',
    "AGREE": 'agree f on KEY = COLOUR, …, g on KEY = COLOUR, … for x in SET where CONDITION "…"',
    "ALL_DIFFERENT": 'all different THING of f on SEEN per KEYS where CONDITION "…"',
    "ALL_ALIKE": 'all alike THING of f on SEEN per KEYS where CONDITION "…"',
    "GIVEN": 'given f(x, y) for x in SET where CONDITION "…"',
    "FORBID": "forbid f(x, y) for x in SET where CONDITION",
    "CLUE": "clue PARAM[k] = count of f where CONDITION for k in SET",
    "MINIMIZE": "minimize VALUE of f where CONDITION, count of g", "UP_TO": "up to symmetries(AREA), f(x) -> f(y)",
    "THEN_MINIMIZE": "then minimize VALUE of f where CONDITION, count of g",
    "THEN_MAXIMIZE": "then maximize VALUE of f where CONDITION, count of g",
    "ANSWERS_BY": "answers by f, g",
    "MAXIMIZE": "maximize VALUE of f where CONDITION, count of g",
    "SHOW": 'show VALUES of f at PLACE for x in SET where CONDITION else "…" as outline',
    "PRINT": "print VALUES at PLACE for x in SET where CONDITION as circle",
    "OUTLINE": "outline VALUE for (r, c) in SET",
    "EXPECT": "expect N solutions with NAME = VALUE",
}  # fmt: skip
