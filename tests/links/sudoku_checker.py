"""Whether a filled board is an answer of a puzzle of f-puzzles: from its JSON, as its help describes the constraints.

It shares nothing with the model, nor with the reader of links: each constraint is a loop over what the JSON says.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise, permutations
from typing import Any

Json = dict[str, Any]
Filled = tuple[tuple[int, ...], ...]


def latin_squares(side: int) -> Iterator[Filled]:
    """All Latin squares of the digits from 1."""

    def grown(rows: Filled) -> Iterator[Filled]:
        if len(rows) == side:
            yield rows
            return
        for row in permutations(range(1, side + 1)):
            if all(row[c] != above[c] for above in rows for c in range(side)):
                yield from grown((*rows, row))

    return grown(())


class Checker:
    """A puzzle and a filled board."""

    def __init__(self, puzzle: Json, filled: Filled) -> None:
        self.puzzle, self.filled, self.side = puzzle, filled, len(filled)

    def at(self, name: str) -> int:
        """The digit in a square."""
        r, c = map(int, name[1:].split("C"))
        return self.filled[r - 1][c - 1]

    def each(self, name: str) -> Iterator[Json]:
        """The entries under a name."""
        yield from self.puzzle.get(name, [])

    def lines(self, name: str) -> Iterator[list[int]]:
        """The digits on each line under a name."""
        for entry in self.each(name):
            for line in entry["lines"]:
                yield [self.at(square) for square in line]

    def right(self) -> bool:
        """Whether the board is an answer."""
        return self.ok_cells() and self.ok_regions() and all(getattr(self, name)() for name in _CHECKS)

    def ok_cells(self) -> bool:
        for r, row in enumerate(self.puzzle["grid"]):
            for c, cell in enumerate(row):
                if cell.get("given") and cell["value"] != self.filled[r][c]:
                    return False
                if not cell.get("given") and self.filled[r][c] not in cell.get("givenPencilMarks", [self.filled[r][c]]):
                    return False
        return True

    def regions(self) -> dict[int, list[int]]:
        """The digits of each region, in reading order."""
        high = max(h for h in range(1, self.side + 1) if self.side % h == 0 and h * h <= self.side)
        wide = self.side // high
        found: dict[int, list[int]] = {}
        for r in range(self.side):
            for c in range(self.side):
                region = self.puzzle["grid"][r][c].get("region", r // high * high + c // wide)
                if region is not None:
                    found.setdefault(region, []).append(self.filled[r][c])
        return found

    def ok_regions(self) -> bool:
        return all(len(set(digits)) == len(digits) for digits in self.regions().values())

    def ok_disjoint(self) -> bool:
        if not self.puzzle.get("disjointgroups"):
            return True
        return all(len(set(group)) == self.side for group in zip(*self.regions().values(), strict=True))

    def ok_diagonals(self) -> bool:
        rising = {self.filled[self.side - 1 - k][k] for k in range(self.side)}
        falling = {self.filled[k][k] for k in range(self.side)}
        return (not self.puzzle.get("diagonal+") or len(rising) == self.side) and (
            not self.puzzle.get("diagonal-") or len(falling) == self.side
        )

    def ok_chess(self) -> bool:
        steps = [(1, 2), (2, 1), (1, -2), (2, -1)] if self.puzzle.get("antiknight") else []
        steps += [(1, 1), (1, -1)] if self.puzzle.get("antiking") else []
        for r in range(self.side):
            for c in range(self.side):
                for i, j in steps:
                    if r + i < self.side and 0 <= c + j < self.side and self.filled[r][c] == self.filled[r + i][c + j]:
                        return False
        return True

    def ok_thermometers(self) -> bool:
        return all(a < b for line in self.lines("thermometer") for a, b in pairwise(line)) and all(
            a <= b for line in self.lines("slowthermometer") for a, b in pairwise(line)
        )

    def ok_whispers(self) -> bool:
        for entry in self.each("whispers"):
            least = int(entry.get("value", (self.side + 1) // 2))
            for line in entry["lines"]:
                digits = [self.at(square) for square in line]
                if any(abs(a - b) < least for a, b in pairwise(digits)):
                    return False
        return True

    def ok_renban(self) -> bool:
        return all(max(line) - min(line) + 1 == len(line) == len(set(line)) for line in self.lines("renban"))

    def ok_nabner(self) -> bool:
        return all(abs(a - b) > 1 for line in self.lines("nabner") for a, b in combinations(line, 2))

    def ok_palindrome(self) -> bool:
        return all(line == line[::-1] for line in self.lines("palindrome"))

    def ok_modular(self) -> bool:
        return all(
            len({d % 3 for d in part}) == len(part) for line in self.lines("modularline") for part in thrice(line)
        )

    def ok_entropic(self) -> bool:
        low = {4: 1, 6: 2}[self.side]
        rank = {d: 0 if d <= low else 2 if d > self.side - low else 1 for d in range(1, self.side + 1)}
        return all(
            len({rank[d] for d in part}) == len(part) for line in self.lines("entropicline") for part in thrice(line)
        )

    def ok_between(self) -> bool:
        return all(
            all(min(line[0], line[-1]) < d < max(line[0], line[-1]) for d in line[1:-1])
            for line in self.lines("betweenline")
        )

    def ok_sums_of_lines(self) -> bool:
        double = all(line[0] + line[-1] == sum(line[1:-1]) for line in self.lines("doublearrow"))
        for line in self.lines("zipperline"):
            sums = {line[k] + line[-1 - k] for k in range(len(line) // 2)}
            if len(line) % 2:
                sums.add(line[len(line) // 2])
            double = double and len(sums) == 1
        return double

    def ok_region_sums(self) -> bool:
        high = max(h for h in range(1, self.side + 1) if self.side % h == 0 and h * h <= self.side)
        wide = self.side // high
        for entry in self.each("regionsumline"):
            for line in entry["lines"]:
                sums: list[int] = []
                last = None
                for square in line:
                    r, c = (int(k) - 1 for k in square[1:].split("C"))
                    usual = r // high * high + c // wide
                    region = self.puzzle["grid"][r][c].get("region", usual)
                    if region != last:
                        sums.append(0)
                    sums[-1] += self.filled[r][c]
                    last = region
                if len(set(sums)) > 1:
                    return False
        return True

    def ok_arrows(self) -> bool:
        for entry in self.each("arrow"):
            circle = int("".join(str(self.at(square)) for square in entry["cells"]))
            if any(sum(self.at(square) for square in line[1:]) != circle for line in entry["lines"]):
                return False
        return True

    def ok_clones(self) -> bool:
        return all(
            self.at(x) == self.at(y)
            for entry in self.each("clone")
            for x, y in zip(entry["cells"], entry["cloneCells"], strict=True)
        )

    def ok_cages(self) -> bool:
        for entry in [*self.each("killercage"), *self.each("extraregion")]:
            digits = [self.at(square) for square in entry["cells"]]
            if len(set(digits)) < len(digits) or sum(digits) != int(entry.get("value", sum(digits))):
                return False
        return True

    def neighbours(self) -> Iterator[tuple[str, str]]:
        """The pairs of squares that touch."""
        for r in range(1, self.side + 1):
            for c in range(1, self.side + 1):
                yield from ([(f"R{r}C{c}", f"R{r}C{c + 1}")] if c < self.side else [])
                yield from ([(f"R{r}C{c}", f"R{r + 1}C{c}")] if r < self.side else [])

    def ok_dots(self) -> bool:
        def fits(name: str, value: Any, a: int, b: int) -> bool:
            if name == "xv":
                return a + b == {"X": 10, "V": 5}[value]
            return abs(a - b) == int(value or 1) if name == "difference" else max(a, b) == min(a, b) * int(value or 2)

        for name in ("difference", "ratio", "xv"):
            marked = {frozenset(entry["cells"]) for entry in self.each(name)}
            values = {entry.get("value") for entry in self.each(name)}
            if not all(fits(name, e.get("value"), *map(self.at, e["cells"])) for e in self.each(name)):
                return False
            if name == "difference":
                never = {None} if self.puzzle.get("nonconsecutive") else set()
            else:
                never = (
                    (values or {None} if name == "ratio" else {"X", "V"}) if name in self.each("negative") else set()
                )
            for x, y in self.neighbours():
                if frozenset((x, y)) not in marked and any(fits(name, v, self.at(x), self.at(y)) for v in never):
                    return False
        return True

    def ok_marks(self) -> bool:
        if any(self.at(e["cell"]) % 2 for e in self.each("even")) or not all(
            self.at(e["cell"]) % 2 for e in self.each("odd")
        ):
            return False  # fmt: skip
        for name, sign in (("minimum", 1), ("maximum", -1)):
            marked = {entry["cell"] for entry in self.each(name)}
            for x, y in self.neighbours():
                if x in marked and y not in marked and not sign * self.at(x) < sign * self.at(y):
                    return False
                if y in marked and x not in marked and not sign * self.at(y) < sign * self.at(x):
                    return False
        return True

    def ok_indexers(self) -> bool:
        for entry in self.each("rowindexer"):
            for square in entry["cells"]:
                r, c = map(int, square[1:].split("C"))
                if self.filled[self.filled[r - 1][c - 1] - 1][c - 1] != r:
                    return False
        for entry in self.each("columnindexer"):
            for square in entry["cells"]:
                r, c = map(int, square[1:].split("C"))
                if self.filled[r - 1][self.filled[r - 1][c - 1] - 1] != c:
                    return False
        return True

    def ok_quadruples(self) -> bool:
        for entry in self.each("quadruple"):
            around = [self.at(square) for square in entry["cells"]]
            if any(entry["values"].count(d) > around.count(d) for d in entry["values"]):
                return False
        return True

    def ok_outside(self) -> bool:
        for entry in self.each("littlekillersum"):
            if entry.get("value") and sum(self.at(square) for square in entry["cells"]) != int(entry["value"]):
                return False
        for name in ("sandwichsum", "xsum"):
            for entry in self.each(name):
                r, c = map(int, entry["cell"][1:].split("C"))
                line = (
                    [self.filled[k][c - 1] for k in range(self.side)]
                    if 1 <= c <= self.side
                    else list(self.filled[r - 1])
                )
                if r > self.side or c > self.side:
                    line.reverse()
                ends = sorted((line.index(1), line.index(self.side)))
                said = sum(line[ends[0] + 1 : ends[1]]) if name == "sandwichsum" else sum(line[: line[0]])
                if entry.get("value") and said != int(entry["value"]):
                    return False
        return True


def thrice(line: list[int]) -> Iterator[list[int]]:
    """Three successive digits each, or all of a shorter line."""
    yield from (line[k : k + 3] for k in range(max(len(line) - 2, 1)))


_CHECKS = [name for name in dir(Checker) if name.startswith("ok_") and name not in ("ok_cells", "ok_regions")]
