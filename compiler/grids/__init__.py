"""Grids as people write them down, in lines of text: which places they have, and what stands there.

Lines of a file come in, and for a grid of known size what each of its grids holds comes out. How a file is laid out
is decided on its first lines and kept; `Shape.words` says it. Reading order: places.py (one line), symbols.py (what
stands for a blank, letters that mean numbers), inline.py (a grid a line) and columns.py (in which of its fields),
blocks.py (a row a line), shape.py (which of these), one.py (a file for `-D clue=@FILE`).
"""

from covr.compiler.grids.one import read_one
from covr.compiler.grids.places import FoundGrid, Numbered
from covr.compiler.grids.shape import Shape, decide

__all__ = ["FoundGrid", "Numbered", "Shape", "decide", "read_one"]
