"""A text comes in, what of it can be drawn goes out; changes to the drawing come in, edits of the text go out.

The page draws boards with the mouse and keys, and knows nothing of how they are written. All that is said here comes
from the text alone, so that it is there at each stroke; where a layer lies in the picture is known once the model is
compiled (geometry.py).

Reading order: sketch.py (a picture of characters, and the same picture written again), records.py (the lines of tables,
and how squares are named in them), signs.py (what may be written in a layer), layer.py (a layer: a part of the text
that can be drawn), layers.py (all layers of a text), symmetry.py (the images of a place), strokes.py (a stroke becomes
another layer), resize.py (a board gets or loses rows and columns), givens.py (a choice that is given), changes.py (all
strokes of a request become edits), geometry.py (where the places of a layer lie in the picture), fresh.py (new puzzles
of a kind and a size).
"""
