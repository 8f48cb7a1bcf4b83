"""A problem comes in; random answers, and how big its search would be, go out.

Reading order: probe.py (the size of a search before it is run, by random probes of its tree), sample.py (answers, each
as likely).
"""
