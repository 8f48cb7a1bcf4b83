"""Names and paths come in, texts and compiled models go out.

Reading order: library.py (where models are found, and how files are read), as_link.py (a model as a link, the gallery
by kind, and a model to start from), collection.py (collections of puzzles: files with many records), matrices.py (other
people's formats, opened and saved like models).
"""
