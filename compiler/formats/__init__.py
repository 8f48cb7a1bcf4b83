"""A problem is read from or written in the formats of other programs, one file for each format, by pure functions.

Reading order: table.py (every format by name), fault.py (what is wrong with a file), words.py and draft.py (reading),
remarks.py (what is left out), recognise.py (what a text is), linear.py (what most are written from); then dlx.py
(Knuth), json_text.py (our own), xcc.py, matrix_csv.py, npy.py, sets.py, hgr.py, graph.py, scp.py (read), lp.py, mps.py,
opb.py, cnf.py, minizinc.py (written); xmpuzzle.py and xmpuzzle_model.py (BurrTools' puzzles, as models).
"""

from covr.compiler.formats.dlx import read_dlx
from covr.compiler.formats.fault import FormatFault, Unwritable
from covr.compiler.formats.scp import read_scp
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
