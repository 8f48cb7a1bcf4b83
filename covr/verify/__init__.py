"""A problem as an OPB file and a proof come in; what the proof shows goes out, or the first line that does not follow.

It shares nothing with covr's engine, nor with the language: it can be read, and used, by itself. Reading order:
checker.py (holds each line of a proof to what it may say, and tells what the whole proof shows), _units.py (unit
propagation).
"""
