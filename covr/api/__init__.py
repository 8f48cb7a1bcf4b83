"""A model or the rows of a matrix come in, answers as Python values go out.

Reading order: unfinished.py (a question that a limit leaves open), solutions.py (answers one by one), model.py (a
model, and all questions about it), answer_diagram.py (all answers as a diagram), problem.py (rows instead of a model),
link.py (links to puzzles), gallery.py (every model that ships with covr, with its picture), polyforms.py (the libraries
of pieces), notebook.py (the `%%cover` magic).
"""
