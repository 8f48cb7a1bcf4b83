"""The lines of a proof, in the format of VeriPB, versions 2.0 and 3.0.

    pseudo-Boolean proof version 3.0
    f 20;                        the problem's rows are the rows 1 to 20 of the proof
    rup +1 ~x3 +1 ~x7 >= 1 ;     a row that follows by unit propagation (_units.py)
    pol 3 2 * 4 + 5 d;           a row that follows by arithmetic: 2 times row 3 plus row 4, divided by 5
    solx x1 x5;                  an answer; from here on it is excluded
    soli x1 x5;                  an answer; from here on only cheaper ones are meant
    del id 21 22;                rows that are not used again;  del range 21 23;  the same
    output NONE;
    conclusion UNSAT : 23;       what was shown: see checker.py
    end pseudo-Boolean proof;

Each of the lines rup, pol, solx and soli makes one row, numbered on. What begins with `*` or `%` is a comment. In
2.0 only rows end with `;`.

Source: J. Nordström and others, VeriPB's documentation of its proof format.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from covr.verify.opb import BadProof

HEADER = ("pseudo-Boolean proof version 2.0", "pseudo-Boolean proof version 3.0")
END = ["end", "pseudo-Boolean", "proof"]


@frozen
class ProofLine:
    """A line: its number, counted from 1, its rule, and the words after it without the last `;`."""

    line: int
    rule: str
    words: list[str]


def read_steps(lines: Iterable[str]) -> Iterator[ProofLine]:
    """The lines of a proof, one after another, up to its end. Raises BadProof, also for a proof that does not begin or
    end as one does."""
    number = 0
    for number, line in enumerate(lines, 1):
        if number == 1:
            if line.strip().rstrip(";").strip() not in HEADER:
                raise BadProof(1, f"a proof begins with the line `{HEADER[1]}`")
            continue
        words = line.replace(";", " ; ").split()
        if not words or words[0][0] in "*%":
            continue
        if words[-1] == ";":
            words.pop()
        if ";" in words or not words:
            raise BadProof(number, "a line has one `;`, at its end")
        if words == END:
            return
        yield ProofLine(number, words[0], words[1:])
    raise BadProof(number + 1, "the proof is unfinished: its last line, `end pseudo-Boolean proof`, is missing")
