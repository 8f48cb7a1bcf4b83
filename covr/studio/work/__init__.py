"""A question of the page comes in, in a process of its own; events that the page shows go out.

Reading order: asked.py (what a page asks about a model, and how it is told what is found), answers.py (answers, steps
of a search, pictures and links), reasons.py (candidates, why, hint, promises, proofs, and what could be left out),
hand.py (solving by hand: what is pencilled in, what clashes, and whether it is right so far), kinds.py (all kinds of
questions, and what is common to them).
"""
