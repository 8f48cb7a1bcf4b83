"""A question "why" comes in; a reason, in the names of the model, goes out.

Reading order: find_choice.py (a choice that the user names), item_names.py (what an item is called), member.py (a rule
or a given of a reason), wording.py (which rules of a reason are said), constraints.py (names and groups of a model's
constraints), short_reason.py (the shortest reason, and what would cure it), explanation.py (what is found), why.py (why
there is no answer, or why a choice is in it), why_text.py (the same in words), spare.py and spare_text.py (what could
be left out), drawn_answer.py (what is wrong with an answer that is drawn on a board), quiet.py (what is known of
helpers), because.py (a reason of a hint and how it is followed), told_ahead.py (what is told of that), hint_text.py and
hint.py (a hint in words, and its picture), hint_grade.py (how hard the hints are), hints.py (all steps to the answer),
trace_walk.py (the search step by step), code_pages.py with pages/ (a page about every code).
"""
