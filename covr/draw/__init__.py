"""Pictures come in, lines of text come out; what an answer means is unknown here.

Reading order: styled.py (a line of text with styles), surface.py (what may be written on: colours, box-drawing
characters, width), pieces.py (which marks are one piece, and colours for pieces), canvas.py (a grid with lines),
text.py (any picture as text), compact.py (an answer on one line).
"""
