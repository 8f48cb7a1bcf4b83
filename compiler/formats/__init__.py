"""A problem is read from or written in the formats of other programs, one file for each format, by pure functions.

Reading order: table.py (every format by name), fault.py (what is wrong with a file), words.py and draft.py (reading),
linear.py (the form from which most are written); then dlx.py (Knuth), json_text.py (our own), xcc.py, matrix_csv.py,
sets.py, hgr.py, scp.py (read), lp.py, mps.py, opb.py, cnf.py, minizinc.py (written).
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
