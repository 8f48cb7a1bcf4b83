"""A text that is being edited, for the language server and the studio: what is known of it, and jobs about it.

What concerns the text alone is answered at once. Compiling and solving run in processes of their own, so that whatever
a model does can be ended by ending its process.

Reading order: review.py (what is known of one version of a text, and what compiling it says), child.py (the process in
which models are compiled and solved: how it gets jobs, and reports), job_process.py (starts, asks and ends
these processes, and keeps some ready).
"""
