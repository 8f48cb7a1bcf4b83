"""Text in another program's format comes in and a problem goes out, or the other way: pure functions.

Reading order: table.py (every format by name, and which of them a text is in), draft.py (what readers share: a problem
while it is read, its words with their places, faults and remarks), linear.py (a problem as constraints over variables
that are 0 or 1: CNF, WCNF, OPB, MiniZinc), dlx.py (exact cover as Knuth's programs and as miniexact read it),
json_text.py (covr's own), mps.py (MPS, and the linear programs over 0 and 1 that are read from it and from LP), lp.py,
set_lists.py (a 0/1 matrix in CSV, or as numpy saves it; lists of sets, OR-Library's covers, hypergraphs and graphs: the
fewest that meet everything), xmpuzzle.py (BurrTools' puzzles, `.xmpuzzle`, and the model of covr that each becomes).
"""

from covr.compiler.formats.dlx import read_dlx
from covr.compiler.formats.draft import FormatFault, Unwritable
from covr.compiler.formats.set_lists import read_scp
from covr.compiler.formats.table import FORMATS, READABLE, WRITABLE, Format, format_of

__all__ = [
    "FORMATS",
    "READABLE",
    "WRITABLE",
    "Format",
    "FormatFault",
    "Unwritable",
    "format_of",
    "read_dlx",
    "read_scp",
]
