"""A model comes in; puzzles that have one answer go out, with no clue that could be left out.

Reading order: made_puzzle.py (a puzzle that was made, its data as records, which choices may be clues, and what all
runs that make puzzles share), making.py (makes puzzles), layouts.py (draws black squares, regions and trees at random),
puzzle_batches.py (solves thousands of puzzles).

Where clues are data that rules read: clue_maker.py (attempts at such puzzles, and answers nearby that fit better),
clue_question.py (whether some clues leave an answer the only one, and the fewest that do), clue_rows.py (the rules of a
model as rows of named choices), clue_switches.py and clue_rules.py (which rules come from which clue).
"""
