"""The lines of a proof, in the format of VeriPB, versions 2.0 and 3.0.

    pseudo-Boolean proof version 3.0
    f 20;                        the problem's rows are the rows 1 to 20 of the proof
    rup +1 ~x3 +1 ~x7 >= 1 ;     a row that follows by unit propagation (_units.py)
    pol 3 2 * 4 + 5 d;           a row that follows by arithmetic: 2 times row 3 plus row 4, divided by 5
    sol x1 x5;                   an answer
    solx x1 x5;                  an answer; from here on it is excluded
    soli x1 x5;                  an answer; from here on only cheaper ones are meant
    del id 21 22;                rows that are not used again;  del range 21 23;  the same
    output NONE;
    conclusion UNSAT : 23;       what was shown: see checker.py
    end pseudo-Boolean proof;

Each of the lines rup, pol, solx and soli makes one row, numbered on; `@name` before it gives the row a name, too. In
3.0 a line ends with `;`, wherever it is broken, and `%` begins a comment. In 2.0 it ends where the line of the file
does, what follows a `;` is a hint, and `*` begins a comment.

Source: J. Nordström and others, VeriPB's documentation of its proof format.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from covr.verify.opb import BadProof

HEADER = "pseudo-Boolean proof version 3.0"
OLDER = "pseudo-Boolean proof version 2.0"
END = ["end", "pseudo-Boolean", "proof"]


@frozen
class ProofLine:
    """A line: its number, counted from 1, its rule, the words after it without the last `;`, and the name of the row
    that it makes, with its `@`; or nothing."""

    line: int
    rule: str
    words: list[str]
    label: str = ""


def read_steps(lines: Iterable[str]) -> Iterator[ProofLine]:
    """The lines of a proof, one after another, up to its end. Raises BadProof, also for a proof that does not begin or
    end as one does."""
    numbered = enumerate(lines, 1)
    number, first = next(numbered, (0, ""))
    header = first.strip().rstrip(";").strip()
    if number and header not in (HEADER, OLDER):
        raise BadProof(1, f"a proof begins with the line `{HEADER}`")
    for number, words in _older(numbered) if header == OLDER else _newer(numbered):
        label = words.pop(0) if words[0].startswith("@") else ""
        if words == END:
            return
        if not words:
            raise BadProof(number, "a name is no line")
        yield ProofLine(number, words[0], words[1:], label)
    raise BadProof(number + 1, "the proof is unfinished: its last line, `end pseudo-Boolean proof`, is missing")


def _older(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """The words of a proof's lines in version 2.0, with the number of the file's line."""
    for number, line in lines:
        words = line.split(";", 1)[0].split()
        if words and words[0][0] not in "*%":
            yield number, words


def _newer(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """The same in version 3.0."""
    open_words, begin = list[str](), 0
    for number, line in lines:
        if "%" in line:
            line = line[: line.index("%")]
        if not open_words and line.startswith("*"):
            continue
        *ended, rest = line.split(";")
        for part in ended:
            words = part.split()
            if open_words or words:
                yield begin if open_words else number, open_words + words
                open_words = []
        words = rest.split()
        if words:
            begin = begin if open_words else number
            open_words += words
    if open_words:
        raise BadProof(begin, "a line does not end with `;`")
