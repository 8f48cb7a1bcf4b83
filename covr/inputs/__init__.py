"""Names and paths come in, texts and compiled models go out.

Reading order: library.py (where models are found, and how files are read), kinds.py (the gallery by kind), starter.py
(a model to start from), records.py, named_records.py and collection.py (collections of puzzles), matrices.py (other
people's formats, opened and saved like models), as_link.py (a model as a link to a puzzle).
"""
