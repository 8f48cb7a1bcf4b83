"""A lowered model and an answer come in, a picture goes out that is ready to be drawn.

Reading order: picture.py (marks in places, and lines between them), regions.py (where the lines go), coordinates.py
(keys become places), places.py (the values at a place), fitting.py (what a board has no place for), prints.py (`print`
and `outline`), by_default.py (what is drawn without a `show`), show.py (`show`, and all drawings), alike.py (choices
that look the same in a place).
"""
