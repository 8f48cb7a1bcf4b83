"""A checked model and its data come in, the sparse matrix with a name for every item and option goes out.

Reading order: lattices/ (boards of squares, hexagons, triangles …), evaluate/ (the values of expressions), grids/
(grids as people write them), lower/ (statements become items and options), display/ (what an answer looks like),
compiled.py (what can be asked of all of it together), answer_reader.py (the way back from an answer to names),
compiled_model.py (a model with its data), near.py (a model that stays near an earlier answer), clues.py
(what clues would be, given an answer), entries.py (data that
changes only what is given), matrix_model.py (a matrix from a file instead of a model), unsolved.py (what to show of a
puzzle), review/ (what can be said without solving), formats/ (the formats of other programs).
"""

from covr.compiler.compiled import Choice, Compiled, Expectation
from covr.compiler.compiled_model import compile_model
from covr.compiler.display.picture import Mark, Picture
from covr.compiler.evaluate.bind import FromText
from covr.compiler.evaluate.limits import CompileLimits

__all__ = ["Choice", "CompileLimits", "Compiled", "Expectation", "FromText", "Mark", "Picture", "compile_model"]
