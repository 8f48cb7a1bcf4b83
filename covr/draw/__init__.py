"""Pictures come in, lines of text and images come out. This room does not know what an answer means.

Reading order: canvas.py (text as an output: its styles and width, and a grid of cells with what stands beside it),
pieces.py (which marks of a picture are one piece, with colours that tell pieces apart, and lines from place to place),
outlines.py (lines between cells and round sets of them, shapes round texts, and tiles with coloured edges), text.py
(any picture as text, and answers on one line), elements.py (the looks of images: themes in one table, and what they
make of texts, pieces, fills and walls; SVG elements: blocks that know their size, places that can be pointed at,
symbols without a font), inscribed.py (what is printed), board.py (a plane picture as SVG: cells, fills, lines and
texts; lists and strips), pencil.py (pencil marks), solids.py (solids and stacks of balls as SVG: layers, the whole, and
its pieces moved apart), tilings.py (hexagons, triangles and sticks as SVG), book.py (pictures as files: SVG, HTML
pages, books of sheets, in the format that a name's ending implies), booklet.py (a booklet to print: puzzles under their
rules, then their solutions).
"""
