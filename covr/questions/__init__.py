"""Answers questions about a compiled model: defines what each question means for it, and gives answers with names.

Reading order: options.py (how a question is asked), run.py (a question about a model or a matrix: its searches, and
what they have found), plans.py (what can be said of a question without answering it: plans and warnings), verify.py
(how a question ended, and `--verify`), answer.py (an answer as the user sees it: choices with names, a picture, values
as Python, JSON and DataFrames), tree_size.py (how long a question would take, and earlier answers for `--near`),
proof_file.py (promises and proofs: `expect` lines, and proofs in files that are checked), sampling.py (random answers),
candidates.py (which choices are possible), clue_choices.py (which choices may be the clues of a puzzle, and which are
given together), made_puzzle.py (a puzzle that was made, the runs that make puzzles, and its data as records),
clue_rows.py (the rules of a model as rows of named choices, and in the engine's words), clue_switches.py, clue_rules.py
(the rules of clues that are data: what the model becomes with each), clue_question.py (whether some of the clues of an
answer leave it the only one, and the fewest that do), clue_moves.py, clue_maker.py (attempts at puzzles whose clues are
data that rules read), making.py, layouts.py (puzzles), puzzle_batches.py (thousands of puzzles).
"""
