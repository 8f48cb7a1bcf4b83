"""A problem comes in; random answers, and how big its search would be, go out.

Reading order: probe.py and sparse.py (one random probe of a search tree), probing.py (how big a search is, by many of
them), sample.py (answers, each as likely).
"""
