"""Pictures come in, lines of text and images come out. This room does not know what an answer means.

Reading order. As text: styled.py (a line of text with styles), surface.py (what may be written on: colours, box-
drawing characters, width), pieces.py (which marks are one piece, and colours for pieces), outlines.py (lines between
cells), canvas.py (a grid with lines), text.py (any picture as text), compact.py (an answer on one line). As images:
themes.py, elements.py (SVG in parts), paint.py (a picture's parts), symbols.py (chessmen), board.py, tiles.py,
lists.py, pencil.py (what is possible), isometric.py, solids.py, svg.py (answers as an image), html.py, files.py (the
name's ending says which format).
"""
