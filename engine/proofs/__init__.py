"""A problem comes in; reasons go out: why there is no answer, and the steps that a search takes, or a person.

Reading order: certificate.py (proofs by counting), conflict.py (minimal sets of constraints that contradict each
other), spare.py (which constraints could be left out, and how each can be broken), trace.py (the search step by step,
for learners), shapes.py (what connections and circuits demand), area_shapes.py (and areas), decide.py (does a set of
conditions force a choice? What is open, a proof, and the steps of it), way.py (a path to the answer in steps that a
person could take), smallest_reason.py (the fewest conditions that do), logged.py (a proof that another program checks).
"""
