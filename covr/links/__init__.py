"""A link or file of another puzzle program comes in, and a model with its params goes out; and the way back.

Reading order: places.py (a board as it was read, and its places in the orders of links and files), codes.py (how
addresses write values), address_parts.py (the parts of an address after the size; black squares with two numbers, in
addresses and files), file_parts.py (the parts of addresses and files), inverse.py (the params of a model from a board,
and back, for every row of the table of kinds), table.py (what the table says of a kind: its model, its addresses and
files, what its choices are on a board), kinds/ (the table, by genre), file.py (pzpr's addresses and files ↔ a board,
sudokus of sites that know nothing else, and any link or file as a model), penpa.py (addresses of penpa-edit ↔ a board),
fpuzzles_parts.py (sudokus with all that setters add: the layers of a board, and the constraints of f-puzzles),
fpuzzles.py (f-puzzles and SudokuPad: sudokus as compressed JSON).
"""
