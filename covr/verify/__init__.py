"""A problem as an OPB file and a proof come in; what the proof shows goes out, or the first line that does not follow.

It shares nothing with covr's engine, nor with the language: it can be read, and used, by itself. Reading order: opb.py
(the problem), _units.py (unit propagation; plain.py stands in for Cython where it is missing), proof.py (the lines of a
proof), checker.py (what each of them is held to).
"""
