"""Grids as people write them in lines of text. The lines of a file and the size of a grid come in; the grids go out.

The layout of a file is decided from its first lines and used for the whole file; `Shape.words` describes it to users.
Reading order: symbols.py (what stands on a line of a file of grids: its columns, the meaning of its characters),
blocks.py (grids of several lines: in which layout they are written, and their places).
"""

from covr.compiler.grids.blocks import Shape, decide, read_one, taken_beside, without_xml
from covr.compiler.grids.symbols import FoundGrid, Numbered, Takes

__all__ = ["FoundGrid", "Numbered", "Shape", "Takes", "decide", "read_one", "taken_beside", "without_xml"]
