"""Text in another program's format comes in and a problem goes out, or the other way: pure functions, a file each.

Reading order: table.py (every format by name), fault.py (what is wrong with a file), placed_words.py and draft.py (used
by the readers), remarks.py (what a reader leaves out), recognise.py (which format a text is in), linear.py (linear
constraints, used by most writers); then dlx.py (Knuth's) and json_text.py (covr's own), which are read and written;
zero_one.py (linear programs that are read), lp.py and mps.py, which are read and written; xcc.py, matrix_csv.py,
npy.py, sets.py, hgr.py, graph.py and scp.py, which are read; opb.py, cnf.py and minizinc.py, which are written;
xmpuzzle.py and xmpuzzle_model.py (BurrTools' puzzles, as models).
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
