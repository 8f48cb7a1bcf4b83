"""A problem comes in; reasons go out: why there is no answer, and what a search does step by step.

Reading order: certificate.py (proofs by counting), refutation.py (what a proof rests on), conflict.py (a smallest set
of items that contradict each other), steps.py, trace.py and
sided_trace.py (the steps of a search).
"""
