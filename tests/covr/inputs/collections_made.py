"""Collections of sudokus in every shape that people publish them in, made from puzzles that are made here.

A puzzle blanks every 1 of a grid and its whole first row: each other row misses one digit, and then each column one, so
that its solution is unique. Among its rows are one that is all blank and full ones but for a place.
"""

from __future__ import annotations

import gzip
import lzma
import random
from collections.abc import Callable, Sequence

from attrs import frozen

BLANK = "."


@frozen
class Made:
    """A puzzle and its solution, row by row; a place is a number, 0 for a blank. side: 9, 16 or 25."""

    puzzle: tuple[int, ...]
    solution: tuple[int, ...]

    @property
    def side(self) -> int:
        return int(len(self.puzzle) ** 0.5)

    def text(self, blank: str = BLANK) -> str:
        return "".join(str(n) if n else blank for n in self.puzzle)

    def rows(self, blank: str = BLANK) -> list[str]:
        return wrap_exactly(self.text(blank), self.side)

    @property
    def answer(self) -> str:
        return "".join(map(str, self.solution))


def wrap_exactly(text: str, width: int) -> list[str]:
    return [text[k : k + width] for k in range(0, len(text), width)]


def made(seed: int, box: int = 3) -> Made:
    rng = random.Random(seed)
    side = box * box
    digits = rng.sample(range(1, side + 1), side)
    rows = [band * box + r for band in rng.sample(range(box), box) for r in rng.sample(range(box), box)]
    columns = [stack * box + c for stack in rng.sample(range(box), box) for c in rng.sample(range(box), box)]
    grid = [digits[(box * (r % box) + r // box + c) % side] for r in rows for c in columns]
    puzzle = [0 if k < side or n == 1 else n for k, n in enumerate(grid)]
    return Made(tuple(puzzle), tuple(grid))


def some(count: int, box: int = 3) -> list[Made]:
    return [made(seed, box) for seed in range(count)]


# --- a puzzle a line ---


def lines(blank: str) -> Callable[[Sequence[Made]], str]:
    return lambda puzzles: "".join(p.text(blank) + "\n" for p in puzzles)


def each(template: str) -> Callable[[Sequence[Made]], str]:
    """A line a puzzle: {p} is it, {z} with zeros, {s} the solution, {n} its number."""
    return lambda puzzles: "".join(
        template.format(p=p.text(), z=p.text("0"), s=p.answer, n=n, h=f"{n:x}f00baa7{n:04x}")
        for n, p in enumerate(puzzles, 1)
    )


def headed(header: str, template: str) -> Callable[[Sequence[Made]], str]:
    return lambda puzzles: header + each(template)(puzzles)


def tokens(separator: str, blank: str) -> Callable[[Sequence[Made]], str]:
    return lambda puzzles: "".join(separator.join(str(n) if n else blank for n in p.puzzle) + "\n" for p in puzzles)


# --- a row a line ---


def boxed(top: str, middle: str, bar: str, space: str, blank: str = BLANK) -> Callable[[Sequence[Made]], str]:
    def one(p: Made) -> str:
        out = [top]
        for r, row in enumerate(p.rows(blank)):
            if r in (3, 6):
                out.append(middle)
            parts = [space + space.join(row[k : k + 3]) + space for k in (0, 3, 6)]
            out.append(bar + bar.join(parts) + bar)
        return "\n".join([*out, top])

    return lambda puzzles: "\n\n".join(map(one, puzzles)) + "\n"


def blocks(between: str = "\n", blank: str = BLANK) -> Callable[[Sequence[Made]], str]:
    return lambda puzzles: between.join("\n".join(p.rows(blank)) + "\n" for p in puzzles)


def titled(title: str, bands: str = "") -> Callable[[Sequence[Made]], str]:
    def one(n: int, p: Made) -> str:
        rows = p.rows()
        return title.format(n=n) + "".join(row + "\n" + (bands if r in (2, 5) else "") for r, row in enumerate(rows))

    return lambda puzzles: "".join(one(n, p) for n, p in enumerate(puzzles, 1))


def bands(puzzles: Sequence[Made]) -> str:
    """Rows in groups of three with spaces, bands parted by blank lines, puzzles too."""
    return "\n".join(
        "\n".join("\n".join(" ".join(wrap_exactly(row, 3)) for row in p.rows()[k : k + 3]) + "\n" for k in (0, 3, 6))
        for p in puzzles
    )


def sdk(puzzles: Sequence[Made]) -> str:
    """SadMan's sections: the puzzle, and how far somebody has come with it."""
    return "".join(
        f"#Aann\n#Dnumber {n}\n[Puzzle]\n" + "\n".join(p.rows()) + "\n[State]\n"
        + "\n".join(wrap_exactly(p.answer, 9)) + "\n[PencilMarks]\n12,3\n"
        for n, p in enumerate(puzzles, 1)
    )  # fmt: skip


def cells(separator: str, blank: str = "") -> Callable[[Sequence[Made]], str]:
    return lambda puzzles: "\n".join(
        "".join(separator.join(str(n) if n else blank for n in p.puzzle[k : k + 9]) + "\n" for k in range(0, 81, 9))
        for p in puzzles
    )


def python_lists(puzzles: Sequence[Made]) -> str:
    return "\n".join(
        "[" + ",\n ".join(str(list(p.puzzle[k : k + 9])) for k in range(0, 81, 9)) + "]\n" for p in puzzles
    )


@frozen
class Written:
    """A shape. write: puzzles to text, or to bytes; said: what standard error says of it, or empty for nothing."""

    name: str
    write: Callable[[Sequence[Made]], str | bytes]
    said: str = ""

    def bytes(self, puzzles: Sequence[Made]) -> bytes:
        text = self.write(puzzles)
        return text if isinstance(text, bytes) else text.encode()


TOP, MIDDLE = "+-------+-------+-------+", "+-------+-------+-------+"
SHAPES = [
    *(Written(f"lines of `{blank}`", lines(blank)) for blank in ".0_"),
    *(Written(f"lines of `{blank}`", lines(blank), f"`{blank}` is blank") for blank in "*-xX?"),
    Written("lines with spaces", lines(" "), "a space is blank"),
    Written("quizzes,solutions", headed("quizzes,solutions\n", "{z},{s}\n"), "quizzes (puzzle), solutions (solution)"),
    Written("columns", headed("id,puzzle,solution,clues\n", "{n},{p},{s},24\n"), "each line: id, puzzle, solution, cl"),
    Written("solution first", headed("solution;puzzle\n", "{s};{p}\n"), "each line: solution, puzzle"),
    Written("quoted", headed('"id","puzzle","solution"\n', '"{n}","{p}","{s}"\n'), "each line: id, puzzle, solution"),
    Written("hash, puzzle, rating", each("{h} {p}  7.2\n"), "each line: text, puzzle, number"),
    Written("colons", each("{z}:1:{s}\n"), "each line: puzzle, number, solution"),
    Written("semicolons", each("{p};9.1;9.1;2.6;tarx\n"), "each line: puzzle, number, number, number, text"),
    Written("library", each(":0000:x:{p}:::\n"), "puzzle"),
    Written("tab and words", each("{p}\tvery hard, by ann\n"), "each line: puzzle, text"),
    Written("comment behind", each("{p} # number {n}\n")),
    Written("comment lines", headed("# hard ones\n#\n", "{p}\n# next\n")),
    Written("a count first", headed("3\n", "{p}\n")),
    Written("xml", headed("<games>\n", ' <game data="{z}"/>\n'), "puzzle"),
    Written("windows", each("{p}\r\n")),
    Written("mark", lambda puzzles: b"\xef\xbb\xbf" + lines("0")(puzzles).encode()),
    Written("utf-16", lambda puzzles: lines(".")(puzzles).encode("utf-16")),
    Written("utf-16, the other way", lambda puzzles: b"\xfe\xff" + lines(".")(puzzles).encode("utf-16-be")),
    Written("gz", lambda puzzles: gzip.compress(lines(".")(puzzles).encode())),
    Written("gz in two parts", lambda p: b"".join(gzip.compress(lines(".")([one]).encode()) for one in p)),
    Written("xz", lambda puzzles: lzma.compress(each("{p},{s}\n")(puzzles).encode()), "each line: puzzle, solution"),
    Written("words in a line", tokens(" ", ".")),
    Written("commas in a line", tokens(",", "0")),
    Written("fields in a line", tokens(",", "")),
    Written("groups in a line", lambda p: "".join(" ".join(one.rows()) + "\n" for one in p)),
    Written("slashes in a line", lambda p: "".join("/".join(one.rows("0")) + "\n" for one in p)),
    Written("boxes", boxed(TOP, MIDDLE, "|", " ")),
    Written("boxes of dashes", boxed(TOP, MIDDLE, "|", " ", "-"), "`-` is blank"),
    Written("simple boxes", boxed("-------------------", "------+-------+------", "|", " ", "0")),
    Written("ss", boxed(" *-----------*", " |---+---+---|", "|", "")),
    Written("ss, open", boxed("", "-----------", "|", "", "X"), "`X` is blank"),
    Written("dots and dashes", boxed(".-------.-------.-------.", ":-------+-------+-------:", "|", " ")),
    Written("drawn boxes", boxed("╔═══════╦═══════╦═══════╗", "╠═══════╬═══════╬═══════╣", "║", " ", "_")),
    Written("boxes with spaces", boxed(TOP, MIDDLE, "|", " ", " "), "a space is blank"),
    Written("tight boxes with spaces", boxed("+---+---+---+", "+---+---+---+", "|", "", " "), "a space is blank"),
    Written("sdk", sdk, "`[Puzzle]` sections"),
    Written("blocks", blocks()),
    Written("blocks of dashes", blocks(blank="-"), "`-` is blank"),
    Written("blocks of stars", blocks(blank="*"), "`*` is blank"),
    Written("behind one another", blocks(""), "without a gap"),
    Written("Grid 01", titled("Grid {n:02}\n")),
    Written("titles and bands", titled("Puzzle {n} (easy)\n", "\n"), "there are blank lines inside grids"),
    Written("bands", bands, "without a gap"),
    Written("cells", cells(",")),
    Written("cells with semicolons", cells(";")),
    Written("cells with tabs", cells("\t", "0")),
    Written("words", cells(" ", ".")),
    Written("python", python_lists),
]  # fmt: skip
