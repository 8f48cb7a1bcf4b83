"""A model or rows of a matrix come in, answers as Python values go out.

Reading order: model.py (a model, and every question that can be put to it), problem.py (rows instead of a model),
gallery.py (every model that ships with covr, with its picture), notebook.py (the `%%cover` magic).
"""
