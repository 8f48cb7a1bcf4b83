"""A lowered model comes in, and what can be said about it without solving it goes out.

Reading order: remarks.py (items that nothing can satisfy, choices that no rule asks for), propagate.py (choices that
can never be taken), loose_keys.py (keys that do not depend on their choices), review.py (what `covr check` says).
"""
