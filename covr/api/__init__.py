"""A model or the rows of a matrix come in, answers as Python values go out.

Reading order: problem.py (a cover problem for users who already have a matrix: rows instead of a model), model.py (the
Python API: a model with its data, all questions about it, and links to puzzles), answer_diagram.py (all answers as a
diagram), gallery.py (every model that ships with covr, with its picture), polyforms.py (the libraries of pieces),
notebook.py (the `%%cover` magic).
"""
