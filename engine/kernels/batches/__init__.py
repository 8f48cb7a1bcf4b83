"""Thousands of instances or answers come in at once, and are answered, spelled or checked in one call.

Reading order: _batch.py (instances), _spell.py (lines to options and back), _check.py (whether answers are answers).
"""
