"""A problem comes in or goes out in the formats of other people's programs, one file a format.

Reading order: fault.py (what is wrong with a file), dlx.py (Knuth), scp.py (OR-Library).
"""

from covr.compiler.formats.dlx import read_dlx
from covr.compiler.formats.fault import FormatFault
from covr.compiler.formats.scp import read_scp

__all__ = ["FormatFault", "read_dlx", "read_scp"]
