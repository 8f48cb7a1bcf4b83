"""How the lines of a file hold grids: which run or field of a line is the puzzle, and which is its solution."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from attrs import evolve

from covr.compiler.grids.inline import BEHIND, PLACES, RUN, SPACES, Inline, fields_of, run_of
from covr.compiler.grids.places import Numbered, places_in

MAY_BE_BLANK = frozenset(".0_*-?xX ")
TITLE = re.compile(r"[A-Za-z]{2}")
PUZZLE = re.compile(r"puzzle|quiz|grid|clue|given|board|problem|question|unsolved|initial|start", re.IGNORECASE)
SOLUTION = re.compile(r"solution|solved|answer|result", re.IGNORECASE)
SEPARATORS = "\t,;:| "  # what may separate fields; a space means any number of spaces
MOST_WRONG = 0.1  # the largest part of the solutions in a file that may disagree with their puzzles


def decide_inline(sample: Sequence[Numbered], rows: int, columns: int, column: str | None) -> tuple[Inline, int] | None:
    """How lines hold grids, and how many of the lines hold one; None if none does. column: the name or number of the
    field that is wanted, or None. Symbols are found later."""
    size = rows * columns
    filled = [(number, BEHIND.sub("", line) if "#" in line else line) for number, line in sample if line.strip()]
    header = _header(filled, size)
    body = [pair for pair in filled if pair[0] != header]
    if column is not None:
        return _asked(filled, rows, columns, column)
    run = run_of(size)
    found = [(line, [m[0] for m in run.finditer(line)]) for _, line in body]
    alone = [line for _, line in body if len(line.strip()) == size and len(line.split()) == 1]
    fitting = [(line, runs) for line, runs in found if runs]
    if fitting or alone:
        shape = Inline(rows, columns, RUN, header=header)
        if fitting:
            shape = _with_columns(shape, fitting, filled, header)
        return shape, max(len(fitting), len(alone))
    as_places = sum(_has_places(line, size) for _, line in body)
    if as_places:
        return Inline(rows, columns, PLACES, header=header), as_places
    return _with_spaces(body, rows, columns, header)


def _header(filled: Sequence[Numbered], size: int) -> int:
    """The number of the first line if it holds words or a count and the second line holds a grid; otherwise 0."""
    if len(filled) < 2 or not (TITLE.search(filled[0][1]) or filled[0][1].strip().isdecimal()):
        return 0
    run = run_of(size)
    fits = [bool(run.search(line)) or len(line.strip()) == size or _has_places(line, size) for _, line in filled[:2]]
    second = fits[1] or any(len(part) == size for s in ",;\t" for part, _ in fields_of(filled[1][1], s))
    return filled[0][0] if not fits[0] and second else 0


def _has_places(line: str, size: int) -> bool:
    return places_in(line, size) is not None and not _is_text(line)


def _is_text(line: str) -> bool:
    """Whether a line that has as many characters as a grid has places is a sentence instead."""
    return len(re.findall(r"[A-Za-z]{3}", line)) > 1 and " " in line.strip()


def _with_columns(
    shape: Inline, fitting: list[tuple[str, list[str]]], filled: Sequence[Numbered], header: int
) -> Inline:
    """Find out which of several runs is the puzzle and which the solution, and what the other fields are."""
    count = Counter(len(runs) for _, runs in fitting).most_common(1)[0][0]
    columns = list(zip(*(runs for _, runs in fitting if len(runs) == count), strict=True))
    line = next(line for line, runs in fitting if len(runs) == count)
    separator = separator_of(line, columns[0][0])
    names = [name.strip().strip("\ufeff") for name, _ in fields_of(dict(filled)[header], separator)] if header else []
    at = _fields_of_runs(line, separator, [runs[0] for runs in columns])
    titles = [names[k] if 0 <= k < len(names) else "" for k in at]
    signs = [_blank_of(texts) for texts in columns]
    blank = [sum(sign in text for text in texts) if sign else 0 for sign, texts in zip(signs, columns, strict=True)]
    called = [PUZZLE.search(title) is not None and SOLUTION.search(title) is None for title in titles]
    pick = max(range(count), key=lambda k: (called[k], blank[k], -k))
    others = [k for k in range(count) if k != pick]
    named = [k for k in others if SOLUTION.search(titles[k])]
    agreeing = [k for k in others if _agree(columns[pick], columns[k], signs[pick])]
    solution = next(iter(named or agreeing), None)
    left = [k for k in others if k != solution]
    doubt = ""
    if left and not titles[pick]:
        doubt = f"field {at[pick] + 1} is taken; FILE:{at[left[0]] + 1} takes field {at[left[0]] + 1}"
    known = {} if solution is None else {at[solution]: "solution"}
    words = _field_words(line, separator, names, {**known, at[pick]: "puzzle"})
    return evolve(shape, pick=pick, solution=solution, fields=words, doubt=doubt)


def _blank_of(texts: Sequence[str]) -> str:
    """The character that is most likely a blank in some grids; empty if there seems to be none."""
    seen = Counter("".join(texts))
    return max(sorted(MAY_BE_BLANK & seen.keys()), key=lambda char: seen[char], default="")


def _agree(puzzles: Sequence[str], solutions: Sequence[str], blank: str) -> bool:
    """Whether nearly all solutions agree with their puzzles and have no blanks."""
    if not blank or any(blank in solution for solution in solutions):
        return False
    wrong = sum(
        any(a != b for a, b in zip(p, s, strict=True) if a != blank) for p, s in zip(puzzles, solutions, strict=True)
    )
    return wrong <= MOST_WRONG * len(puzzles)


def separator_of(line: str, run: str) -> str:
    """The separator of the fields of a line: the one that stands beside its grid."""
    at = line.index(run)
    beside = line[at + len(run) :].lstrip(" \"'")[:1] + line[:at].rstrip(" \"'")[-1:]
    if "\t" in line[at + len(run) :][:1] + line[:at][-1:]:
        return "\t"
    return next((char for char in beside if char in ",;:|"), " ")


def _fields_of_runs(line: str, separator: str, runs: Sequence[str]) -> list[int]:
    """The numbers of the fields in which the runs stand, in order."""
    found, at = [], 0
    parts = fields_of(line, separator)
    for run in runs:
        k = next((k for k in range(at, len(parts)) if run in parts[k][0]), at)
        found.append(k)
        at = k + 1
    return found


def _field_words(line: str, separator: str, names: Sequence[str], known: dict[int, str]) -> tuple[str, ...]:
    """A word for each field of a line: its name, or what it contains."""
    said = []
    for k, (part, _) in enumerate(fields_of(line, separator)):
        if k < len(names) and names[k]:
            name = names[k][:20]
            said.append(name if k not in known or known[k] == name.lower() else f"{name} ({known[k]})")
        elif k in known:
            said.append(known[k])
        elif part.strip():
            said.append("number" if re.fullmatch(r"[-+]?[\d.]+", part.strip()) else "text")
    return tuple(said)


def _asked(filled: Sequence[Numbered], rows: int, columns: int, column: str) -> tuple[Inline, int] | None:
    """The layout for the field with that name or number, if the file has such a field and it holds grids."""
    for separator in SEPARATORS:
        names = [text.strip() for text, _ in fields_of(filled[0][1], separator)] if filled else []
        lowered = [name.lower() for name in names]
        if column.lower() in lowered:
            k, header = lowered.index(column.lower()), filled[0][0]
        elif column.isdecimal() and int(column) >= 1:
            k, header = int(column) - 1, _header(filled, rows * columns)
        else:
            continue
        body = [line for number, line in filled if number != header]
        for kind in (RUN, SPACES):
            shape = Inline(rows, columns, kind, asked=(separator, k), header=header)
            fits = sum(shape.places(line) is not None for line in body)
            if fits:
                words = _field_words(body[0], separator, names if header else (), {k: "puzzle"})
                return evolve(shape, fields=words), fits
    return None


def _with_spaces(body: Sequence[Numbered], rows: int, columns: int, header: int) -> tuple[Inline, int] | None:
    """The layout if lines, or fields, have exactly as many characters as the grid has places, spaces included."""
    size = rows * columns
    plain = re.compile("[0-9A-Za-z ]+")
    whole = [line for _, line in body if len(line) == size and plain.fullmatch(line) and not _is_text(line)]
    if whole:
        return Inline(rows, columns, SPACES, header=header), len(whole)
    for separator in (",", ";", "\t"):
        for k in range(max((len(fields_of(line, separator)) for _, line in body[:1]), default=0)):
            parts = [fields_of(line, separator) for _, line in body]
            fits = sum(k < len(p) and len(p[k][0]) == size and " " in p[k][0] and not _is_text(p[k][0]) for p in parts)
            if fits:
                words = _field_words(body[0][1], separator, (), {k: "puzzle"})
                return Inline(rows, columns, SPACES, asked=(separator, k), header=header, fields=words), fits
    return None
