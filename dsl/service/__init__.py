"""The text of a model that is being written comes in, and what an editor shows about it goes out.

Nothing here decides what a model means: texts are parsed and names are checked by the code that `covr check` uses.

Reading order: document.py (what is known about a text: its faults, its statements, and what its names mean), names.py
(names across a text: what binds each, how it is renamed; colours, outline, folds and layout), complete.py (what may be
written at a place, and what a click can change there), hover.py (what an editor shows about a word: the kind of a name,
and what a word means), function_rows.py (functions and readers), meanings.py (the words of the language).
"""
