"""Thousands of instances or answers come in at once, and are answered, spelled or checked in one call.

Reading order: _batch.py (instances), _batch.h with _batch_body.h (the search of each), plain_batch.py (the same without
a compiler), _spell.py (lines to options and back), _check.py (whether answers are answers).
"""
