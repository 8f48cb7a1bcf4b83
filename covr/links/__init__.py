"""A link or file of another puzzle program comes in, and a model with its params goes out; and the way back.

Reading order: board.py (a puzzle as it was read), places.py (the places of a board, in order), codes.py (how addresses
write values), address_parts.py and file_parts.py (the parts of addresses and files), pieces.py and kakuro.py and
triplace.py (three rare parts), kind.py (what the table says of a kind), choices.py and values.py (parts of the table),
kinds/ (the table, by genre), table.py (kinds by name), address.py and file.py (whole addresses and files), penpa.py
(drawings of penpa-edit) and penpa_written.py (the way back), sudoku_board.py (a sudoku with what setters add), lz.py,
fpuzzles_parts.py, fpuzzles.py, sudokupad.py, sudokuwiki.py and sudokus.py (links of sites that know sudokus alone),
opened.py (a link as a model), inverse.py (the board of a model's params), answers.py (answers as a board shows them).
"""
