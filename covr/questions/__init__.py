"""A compiled model and options come in, answers with names go out: what a question means, whoever asks it.

Reading order: options.py (how a question is asked), subject.py (what it is about), run.py (one or more searches with
one set of limits), ending.py (how a question ended), answer.py (an answer as a person meets it), values.py (the
language's values as Python's), frames.py (answers as DataFrames), expectations.py (the `expect` lines), verify.py
(asked again, another way), sampling.py (answers at random), tree_size.py (how long a search would take),
puzzle_batches.py (thousands of puzzles), sided.py (what is refused of models with side conditions).
"""
