"""A text comes in, what of it can be drawn goes out; changes to the drawing come in, edits of the text go out.

The page draws boards with the mouse and keys, and knows nothing of how they are written. All that is said here comes
from the text alone, so that it is there at each stroke; where a layer lies in the picture is known once the model is
compiled (geometry.py).

Reading order: sketch.py (the texts of layers: pictures of characters, and the lines of tables and lists), layers.py
(all of a text that can be drawn: its layers, and what may be written in them), strokes.py (a stroke of the mouse or of
a key becomes another layer, with a symmetry if wanted), resize.py (new boards, and boards of other sizes), changes.py
(what a page draws becomes edits of the text), geometry.py (where the places of a layer lie in the picture).
"""
