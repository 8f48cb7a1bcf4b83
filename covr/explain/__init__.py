"""A question "why" comes in; a reason, in the names of the model, goes out.

Reading order: find_choice.py (a choice that the user names), item_names.py (what an item is called), wording.py (which
rules of a reason are said), why.py (why there is no answer, or why a choice is in it), why_text.py (the same in words),
spare.py and spare_text.py (what could be left out), drawn_answer.py (what is wrong with an answer that is drawn on a
board), hints.py (the steps to the answer, and how hard they are), trace_walk.py (the search step by step),
code_pages.py with pages/ (a page about every code).
"""
