"""A lowered model comes in, and what can be said about it without solving it goes out.

Reading order: remarks.py (items that nothing can satisfy, choices that no rule asks for), review.py (what `covr check`
says about a model without solving it).
"""
