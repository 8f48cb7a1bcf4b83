"""Pictures come in, lines of text and images come out. This room does not know what an answer means.

Reading order. As text: styled.py (a line of text with styles), surface.py (what the output can show: colours,
box-drawing characters, width), pieces.py (which marks are one piece, and their colours), outlines.py (lines of cells),
canvas.py (a grid with lines), links.py (lines from place to place), margins.py (what is printed beside a board),
lattice_text.py (hexagons and other lattices), text.py (any picture as text), compact.py (an answer on one line). As
images: themes.py, elements.py (elements of SVG), paint.py (the looks of a picture), shapes.py (shapes round texts, and
lines through places), symbols.py (chessmen), inscribed.py (what is printed), pointed.py (places that can be clicked),
board.py, tiles.py, lists.py, pencil.py (pencil marks), isometric.py, solids.py, tilings.py (hexagons and triangles),
stick_board.py, ball_stack.py, svg.py (answers as an image), papers.py, camera_code.py and booklet.py (puzzles on
pages), html.py, book.py (sheets), files.py (writes the format that a file's name implies).
"""
