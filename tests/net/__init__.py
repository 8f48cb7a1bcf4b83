"""Random models of the whole language come in; what any command says of them that brute force refutes goes out.

Reading order: kinds.py (each kind of statement, as covr reads it and as Python does), drawn.py (a model of several
kinds, and its answers by trying every set of choices), asked.py (the commands that answer), explained.py (those that
explain, make and convert), pairs.py (which kinds were drawn together), scene.py (what a check looks at), catching.py (a
draw put before the commands).
`python -m tests.net 100000 [SEED]` draws that many models and shows each that goes wrong.
"""
