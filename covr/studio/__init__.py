"""Requests of a page in a browser on this machine come in; a live view of a model goes out: `covr studio`.

The server itself reads nothing. What is asked about texts is answered by a process for each page, and every question
about a model is a job in a process of its own, with limits of time and memory; ending it is a kill. docs/studio.md says
what the page may ask and how it is kept from others.

Reading order: limits.py (what a page may ask for), utf16.py (places as a browser counts them), guard.py (who may ask),
body.py (what a page sends), replies.py (requests, and streams of events), params.py (a model's data as a form),
faults.py (a fault as the page shows it), folder.py (the files that may be read and written), texts.py (texts that are
open in a page), about_texts.py (what is asked about them), readers.py (the processes that answer it), asking.py (a
question as a process is given it), pool.py (processes, kept ready), job.py (one question), drawn.py (which pictures
were drawn), desk.py (all questions), line.py (one stream for many pages), shelves.py (models that ship with covr),
gallery.py (their pictures), built_page.py (where the page is), app.py (what address leads where), serve.py (the server,
from start to Ctrl-C), in_page.py (all of this within a page that has no server). In work/: the processes of the
questions. In boards/: what of a text can be drawn, and what strokes of the page write.
"""
