"""What to write instead: advice on signs, words and whole forms that the language does not have, or not in this place.

What other languages write, and what people say in English, is a table here (WHOLE, WITHIN, CALLS, WORDS), with what
covr writes. Each row is tried before it is offered: the text with it must be read further (complaints.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from covr.dsl.diagnostics import Diagnostic, Span
from covr.frozen import evolve

# Characters of other languages and keyboards → what to write.
INSTEAD = {
    "/": "write `div`, which divides whole numbers", "%": "write `mod`; a comment begins with `#`",
    "!": "write `not`, or `!=`",
    ";": "a statement needs nothing at its end", "'": 'a text stands in `"double quotes"`',
    "“": 'a text stands in `"double quotes"`', "”": 'a text stands in `"double quotes"`',
    "‘": 'a text stands in `"double quotes"`', "’": 'a text stands in `"double quotes"`',
    "−": "write `-`", "–": "write `-`", "×": "write `*`", "·": "write `*`", "≤": "write `<=`", "≥": "write `>=`",
    "≠": "write `!=`", "∈": "write `in`", "∪": "write `|`", "∩": "write `&`", "∧": "write `and`",
    "∨": "write `or`", "¬": "write `not`", "∅": "write `{}`", "…": "a range is written `1..n`",
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
    **dict.fromkeys(("for", "forall", "foreach"), "write `exactly one f per KEYS`"),
    **dict.fromkeys(
        ("all", "alldifferent", "all_different", "allDifferent", "allDiff", "different"),
        "write `at most one f per KEYS, VALUE`; whole rows that differ are `all different THING of f per KEYS`",
    ),
    "then": "write `if f(x) then g(x)`",
    "constraint": "write the rule itself, which begins with `exactly`, `at least` or `at most`",
    "const": "did you mean `let`?", "var": "did you mean `let`?", "set": "did you mean `let`?",
    "def": "did you mean `let`?", "function": "did you mean `let`?", "import": "did you mean `use`?",
    "include": "did you mean `use`?",
}  # fmt: skip
# Words that are written where another is meant, if that one may stand there.
MEANT = {"for": "per", "at": "per", "each": "per", "every": "per", "if": "where", "when": "where", "with": "where"}
LET_IN = "there is no `let … in`: give it a line of its own, or make it a function: `let f(x) = …`"
NUMBERS = {
    "zero": 0, "none": 0, "once": 1, "twice": 2, "two": 2,
    "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12,
}  # fmt: skip

NEEDLESS = "a model says what is asked for, and `covr solve` or `covr count` asks it"
BEGINS = "a statement begins with a word of its own"

# How each statement reads.
FORMS = {
    "TITLE": 'title "…"', "USE": 'use "path"', "PARAM": "param NAME = VALUE where CONDITION",
    "LET": "let NAME = VALUE", "ASSERT": 'assert CONDITION "…"', "CELLS": "cells x, y in SET, z in SET",
    "VALUES": "values x, y in SET, z in SET", "CHOOSE": "choose f(x, y) for x in SET where CONDITION",
    "EXACTLY": 'exactly N f or g per KEYS where CONDITION "…"',
    "IF": 'if f(x) and not g(x) then some h(y) and at most 2 k(y) for y in SET where CONDITION "…"',
    "IF_AND_ONLY_IF": 'if and only if f(x) then g(x) for x in SET where CONDITION "…"',
    "DIVIDE": 'divide PLACES by wall along PAIR "…"',
    "CONNECTED": 'connected f or g at PLACE along PAIRS per KEYS where CONDITION "…"',
    "LOOP": 'loop f along ENDS per KEYS where CONDITION "…"',
    "SHAPE": 'path f along ENDS from A to B per KEYS where CONDITION "…"',
    "PREFER": 'prefer at most N f per KEYS where CONDITION cost PRICE "…"',
    "AT_LEAST": 'at least N f or g per KEYS where CONDITION "…"',
    "AT_MOST": 'at most N f or g per KEYS where CONDITION "…"',
    "AGREE": 'agree f on KEY = COLOUR, …, g on KEY = COLOUR, … for x in SET where CONDITION "…"',
    "ALL_DIFFERENT": 'all different THING of f on SEEN per KEYS where CONDITION "…"',
    "ALL_ALIKE": 'all alike THING of f on SEEN per KEYS where CONDITION "…"',
    "GIVEN": 'given f(x, y) for x in SET where CONDITION "…"',
    "FORBID": "forbid f(x, y) for x in SET where CONDITION",
    "CLUE": "clue PARAM[k] = count of f where CONDITION for k in SET",
    "MINIMIZE": "minimize VALUE of f where CONDITION, count of g for x in SET",
    "UP_TO": "up to symmetries(AREA), f(x) -> f(y)",
    "THEN_MINIMIZE": "then minimize VALUE of f where CONDITION, count of g for x in SET",
    "THEN_MAXIMIZE": "then maximize VALUE of f where CONDITION, count of g for x in SET",
    "ANSWERS_BY": "answers by f, g",
    "MAXIMIZE": "maximize VALUE of f where CONDITION, count of g for x in SET",
    "SHOW": 'show VALUES of f at PLACE for x in SET where CONDITION else "…" as outline',
    "PRINT": "print VALUES at PLACE for x in SET where CONDITION as circle",
    "OUTLINE": "outline VALUE for (r, c) in SET",
    "EXPECT": "expect N solutions with NAME = VALUE",
}  # fmt: skip


# --- what others write → what covr writes ----------------------------------------------------------------------
# A row has words, one of which must stand in the text (`|` between them, in small letters; none: any text), what is
# written, and what is to be written instead. In what is written a space is any space, and `~` may be one; a letter in
# `<…>` is a part: A, B, C, D, N and V are expressions, K and L several with commas between them, F, G and X names, Q is
# a quantity, I and J are choices, T is a text in quotes, and R is the rest, perhaps nothing; the group O stays as it
# is. All else is a regular expression. What is to be written has these parts in braces, or is a function of them, empty
# if it does not know. `{B_less}` and `{B_more}` are one less and one more, `{K_names}` the names in `r in S, c`, and
# `{K_texts}` words in quotes. An empty text is to be left out.

BLANKS = (" ", "\t")
LONGEST = 160  # characters of a line in which such forms are looked for
NAME = r"[^\W\d]\w*"
ASKED = r"(?P<K>[^\"]+? in [^\"]+?)~(?:where|such that|with) (?P<C>[^\"]+?)(?=~\"|~[)\]}]|$)"
QUOTED = r'"(?:[^"\\\n]|\\.)*"'


def _within(others: str, depth: int) -> str:
    """What lies between brackets that match: one of some signs, or brackets nested in each other."""
    inner = rf"(?:{_within('', depth - 1)})*?" if depth else r'[^()\[\]{}"]*'
    return rf'[^()\[\]{{}}"{others}]|{QUOTED}|\({inner}\)|\[{inner}\]|\{{{inner}\}}'


# What is a function, and so no choice, in most languages.
FUNCTION = (
    r"(?:all_?diff\w*|len|print|range|sum|count|min|max|if|forall|exists|solve|minimi[sz]e|maximi[sz]e|output|import|"
    r"exactly|at_?most|at_?least|circuit|cumulative|table|file|grid|countif|sumif|vlookup|index|"
    r"match|distinct|all_distinct|and|or|not|xor|implies|iff|between)[ \t]*\("
)
ONE, SEVERAL = rf"(?:{_within(',', 2)})", rf"(?:{_within('', 2)})"
PARTS = {
    **dict.fromkeys("ABCDNV", f"{ONE}+?"), **dict.fromkeys("KL", f"{SEVERAL}+?"), **dict.fromkeys("FGX", NAME),
    **dict.fromkeys("IJ", rf"(?!{FUNCTION}){NAME}[ \t]*\({SEVERAL}*?\)"), "R": r"(?:[ \t].*)?", "T": QUOTED,
    "Q": r"(?:\w+(?:\.\.\w+)?|\([^()]*\)|\{[^{}]*\})",
}  # fmt: skip


class Matched(dict[str, str]):
    """The parts of what was written, by their letters."""

    def __missing__(self, key: str) -> str:
        letter, _, how = key.partition("_")
        part = self.get(letter, "").strip()
        if how in ("less", "more"):
            step = 1 if how == "more" else -1
            if how == "less" and part.endswith(" + 1"):
                return part[:-4]
            return str(int(part) + step) if part.isdecimal() else f"{part} {'+' if step > 0 else '-'} 1"
        if how == "names" and " in " in part:
            return ", ".join(re.findall(rf"(?:^|, ?) ?\(?({NAME}(?:, ?{NAME})*)\)? in ", part))
        if how == "texts":
            return ", ".join(word if word[0] in '"0123456789' else f'"{word}"' for word in split(part))
        return part


Row = tuple[str, str, "str | Callable[[Matched], str]"]


def split(text: str) -> list[str]:
    """The parts of a text between commas that stand in no brackets."""
    return [part.strip() for part in re.findall(rf"{ONE}+", text)]


BOUNDS = {"=": "exactly {N}", "==": "exactly {N}", "is": "exactly {N}", "<=": "at most {N}", ">=": "at least {N}",
          "<": "at most {N_less}", ">": "at least {N_more}"}  # fmt: skip
IS = "~(?P<O>==|<=|>=|=|<|>|is(?= ))~<N>"
BOUND = "(?P<M>exactly|at least|at most) "
WANTS = "(?P<O>(?:exactly|at least|at most) <Q> )"
GOAL = r"(?:(?:solve|goal|objective|find)~:?~)?(?P<M>min|max)(?:imi[sz]e|imum|imizing)?\b~:?~"
EACH = "(?:for (?:all|each|every|any)|for_?all|foreach|for|in (?:each|every)|within each|each|every|all)"
RULE = re.compile("(?:exactly|at least|at most) ")
A_CHOICE = re.compile(rf"(?:not )?{NAME} ?\([^=<>]*\)\Z")
A_CONDITION = re.compile(r"[=<>≤≥≠]|\b(?:in|mod)\b")
KEYED = re.compile(r'(?: per ((?:(?! where )[^"])*))?((?: where [^"]*)?(?:".*)?)')
CHOICES = rf"(?P<K>{NAME}~\([^()]*\)(?:(?:~(?:,|;|&|\band\b)~| ){NAME}~\([^()]*\))+)"
NUMBER = r"(?:\w+|\([^()]*\))(?:~[-+*]~(?:\w+|\([^()]*\)))*"
INDICES = "ijkuvw"
TYPES = ("int", "integer", "bool", "boolean", "string", "float", "number", "const", "var", "set", "val", "final", "def")


def _bound(said: Matched) -> str:
    """`count(f) <= 3`, with keys: a rule."""
    total = f"total {said['V']} of " if "V" in said else ""
    keys = ", ".join(filter(None, (said["K"], said["L"])))
    return f"{BOUNDS[said['O']].format_map(said)} {total}{said['F']}{' per ' if keys else ''}{keys}"


def _ruled(said: Matched) -> str:
    """A rule that is said for each of some keys: those that it names itself come after them."""
    found = KEYED.fullmatch(said["R"].rstrip())
    if found is None:
        return ""
    keys = dict.fromkeys([*split(said["K_names"]), *split(found[1] or "")])
    return f"{said['M'] or 'exactly'} {said['Q']} {said['F']} per {', '.join(keys)}{found[2]}"


def _if(said: Matched) -> str:
    """`if A then B`, whose parts are choices and conditions."""
    parts = [part.strip() for part in re.split(r"\band\b|&&", said["A"])]
    conditions = [part for part in parts if not A_CHOICE.match(part)]
    choices = [part for part in parts if A_CHOICE.match(part)]
    then, label = said["B"], f" {said['T']}" if said["T"] else ""
    if not all(map(A_CONDITION.search, conditions)):
        return ""
    where = f"{' where ' * bool(conditions)}{' and '.join(conditions)}{label}"
    if A_CHOICE.match(then):
        if choices:
            return f"if {' and '.join(choices)} then {then}{where}"
        return f"forbid {then[4:]}{where}" if then.startswith("not ") else f"given {then}{where}"
    if choices:
        plain = len(parts) == 1 and A_CONDITION.search(then) and not choices[0].startswith("not ")
        return f"forbid {choices[0]} where not ({then})" if plain else ""
    return f"{then}{where}" if RULE.match(then) else ""


def _each(said: Matched) -> str:
    """A statement for each of several choices."""
    return " ".join(f"{said['M']} {choice}" for choice in re.findall(rf"{NAME}[ \t]*\([^()]*\)", said["K"]))


def _chosen(said: Matched) -> str:
    """`choose f(r in 1..4, c: 1..5)`, `choose f(1..4, 1..5)`: the sets stand behind the indices."""
    names, sets = [], []
    for at, part in enumerate(split(said["K"])):
        found = re.match(rf"({NAME})(?:\s+in\s+|\s*[:=]\s*)(.+)", part)
        plain = found is None and re.fullmatch(NAME, part) is not None
        names.append(found[1] if found else part if plain else INDICES[at % len(INDICES)])
        sets += [] if plain else [f"{names[-1]} in {found[2] if found else part}"]
    return f"choose {said['F']}({', '.join(names)}) for {', '.join(sets)}" if sets else ""


def _array(said: Matched) -> str:
    """`array[S, T] of var U: x` of MiniZinc: a choice for each place and value, and one value at each place."""
    sets = split(said["K"])
    names = [INDICES[at % len(INDICES)] for at in range(len(sets))]
    walked = ", ".join(f"{name} in {over}" for name, over in zip(names, sets, strict=True))
    if said["A"] == "bool":
        return f"choose {said['X']}({', '.join(names)}) for {walked}"
    every = ", ".join(names)
    return f"choose {said['X']}({every}, value) for {walked}, value in {said['A']} exactly one {said['X']} per {every}"


def _not_all(said: Matched) -> str:
    """`:- a, not b` of answer set programming: not all of these together."""
    parts = re.findall(rf"(?:not )?{NAME}[ \t]*\([^()]*\)", said["K"])
    if len(parts) == 1:
        return f"given {parts[0][4:]}" if parts[0].startswith("not ") else f"forbid {parts[0]}"
    last = parts[-1][4:] if parts[-1].startswith("not ") else f"not {parts[-1]}"
    return f"if {' and '.join(parts[:-1])} then {last}" if parts else ""


def _conditions(said: Matched) -> str:
    """`where a, b`: conditions with commas between them."""
    parts = split(said["K"])
    return f"where {' and '.join(parts)}" if all(map(A_CONDITION.search, parts)) and len(parts) > 1 else ""


def _upwards(said: Matched) -> str:
    """`1-4`: a range."""
    return f"{said['A']}..{said['B']}" if int(said["A"]) < int(said["B"]) else ""


def _value(said: Matched) -> str:
    """`f(1, 2) = 3`: a choice with its value; `f(x) = x + 1`: a function."""
    plain = all(re.fullmatch(NAME, part) for part in split(said["K"]))
    return f"let {said['F']}({said['K']}) = {said['N']}" if plain else f"given {said['F']}({said['K']}, {said['N']})"


# What stands before a rule elsewhere.
OPENING = re.compile(
    r"(?:there (?:is|are|must be|should be)|constraints?|rules?|require|must(?: have)?|ensure(?: that)?|subject to|"
    r"such that|we need|s[.]t[.]|enforce|impose|solve|and)\b[ \t]*:?[ \t]*",
    re.IGNORECASE,
)
# The whole of a line, perhaps behind one of these.
WHOLE: tuple[Row, ...] = (
    # rules for each, and rules in other words
    ("for|each|every|all", f"{EACH} <K>(?: has| have| holds| contains)?~[:,]?~(?<=[\\s:,]){BOUND}<Q> <F><R>", _ruled),
    ("for|each|every|all", f"{EACH} <K>(?: has| have| holds| contains|:|,) (?P<Q>one|\\d+) <F><R>", _ruled),
    ("forall", rf"(?:constraint )?forall~\(~<K>~\)~\(~{BOUND}<Q> <F>(?P<R>[^()]*)\)", _ruled),
    ("all", r"(?:constraint )?all[ _-]?diff(?:erent)? <V> of <F>(?: per <K>)?", "at most one {F} per {K}, {V}"),
    ("no|none", "(?:no two|not two) <F><R>", "at most one {F}{R}"),
    ("no|none", "(?:no|none of|none)(?: the)? <F><R>", "exactly 0 {F}{R}"),
    ("one|single", "(?:only|just)? ?(?:one|a single|a)(?: of)? <F><R>", "exactly one {F}{R}"),
    ("", r"(?P<Q>\d+) <F><R>", "exactly {Q} {F}{R}"),
    ("sum|total", rf"(?:sum|total)~\(~<V> of <F>(?: per <K>)?~\)(?: per <L>)?{IS}", _bound),
    ("sum|total", rf"(?:sum|total)~\(~<V>~\) of <F>(?: per <K>)?{IS}", _bound),
    ("sum|total", rf"(?:the )?(?:sum|total)(?: of)? <V> of <F>(?: per <K>)?{IS}", _bound),
    ("count|number|sum|size|len|card", r"(?:the )?(?:count|number|sum|size|len|card|countif)(?: of|_of)?~\(?~<F>~\)?"
     rf"(?: per <K>)?{IS}", _bound),
    ("|", rf"\|~<F>~\|(?: per <K>)?{IS}", _bound),
    (" per ", rf"<F> per <K>{IS}", _bound),
    ("<=", rf"(?:exactly )?(?P<A>{NUMBER})~<=~<F>~<=~(?P<B>{NUMBER})<R>", "exactly {A}..{B} {F}{R}"),
    # choices that are taken, excluded, or need each other
    (":-", f":-~(?P<K>(?:not )?{NAME}~\\(.*)", _not_all),
    (":-", r"<I>~:-~(?P<K>[^:]+)", "if {K} then {I}"),
    ("or", r"not <I>~(?:\bor\b|\|\|?)~<J>", "if {I} then {J}"),
    ("and", r"and~\(~<K>~\)", lambda said: _each(Matched(said, M="given"))),
    ("or", r"or~\(~<I>~,~<J>~\)", "if not {I} then {J}"),
    ("not", r"not~\(~<I>~\)", "forbid {I}"),
    ("impl", r"implies~\(~<I>~,~<J>~\)", "if {I} then {J}"),
    ("+", r"<I>~\+~<J>~(?:<=|≤)~1", "if {I} then not {J}"),
    ("+", r"<I>~\+~<J>~(?:>=|≥)~1", "if not {I} then {J}"),
    ("+", r"<I>~\+~<J>~==?~1", "if and only if not {I} then {J}"),
    ("!", r"<I>~!=~<J>", "if and only if not {I} then {J}"),
    ("unless", "unless <I> then <J>", "if not {I} then {J}"),
    ("not|!|~|¬", r"(?:not |!|[~]|¬)~<I><R>", "forbid {I}{R}"),
    ("", r"<I>(?P<R>(?: for .*| where .*|))", "given {I}{R}"),
    ("=|is|:", r"<I>~(?:==?|is|:)~(?:true|yes)", "given {I}"),
    ("=|is|:", r"<I>~(?:==?|is|:)~(?:false|0|no)", "forbid {I}"),
    ("=|is|:", rf"(?!{FUNCTION})<F>~\(~<K>~\)~(?::?==?|is)~<N>", _value),
    ("[", r"<F>~\[~<K>~\](?:~\[~<L>~\])?~(?:==?|:=|is)~<N>", lambda said: "given {F}({K}, {}{N})".replace(
        "{}", "{L}, " if said["L"] else "").format_map(said)),
    ("[", r"<F>~\[~<K>~\]", "given {F}({K})"),
    ("-|=|impl|need|requ", r"<I>~(?:->|=>|→|⇒|⟹|implies|needs|requires|must have)~(?P<J>(?:not )?[^\W\d]\w*~\(.*\))",
     "if {I} then {J}"),
    ("iff|<|⇔|↔|equiv", r"<I>~(?:<->|<=>|↔|⇔|iff|equivalent to)~<J>", "if and only if {I} then {J}"),
    ("excl|forbids|conflict|!=", "<I> (?:excludes|forbids|conflicts with|prevents) <J>", "if {I} then not {J}"),
    ("or", r"(?:either )?<I>~(?:\bor\b|\|\|?)~<J>", "if not {I} then {J}"),
    ("xor", "<I> xor <J>", "if and only if not {I} then {J}"),
    ("and|&|,", CHOICES, lambda said: _each(Matched(said, M="given"))),
    ("if|when", "<I> (?:only )?(?:if|when) <J>", "if {J} then {I}"),
    ("if|when", "(?:if|when|whenever) <A>~(?:then|:|,)~(?:forbid|exclude|no|not) (?P<J>[^\\W\\d]\\w*~\\(.*\\))",
     lambda said: _if(Matched(said, B=f"not {said['J']}"))),
    ("if|when", "(?:if|when|whenever) <A>~(?:then|:|,)~(?:given |take |must |choose )?(?P<B>.+?) ?(?P<T>\"[^\"]*\")?",
     _if),
    ("given|forbid", f"(?P<M>given|forbid) {CHOICES}", _each),
    ("given", r"given <I>~(?:==?|is|:)~(?:true|yes)", "given {I}"),
    ("given", r"given (?:not |!)~<I><R>", "forbid {I}{R}"),
    ("forbid", r"forbid (?:not |!)~<I><R>", "given {I}{R}"),
    ("given", r"given <F>~\(~<K>~\)~(?:==?|:|is|:=)~<N>", "given {F}({K}, {N})"),
    ("given|forbid", r"(?P<M>given|forbid) <F>(?P<K>(?: \w+)+)", lambda said:
        f"{said['M']} {said['F']}({', '.join(said['K'].split())})"),
    ("excl|ban|dis|proh|forb|block|remove|never|impossible", "(?:exclude|ban|disallow|prohibit|forbidden|block|remove|"
     "never|impossible|must not)~:?~<I><R>", "forbid {I}{R}"),
    ("fix|set|requ|known|force|assign|hint|include|take|assume|fact|must|constraint|place",
     "(?:fix|fixed|set|require|known|force|assign|hint|include|take|assume|fact|must|constraint)~:?~<I><R>",
     "given {I}{R}"),
    # goals
    ("min|max", f"{GOAL}(?:the )?(?:total |sum )?(?:number|count|amount)(?: of)? <F>", "{M}imize count of {F}"),
    ("min|max", rf"{GOAL}(?:the )?(?:total|sum)(?: of)?~\(~<V> of <F>~\)", "{M}imize {V} of {F}"),
    ("min|max", f"{GOAL}(?:the )?(?:total|sum)(?: of)? <V> of <F>", "{M}imize {V} of {F}"),
    ("min|max", rf"{GOAL}(?:count|number|size|len|card|sum|total)~\(~<F>~\)", "{M}imize count of {F}"),
    ("min|max", rf"{GOAL}<F>~(?:\([^()]*\))?", "{M}imize count of {F}"),
    ("min|max", f"{GOAL}<V> of <F>", "{M}imize {V} of {F}"),
    # definitions
    ("array", r"array~\[~<K>~\] of var <A>~:~<X>", _array),
    ("var", "var bool~:~<X>", "choose {X}()"),
    ("var", r"var (?P<A>[^:]+?)~:~<X>", "choose {X}(value) for value in {A} exactly one {X}"),
    ("set|int|bool|float|string|array|par", r"(?:par )?(?:set of \w+|int|bool|float|string|array\[[^\]]*\] of \w+)~:"
     "~<X>~=~<N>", "let {X} = {N}"),
    ("enum", r"enum <X>~=?~\{~<K>~\}", "let {X} = {{{K_texts}}}"),
    ("var|dec|bool|bin|pick|sel|cho|opt|dvar|let", "(?:(?:var|variables?|decide|decision|bool|boolean|binary|pick|"
     r"select|choices?|option|dvar|choose (?:one|any|some)|let) )+<F>~\(~<K>~\)<R>", "choose {F}({K}){R}"),
    ("=", r"(?:def|function|func|fun|fn|define|let) <F>~\(~<K>~\)~(?:->~\w+~)?(?::=|=>|->|=|:|\{)~(?:return )?<N>",
     "let {F}({K}) = {N}"),
    (":", r"(?:def|function|func|fun|fn|define) <F>~\(~<K>~\)~(?:->~\w+~)?:~(?:return )?<N>", "let {F}({K}) = {N}"),
    ("lambda", "(?:let )?<F>~:?=~lambda <K>~:~<N>", "let {F}({K}) = {N}"),
    ("let", "let <F> <X>~:?=~<N>", lambda said: "" if said["F"] in TYPES else "let {F}({X}) = {N}".format_map(said)),
    ("param|input|arg", r"(?:param|parameters?|input|arg|argument)~<X>~(?::| in )~(?P<A>[^=]*\.\.[^=]*|\{.*\})~:?=~<N>",
     "param {X} = {N} where {X} in {A}"),
    ("param|input|arg", r"(?:param|parameters?|input|arg|argument)~:?~<X>(?:~:~\w+)?~(?::?=|is|be|:)~<N>",
     "param {X} = {N}"),
    ("param", "param <X> (?P<N>[^=]+)", "param {X} = {N}"),
    ("=|is|be|:|equal", "(?:(?:let|const|constant|var|def|set|val|define|int|integer|number|bool|string|float|final) )*"
     "<X>(?:~:~\\w+)?~(?::=|==?|<-|←|\\b(?:is|be|equals?)\\b)~<N>", "let {X} = {N}"),
    ("let", "let <X> (?P<N>[^=:]+)", "let {X} = {N}"),
    ("let|param", rf"(?P<M>let|param) <X>~=~(?!\d+(?:,\d{{3}})+$)(?P<K>(?:\w+(?:\.\.\w+)?|{QUOTED})"
     rf"(?:~,~(?:\w+(?:\.\.\w+)?|{QUOTED}))+)", "{M} {X} = {{{K_texts}}}"),
    ("for", "let <X>~=~(?P<V>[^=]+?) for <K>", "let {X} = [{V} for {K}]"),
    (".", r"<X>~\(~(?P<A>\w+\.\.\w+)~\)", "let {X} = {A}"),
    (";", r"<X>~\(~(?P<K>\w+(?:~;~\w+)+)~\)", lambda said: "let {X} = {{{K_texts}}}".format_map(
        Matched(said, K=said["K"].replace(";", ",")))),
    # where things stand
    ("cells|values", r"(?P<M>cells|values) <X> in (?P<K>\w+(?:~,~\w+)+)", "{M} {X} in {{{K_texts}}}"),
    ("cells|values", r"(?P<M>cells|values) <F>~,~<G> in <A>~,~<B>", "{M} {F} in {A}, {G} in {B}"),
    ("cells|values", r"(?P<M>cells|values)~:?~(?P<K>(?:(?! in )[^=:])+?)~(?:=|:|\b(?:of|from|are|be|over)\b|∈)~"
     r"(?P<N>[^ ].*)", "{M} {K} in {N}"),
    ("in", "(?:rows?|columns?|index|indices|cell|squares?|positions?|for) <K> in <N>", "cells {K} in {N}"),
    ("choose", r"choose <F>~\(~<K>~\)", _chosen),
    ("choose", r"choose <F>~\(~<K>~\) where (?P<L>[^=<>]+ in [^=<>]+)", "choose {F}({K}) for {L}"),
    ("choose", r"choose <F>~\[~<K>~\]<R>", "choose {F}({K}){R}"),
    ("choose", r"choose <F>~\(~<K>~\)~(?:in|:|from|of|over)~<N>", "choose {F}({K}) for {K} in {N}"),
    ("choose", r"choose <F>~\(~<K>~\) (?P<L>[^\W\d]\w*(?:~,~\w+)*) in <N>", "choose {F}({K}) for {L} in {N}"),
    ("choose", r"choose <F>~\(~<K>~\) for all <L>", "choose {F}({K}) for {L}"),
    ("choose", r"choose (?:one|any|some|a) <F>~\(~<K>~\)<R>", "choose {F}({K}){R}"),
    ("choose", r"choose <F>(?P<K>(?: [^\W\d]\w*)+)", lambda said:
        f"choose {said['F']}({', '.join(said['K'].split())})"),
    # what is shown and promised
    ("print|output|display|draw|write|vis|plot",
     "(?:print|output|display|draw|write|visuali[sz]e|plot) <V> of <F><R>", "show {V} of {F}{R}"),
    ("show", "show <K> at <L> of <F>", "show {K} of {F} at {L}"),
    ("show", "show <K> (?:for|from) <F> at <L>", "show {K} of {F} at {L}"),
    ("show", "show <K> of <F> (?:in|on) <L>", "show {K} of {F} at {L}"),
    ("expect", "expect unique <R>", "expect unique"),
    ("expect", "expect unique (?:solution|answer)s?", "expect unique"),
    ("expect", "expect (?:solutions|answers|count|number|exactly)~[:=]?~(?P<Q>\\w+)(?: solutions?| answers?)?",
     lambda said: f"expect {said['Q']} solution{'s' * (said['Q'] not in ('1', 'one'))}"),
    ("expect", "expect~(?:==?)?~1", "expect 1 solution"),
    ("expect", r"expect~(?:==?)?~(?P<Q>\d+)", "expect {Q} solutions"),
    ("expect", "expect (?:none|nothing|no|unsat|unsatisfiable|impossible|zero solutions)", "expect no solution"),
    ("title|name", "(?:title|name)~[:=]~<T>", "title {T}"),
    ("title", r"title~[:=]?~(?P<K>[\w '.,!-]+)", lambda said: "title \"" + said["K"].strip(" '") + "\""),
    ("use|import|include|from", r"(?:use|import|include|from)~[\"'<(]?~(?P<K>[\w/.-]+)~[\"'>)]?(?: import .*)?",
     lambda said: f'use "{said["K"].removesuffix(".cover")}"'),
    ("solve|find|count|begin|end|run|go|return|stop|pass", "(?:solve(?: satisfy)?|solve for .*|(?:find|count|show|list)"
     "(?: all| the)? (?:solutions?|answers?)|begin|end|run|go|return|stop|pass)", ""),
)  # fmt: skip
# A part of a line.
WITHIN: tuple[Row, ...] = (
    ('"', r"\b(?P<F>list|table|csv|grid|area|pieces|solids|text)~(?:\((?P<K>[^()]*)\))?~<T>", lambda said:
        f"{said['F']}({said['K']}{', ' * bool(said['K'])}{said['T']})"),
    ("'", r"'(?P<A>[^'\"\n]*)'", '"{A}"'),
    ("“|”|‘|«|„", r"[“”„«‘](?P<A>[^“”‘’»\"\n]*)[”“»’]", '"{A}"'),
    (" to |...|through|until|till|thru|…", rf"(?:\bin )?\bfrom (?P<A>{NUMBER})~(?: to | through | until | till | "
     rf"thru |\.\.\.|…)~(?P<B>{NUMBER})", "in {A}..{B}"),
    (" to |...|through|until|till|thru|…", rf"\b(?!up\b)(?P<A>{NUMBER})~"
     rf"(?: to | through | until | till | thru |\.\.\.|…)~(?P<B>{NUMBER})", "{A}..{B}"),
    (":", rf"(?<=in )(?P<A>{NUMBER})~:~(?P<B>{NUMBER})", "{A}..{B}"),
    ("between", rf"\b(?P<C>\w+) (?:is )?between (?P<A>{NUMBER}) and (?P<B>{NUMBER})", "{A} <= {C} <= {B}"),
    ("even", r"\b(?P<A>\w+) is even\b", "{A} mod 2 = 0"),
    ("odd", r"\b(?P<A>\w+) is odd\b", "{A} mod 2 = 1"),
    ("between", rf"between (?P<A>{NUMBER}) and (?P<B>{NUMBER})", "exactly {A}..{B}"),
    ("at least", rf"(?:at least|no (?:less|fewer) than) (?P<A>{NUMBER})~(?:,|and|but)~(?:and |but )?(?:at most|no more "
     rf"than) (?P<B>{NUMBER})", "exactly {A}..{B}"),
    ("more|over|greater", "(?:no|not|never) (?:more|greater) than|not over", "at most"),
    ("less|fewer|under", "(?:no|not|never) (?:less|fewer) than|not under", "at least"),
    ("less|fewer|under", "(?:less|fewer) than <Q>", "at most {Q_less}"),
    ("more|over|greater", "(?:more|greater) than <Q>", "at least {Q_more}"),
    ("max|up to", r"(?:a )?max(?:imum)?(?: of)? (?P<Q>\d+|one)", "at most {Q}"),
    ("up to", r"up to (?P<Q>\d+|one)", "at most {Q}"),
    ("min", r"(?:a )?min(?:imum)?(?: of)? (?P<Q>\d+|one)", "at least {Q}"),
    ("only|just|precisely|equal", "(?:only|just|precisely|exactly only|always) (?P<Q>\\d+|one)", "exactly {Q}"),
    ("sum|total", rf"{WANTS}(?:the |in )?(?:sum|total)(?: of)?~\(?~<V>~\)? (?:of|for|in|over) <F>",
     "total {V} of {F}"),
    ("of", rf"{WANTS}(?:<X> )?of (?:the |all |its )?<F>", "{F}"),
    ("(", rf"{WANTS}<F>~\((?P<K>[^()=<>]*)\)", "{F}"),
    ("each|every|any|all", r"(?:for|in|on|by|per|over|within|at|from|to|inside|along|across)? ?\b"
     r"(?:each|every|any|all)(?!\w)", "per"),
    ("each|every|any|all", r"\bfor (?:each|every|any|all)(?!\w)", "for"),
    ("in|on|by|over|within|inside|across|for|along", r"\b(?:in|on|by|over|within|inside|across|along|for)(?= )", "per"),
    ("such|s.t|so that|provided|when|with|if|having|whose", "(?:such that|s[.]t[.]|so that|provided(?: that)?|"
     "whenever|when|having|with|only if)(?= )", "where"),
    ("unless|except", "(?:unless|except(?: when| if| where)?) (?P<C>[^\"]+?)(?= \"|$)", "where not ({C})"),
    ("where", r"(?P<A>[\w)\]}]+)~,~where\b", "{A} where"),
    ("where", r"where (?P<C>[^\"]+?) (?P<K>per [^\"]+?)(?=~\"|$)", "{K} where {C}"),
    ("where", r"where (?P<C>[^\"]+?) (?P<K>for [^\"]+?)(?=~\"|$)", "{K} where {C}"),
    ("where", r"where (?P<K>[^\"]+?,[^\"]+?)(?=~\"|~[}\])]|$)", _conditions),
    ("where|and|if", r"(?P<O>\b(?:where|and|if) )(?P<A>\w+) in (?P<K>\w+(?:~,~\w+)+)(?=~\"|$)", "{A} in {{{K}}}"),
    (" per ", r"(?P<O>\bper )(?P<A>[^\"]+?) per (?P<B>[^\"]+?)(?= where |~\"|$)", "{A}, {B}"),
    (" for ", r"(?P<O>\bfor )(?P<A>[^\"]+? in [^\"]+?) for (?P<B>[^\"]+?)(?= where |~[\"}\])]|$)", "{A}, {B}"),
    ("and|,", r"(?P<A>[\w)\]}]+)~(?:,|\band\b)~(?P<M>exactly|at least|at most) ", "{A} {M} "),
    (";", r"~;(?=~(?:let|param|cells|values|choose|exactly|at least|at most|given|forbid|minimize|maximize)\b)", ""),
    ('"', '(?:label|labelled|labeled|as|called|named|name|message)~:?~<T>', "{T}"),
    ('"', '(?P<A>[\\w)\\]}]+)~(?::|--|,)~<T>', "{A} {T}"),
    ('"', r"\(~<T>~\)", "{T}"),
    (":", r"\b(?P<M>exactly one|cells|values|choose|given|forbid|title|show|minimize|maximize|expect|let|param)~:(?!=)",
     "{M}"),
    (":=|<-|←", ":=|<-|←", "="),
    # expressions
    ("²|³", "²", "^2"),
    ("²|³", "³", "^3"),
    ("?", r"(?P<O>[=(,\[{] ?|where |then |else )<A>~\?~<B>~:~<C>", "if {A} then {B} else {C}"),
    ("else", r"(?P<O>[=(,\[{] ?|where |then |else )<A> if <C> else <B>", "if {C} then {A} else {B}"),
    ("any|exists|some", r"\b(?:any|exists|some)~\(~<C> for <K>~\)", "some({K} where {C})"),
    ("all|forall|every", r"\b(?:all|forall|every)~\(~<C> for <K>~\)", "no({K} where not ({C}))"),
    ("some |exists |there is ", rf"\b(?:some|exists|there (?:exists|is)) {ASKED}", "some({K} where {C})"),
    ("no ", rf"\bno {ASKED}", "no({K} where {C})"),
    ("sum|min|max", r"\b(?P<F>sum|min|max)~\(~<K>~\)~\(~<V>~\)", "{F}([{V} for {K}])"),
    ("exists", r"\bexists~\(~<K>~\)~\(~<C>~\)", "some({K} where {C})"),
    ("forall", r"\bforall~\(~<K>~\)~\(~<C>~\)", "no({K} where not ({C}))"),
    ("for", rf"\b(?P<F>{NAME})~\(~(?P<V>{ONE}+?) for <K>~\)", "{F}([{V} for {K}])"),
    ("for", r"\(~(?P<V>[^()]+?) for <K>~\)", "{{{V} for {K}}}"),
    ("[|{", r"(?P<D>[\[{])~<V>~(?:\||:|;|∣)~(?P<K>[^\W\d][^|:]* in [^|:]+?)~(?P<P>[\]}])", "{D}{V} for {K}{P}"),
    ("where", r"(?P<D>[\[{])~<X> in <A> where <C>~(?P<P>[\]}])", "{D}{X} for {X} in {A} where {C}{P}"),
    ("for", r"(?P<D>[\[{])~for <K>~[:,]~(?P<V>[^,:]+?)~(?P<P>[\]}])", "{D}{V} for {K}{P}"),
    ("for", r"\bfor (?P<K>[^\W\d]\w*(?:~,~\w+)*)~(?:=|:|\bof\b|\bfrom\b|\bover\b|∈)~", "for {K} in "),
    ("where|if", r"\bfor (?P<K>[^=]+ in [^=]+?)~(?:,|if|when|with)~(?P<C>[^,]*[=<>][^,]*?)(?=[\]})]|$)",
     "for {K} where {C}"),
    ("|", r"\|~(?P<A>[^|\"]*?[-+][^|\"]*?)~\|", "abs({A})"),
    ("|", r"\|~(?P<A>[\w(){}\[\],. ]+?)~\|", "size({A})"),
    ("mod|div", r"\b(?P<M>mod|div)~\(~<A>~,~<B>~\)", "({A} {M} {B})"),
    (",", r"(?<![\w.])(?P<A>\d{1,3}(?:,\d{3})+)(?![\w.])", lambda said: said["A"].replace(",", "")),
    ("abs|size|len|sum|min|max|sorted|neighbours|cells", r"\b(?P<F>abs|size|sum|min|max|sorted|neighbours|cells)"
     r" (?:of )?(?P<A>\w+|\[[^\[\]]*\]|\{[^{}]*\}|\([^()]*,[^()]*\))", "{F}({A})"),
    ("file|table|csv|grid|list|area|text", r"\b(?P<F>file|table|csv) (?P<A>[\w/-]+\.\w+)", lambda said: (
        f'file("{said["A"]}")' if said["F"] == "file" else f'{said["F"]}(file("{said["A"]}"))')),
    ("equal|is|differ|≡", r"(?: is)? (?:not equal to|different from|not the same as|unequal to)| differs from"
     r"| is not(?! in)", " !="),
    ("=", r"=/=|=\\=|/=|\\=|!==|≢", "!="),
    ("equal|is|same|===", r"(?: is)? (?:equal to|equals|the same as)| is(?! in| one)", " ="),
    ("is|one of|belongs|member", " (?:is in|is one of|belongs to|is a member of)", " in"),
    ("not", r"\bnot a\b", "not"),
    ("==", "={2,3}", "="),
    ("--", "^~--~(?P<A>.*)$", "# {A}"),
    ("--", "~--~(?P<A>.*)$", " # {A}"),
    ("//", r"//(?=~[\d(])", "div"),
    ("//", r"//+~(?P<A>.*)$", "# {A}"),
    ("/*", r"/\*~(?P<A>.*?)~(?:\*/|$)", "# {A}"),
    ("%", r"^~%~(?P<A>.*)$", "# {A}"),
    (".", r"\.$", ""),
)  # fmt: skip
# A call of a function that covr does not have.
CALLS: tuple[Row, ...] = (
    ("range", r"range~\(~<A>~\)", "0..{A_less}"),
    ("range", r"range~\(~<A>~,~<B>~\)", "{A}..{B_less}"),
    ("len|count|card|num|size", r"(?:len|length|count|card|cardinality|size_?of|numel|size|counta)~\(~<A>~\)",
     "size({A})"),
    ("set|distinct|unique", r"(?:set|frozenset|to_?set|distinct|unique|array2set)~\(~\[(?P<K>.*)\]~\)", "{{{K}}}"),
    ("set|distinct|unique", r"(?:set|frozenset|to_?set|distinct|unique|array2set)~\(~<A>~\)",
     "{{x for x in {A}}}"),
    ("tuple", r"tuple~\(~\[(?P<K>.*)\]~\)", "({K})"),
    ("product|cross|cartesian", r"(?:product|cross|cartesian|cartesian_?product)~\(~<A>~,~<B>~\)",
     "{{(a, b) for a in {A}, b in {B}}}"),
    ("comb|choose|subset", r"(?:combinations?|comb|choose|subset)~\(~<A>~,~<B>~\)", "subsets({A}, {B})"),
    ("neigh|adj", r"(?:neighbors?|neighbour|neighbourhood|neighborhood|adjacent|adj|adjacents)~\(~<K>~\)",
     "neighbours({K})"),
    ("sort", r"(?:sort|order|ordered)~\(~<A>~\)", "sorted({A})"),
    ("pow|exp", r"(?:pow|power)~\(~<A>~,~<B>~\)", "{A} ^ {B}"),
    ("union", r"union~\(~<A>~,~<B>~\)", "{A} | {B}"),
    ("inters", r"(?:intersection|intersect)~\(~<A>~,~<B>~\)", "{A} & {B}"),
    ("diff|minus", r"(?:difference|diff|setminus|minus)~\(~<A>~,~<B>~\)", "{A} - {B}"),
    ("contain|has|includes", r"(?:contains|has|includes)~\(~<A>~,~<B>~\)", "{B} in {A}"),
    ("member|elem|isin", r"(?:member|elem|is_?in|element)~\(~<A>~,~<B>~\)", "{A} in {B}"),
    ("even", r"(?:is_?)?even~\(~<A>~\)", "({A}) mod 2 = 0"),
    ("odd", r"(?:is_?)?odd~\(~<A>~\)", "({A}) mod 2 = 1"),
    ("if", r"(?:if|iif|ifelse|if_?then_?else|cond)~\(~<A>~,~<B>~,~<C>~\)", "if {A} then {B} else {C}"),
    ("and", r"and~\(~<A>~,~<B>~\)", "{A} and {B}"),
    ("or", r"or~\(~<A>~,~<B>~\)", "{A} or {B}"),
    ("not", r"not~\(~<A>~\)", "not ({A})"),
    ("mod|rem", r"(?:mod|rem|modulo)~\(~<A>~,~<B>~\)", "({A}) mod ({B})"),
    ("quot|div", r"(?:quotient|div|intdiv|floordiv)~\(~<A>~,~<B>~\)", "({A}) div ({B})"),
    ("sum|min|max|abs", r"(?P<F>sum|min|max|abs|size|sorted|box|file)~\(~<K>~\)", lambda said:
        f"{said['F'].lower()}({said['K']})" if said["F"] != said["F"].lower() else ""),
    ("abs", r"(?:fabs|absolute)~\(~<A>~\)", "abs({A})"),
    ("floor|round|ceil|int|trunc", r"(?:floor|round|ceil|ceiling|int|trunc|integer)~\(~<A>~\)", "{A}"),
    ("enumerate", r"enumerate~\(~<A>~\)", "[(i, {A}[i]) for i in 1..size({A})]"),
    ("zip", r"zip~\(~<A>~,~<B>~\)", "[({A}[i], {B}[i]) for i in 1..size({A})]"),
    ("rev", r"(?:reversed?|rev)~\(~<A>~\)", "[{A}[size({A}) + 1 - i] for i in 1..size({A})]"),
    ("first|head", r"(?:first|head)~\(~<A>~\)", "{A}[1]"),
    ("last", r"last~\(~<A>~\)", "{A}[size({A})]"),
    ("disjoint", r"(?:is_?)?disjoint~\(~<A>~,~<B>~\)", "size({A} & {B}) = 0"),
    ("concat|append|join", r"(?:concat|append|concatenate)~\(~<A>~,~<B>~\)", "{A} + {B}"),
    ("dist|manh", r"(?:dist|distance|manhattan)~\(~<A>~,~<B>~\)", "abs({A}[1] - {B}[1]) + abs({A}[2] - {B}[2])"),
)  # fmt: skip
# Around a name that nothing defines.
AROUND: tuple[Row, ...] = (
    ("|", r"(?P<D>[\[{])~<X>~(?:\||:)~(?P<K>[^\W\d][^|:]* in [^|:]+?)~(?P<P>[\]}])", "{D}{X} for {K}{P}"),
    (":", r"(?P<D>[\[{])~<X>~:~(?P<K>[^\W\d][^|:]* in [^|:]+?)~(?P<P>[\]}])", "{D}{X} for {K}{P}"),
    (" in ", r"(?P<D>[\[{])~<X> in <A>~(?:\||:)~<C>~(?P<P>[\]}])", "{D}{X} for {X} in {A} where {C}{P}"),
    (" and ", rf"(?<=in )(?P<A>[^ ]+) and (?P<B>{NAME} in [^,]+)", "{A}, {B}"),
    ("number|amount|many", "(?:the )?(?:number|amount|how many)(?= of)", "count"),
    ("--", "^~--~(?P<A>.*)$", "# {A}"),
    ("--", "~--~(?P<A>.*)$", " # {A}"),
    ("=", rf"\{{~(?P<K>{NAME}~=~[^={{}}]+(?:,~{NAME}~=~[^={{}}]+)*)~\}}", lambda said: "{" + ", ".join(
        '"{}": {}'.format(*map(str.strip, part.split("=", 1))) for part in split(said["K"])) + "}"),
    (".", r"(?<=file\()(?P<A>[\w/-]+\.\w+)(?=\))", '"{A}"'),
    (".csv|.txt|.tsv|.xlsx|.ods", r"(?<=\()(?P<A>[\w/-]+\.(?:csv|txt|tsv|xlsx|ods))(?=\))", 'file("{A}")'),
)  # fmt: skip
# Around a fault of evaluation, by its code.
MET: dict[str, tuple[Row, ...]] = {
    "E202": (
        ("or", rf"(?P<O>(?:exactly|at least|at most) )(?P<A>{NUMBER}) or (?P<B>{NUMBER})(?= )", "{{{A}, {B}}}"),
        ("or", rf"(?P<O>\b(?:where|and|if|assert) )(?P<A>[^=<>\"]+?)~=~(?P<B>{NUMBER}) or (?P<C>{NUMBER})",
         "{A} in {{{B}, {C}}}"),
    ),
    "E204": (("[", rf"(?P<A>{NAME}~\[[^\[\]]*)\]~\[(?P<B>[^\[\]]*)\]", "{A}, {B}]"),),
    "E205": ((".", r"(?P<A>[\w\[{(][\w\[\]{}(), ]*?)\.(?:size|length|len|count)(?:\(\))?", "size({A})"),),
    "E206": (("sum|total", r"\b(?:sum|total)~\(~<V>~\)(?= of )", "{V}"),),
    "E209": (("-", r"(?P<A>\d+)~-~(?P<B>\d+)", _upwards),),
    "E411": (("-", r"(?P<A>\d+)~-~(?P<B>\d+)", _upwards),),
}  # fmt: skip
WORDS = {"True": "true", "TRUE": "true", "False": "false", "FALSE": "false"}


@cache
def pattern(said: str) -> re.Pattern[str]:
    """What is written in a row, as a regular expression. Each is compiled when its words are met."""
    pieces = re.split(r"(?<!P)<([A-Z])>", said)
    for at, piece in enumerate(pieces):
        pieces[at] = f"(?P<{piece}>{PARTS[piece]})" if at % 2 else NOTATION.sub(_noted, piece)
    return re.compile("".join(pieces), re.IGNORECASE)


NOTATION = re.compile(r"\(\?<[=!][^)]*\)|\[(?:\\.|[^\]\\]){0,99}\]|\\.| \??|~")  # a look back, a class of signs, …


def _noted(found: re.Match[str]) -> str:
    return {" ": r"[ \t]+", " ?": r"[ \t]*", "~": r"[ \t]*"}.get(found[0], found[0])


def forms(text: str, rows: Sequence[Row], whole: bool = False) -> Iterator[tuple[int, int, str]]:
    """Where a text is written as others write, and what covr writes there: begin, end and the new text. whole: whether
    the form must be the whole text."""
    small = text.lower()
    for words, said, write in rows if len(text) <= LONGEST else ():
        if not any(word in small for word in words.split("|")):
            continue
        expression = pattern(said)
        for found in filter(None, [expression.fullmatch(text)] if whole else expression.finditer(text)):
            parts = Matched((k, v if k in "RO" else v.strip()) for k, v in found.groupdict("").items())
            new = write.format_map(parts) if isinstance(write, str) else write(parts)
            if new or not write:
                start, end = found.span("O")[1] if parts["O"] else found.start(), found.end()
                while new[:1] in BLANKS and text[start] in BLANKS:
                    start, new = start + 1, new[1:]
                while new[-1:] in BLANKS and text[end - 1] in BLANKS:
                    end, new = end - 1, new[:-1]
                yield start, end, new


def written_around(span: Span, rows: Sequence[Row]) -> tuple[Span, str] | None:
    """The first of these forms that a place lies in: where it is, and what covr writes instead."""
    source, start = span.source, span.start
    begin = source.text.rfind("\n", 0, start) + 1
    line = source.text[begin : (source.text + "\n").find("\n", start)]
    for left, right, text in forms(line, rows):
        if begin + left <= span.end and start <= begin + right:
            return Span(source, begin + left, begin + right), text
    return None


def mended(fault: Diagnostic) -> Diagnostic:
    """A fault of evaluation, with what covr writes where it lies in a form that others write."""
    found = written_around(fault.span, MET[fault.code]) if fault.code in MET and fault.span is not None else None
    return fault if found is None else evolve(fault, span=found[0], help=f"write `{found[1]}`")
