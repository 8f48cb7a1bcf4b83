"""A lowered model comes in, what can be said of it without solving it goes out.

Reading order: remarks.py (items that nothing can satisfy, choices that nobody asks for), propagate.py (choices that can
never be taken), review.py (what `covr check` says).
"""
