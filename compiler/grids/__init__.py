"""Grids as people write them in lines of text. The lines of a file and the size of a grid come in; the grids go out.

The layout of a file is decided from its first lines and used for the whole file; `Shape.words` describes it to users.
Reading order: places.py (one line), symbols.py (characters for a blank, letters that mean numbers), inline.py (each
grid on one line) and columns.py (in which field of the line), blocks.py (each row on a line), shape.py (chooses between
these layouts), games.py (files of OpenSudoku), one.py (a file for `-D clue=@FILE`).
"""

from covr.compiler.grids.games import without_xml
from covr.compiler.grids.one import read_one
from covr.compiler.grids.places import FoundGrid, Numbered
from covr.compiler.grids.shape import Shape, decide

__all__ = ["FoundGrid", "Numbered", "Shape", "decide", "read_one", "without_xml"]
