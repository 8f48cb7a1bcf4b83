"""The text of a model that somebody is writing comes in, and what an editor shows about it goes out.

Nothing here decides what a model means: texts are parsed and names are checked by the code that `covr check` uses.
After an edit only the statements that it touched are parsed again, and only those that it concerns are checked again.

Reading order: fragments.py (a text cut into statements, each parsed by itself), kept_checks.py
(checks again only what an edit concerns), document.py (what is known about a text
after each edit), names.py (what a name means, where else it stands, and how it can be renamed), cursor.py (what stands
before a place), complete.py (what may be written there), semantic.py (what each word is, for colours), formatting.py
(the layout), kinds.py (what
kind of value a name has), function_rows.py (functions and readers), meanings.py (the words of the language), hover.py
(what is said of a word, and which call one is in), symbols.py (what a model consists of), folding.py (lines that belong
together), fixes.py (what can be done about a fault with one click).
"""
