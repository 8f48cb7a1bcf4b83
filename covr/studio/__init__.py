"""Requests of a page in a browser on this machine come in; a live view of a model goes out: `covr studio`.

The server itself reads nothing. What is asked about texts is answered by a process for each page, and every question
about a model is a job in a process of its own, with limits of time and memory; ending it is a kill. docs/studio.md says
what the page may ask and how it is kept from others.

Reading order: asking.py (a question of a page, checked, and what a page may ask for), texts.py (texts that are open in
pages: their places, faults and params as JSON objects), guard.py (who may ask), body.py (what a page sends), app.py
(the server: which address leads to which function, and its life from start to Ctrl-C), folder.py (the files that may be
read and written), about_texts.py (what is asked about them), job.py (the processes that answer pages), shelves.py (the
models that ship with covr, for a page, and their pictures), in_page.py (all of this within a page that has no server),
work/, boards/.
"""
