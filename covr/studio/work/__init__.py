"""A question of the page comes in, in a process of its own; events that the page shows go out.

Reading order: asked.py (the question: model, data, options), events.py (tells events, and waits while the page has
enough), drawing.py (answers as SVG), pictures.py (the puzzle before it is solved), answers.py (solve, all, best,
unique, count), reasons.py (candidates, why, hint), spare.py (what could be left out), matrix.py (the matrix;
what stands where), dance.py (the search step by step), promises.py (test, each), proofs.py (proofs that are checked),
pencil.py (what is pencilled in by hand), clashes.py (what is wrong with it), hand.py (solving by hand),
linked.py (links of other programs), shelf.py (pictures without a text), kinds.py (all kinds of questions, and what is
common to them).
"""
