"""A search is kept in a file while it runs; if it is killed at any moment, it can be continued from there.

Reading order: schema.py (the file's tables, and how damage is found), contents.py (what they hold, as values), lock.py
(one process at a time), record_faults.py (what may be wrong with a file), reading.py and record.py (the file, read and
written), question.py (the question, and the model that is restored from the file), classes.py (the parts of a search
for one answer of each class), recorded.py (the run), state.py (its progress), listing.py (its answers), cluster.py (its
pieces on many machines). Besides these: diagram_file.py (all answers as a diagram, in a file of its own), and folder/
(open pieces as files, for any number of processes). The search in pieces belongs to the engine: engine/pieces/.
"""
