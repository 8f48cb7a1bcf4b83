"""A problem comes in; reasons go out: why there is no answer, and the steps that a search takes, or a person.

Reading order: certificate.py (proofs by counting), refutation.py (what a proof rests on), conflict.py (a smallest set
of items that contradict each other), cores.py (the same by clingo), broken.py (how a constraint is broken), spare.py
(what could be left out without a change to the answers), steps.py, trace.py and sided_trace.py (the steps of a search).
Then the steps that a person
would take: shapes.py (what connections and circuits demand), ground.py (what is still open), decide.py (whether
conditions force a choice), implied.py (conditions that a circuit implies), smallest_reason.py (the fewest conditions
that do), total_pairs.py (what a total forces with one more condition), way.py (the whole path), chain.py (how a reason
is followed, one condition after the other).
Last, priced_row.py (a bound as a row), node_bounds.py (bounds further down) and logged.py: a proof that another
program checks.
"""
