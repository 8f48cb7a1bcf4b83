"""A checked model and its data come in, the sparse matrix with a name for every item and option goes out.

Reading order: lattices.py (boards: what a lattice is, and the six that the language knows), evaluate/ (the values of
expressions), grids/ (grids as people write them), lower/ (statements become items and options), display/ (what an
answer looks like), compiled.py (a compiled problem: all that can be asked of it, and the way back from an answer to
names and pictures), matrix_model.py (a matrix that is asked like a model; a model near an earlier answer; a puzzle
unsolved), clues.py (what clues an answer would give, and grids of clues whose entries each decide their own choices),
review/ (what can be said without solving), formats/ (the formats of other programs).
"""

from covr.compiler.compiled import Choice, Compiled, Expectation, compile_model
from covr.compiler.display.prints import Mark, Picture
from covr.compiler.evaluate.bind import FromText
from covr.compiler.evaluate.limits import CompileLimits

__all__ = ["Choice", "CompileLimits", "Compiled", "Expectation", "FromText", "Mark", "Picture", "compile_model"]
