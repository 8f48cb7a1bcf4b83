"""A question "why" comes in; a reason, in the names of the model, goes out.

Reading order: choice_words.py (choices in words, and the choice that the user names), why.py (why a model has no
answer, and why a choice must or can't be in one), why_text.py (an explanation as a value, and in words), spare.py (what
could be left out of a model without a change to its answers), drawn_answer.py (answers as a board shows them, and what
is wrong with one that is drawn), because.py (a reason of a hint in the model's names: its rules, what it rests on, and
how it is followed), hints.py (hints: the next step that a person would make, or all steps to the end), trace_walk.py
(the search step by step), code_pages.py, pages/ (a page about every code).
"""
