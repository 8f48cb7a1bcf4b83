"""Answers questions about a compiled model: defines what each question means for it, and gives answers with names.

Reading order: options.py (how a question is asked), run.py (a question about a model or a matrix: its searches, what
they have found, and what can be said without answering: plans and warnings), verify.py (how a question ended, and
`--verify`), answer.py (an answer as the user sees it), tree_size.py (how long a question would take, and earlier
answers for `--near`), proof_file.py (promises and proofs), sampling.py (random answers), candidates.py (which choices
are possible).
"""
