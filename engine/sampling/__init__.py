"""A problem comes in; random answers, and how big its search would be, go out.

Reading order: probe.py and sparse.py (how big a search is, by random probes), sample.py (answers, each as likely).
"""
