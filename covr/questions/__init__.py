"""Answers questions about a compiled model: defines what each question means for it, and gives answers with names.

Reading order: options.py (how a question is asked), subject.py (what it is about), found.py (what was found), run.py
(one or more searches with one set of limits), plans.py (how it would be answered), ending.py (how a question ended),
answer.py (an answer as the user sees it), earlier.py (an earlier answer, to stay near), own_files.py (what it must not
overwrite), values.py (the language's values as Python values), frames.py (answers as DataFrames), digits.py (long
numbers as text), expectations.py (the `expect` lines), verify.py (asks again in another way), proof_file.py (a proof
for another program), proof_check.py (what such a proof shows), expected_proofs.py (one for each `expect` line),
remarks.py (what can be said without solving), sampling.py (random answers), tree_size.py (how long a search would
take), candidates.py (which choices are possible), clue_choices.py, patterns.py, made_puzzle.py, clue_rows.py,
clue_switches.py, clue_singles.py, clue_words.py, clue_rivals.py, clue_rules.py, clue_guesses.py, clue_open.py,
clue_moves.py, clue_question.py, fewest_told.py, clue_maker.py, clue_order.py, spot_patterns.py, puzzle_records.py,
told_puzzle.py, puzzle_run.py, making.py and layouts.py (puzzles), clue_check.py (clues that contradict the answer),
puzzle_batches.py (thousands of puzzles), sided.py (refuses models where their answers or side conditions do not fit the
question).
"""
