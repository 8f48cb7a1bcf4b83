"""A text that is being edited, for the language server and the studio: what is known of it, and jobs about it.

What concerns the text alone is answered at once. Compiling and solving run in processes of their own, so that whatever
a model does can be ended by ending its process.

Reading order: text_state.py (what is known of one version of a text), channel.py (how a job tells what it finds, and
hears what is asked meanwhile), child.py (the process that works), job_process.py (starts, asks and ends that process),
review.py (what compiling a model says about it).
"""
