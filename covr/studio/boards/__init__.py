"""A text comes in, what of it can be drawn goes out; changes to the drawing come in, edits of the text go out.

The page draws boards with the mouse and keys, and knows nothing of how they are written. All that is said here comes
from the text alone, so that it is there at each stroke.

Reading order: sketch.py (the texts of layers: pictures of characters, and the lines of tables and lists), layers.py
(all of a text that can be drawn: its layers, and what may be written in them), resize.py (new boards, and boards of
other sizes), changes.py (a stroke of the mouse or of a key becomes another layer, with a symmetry if wanted, and what a
page draws edits of the text).
"""
