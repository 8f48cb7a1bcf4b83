"""What an editor asks comes in by the language server protocol; what it shows goes out: `covr lsp`.

What concerns the text alone is answered at once, by `covr.dsl.service`. Compiling and solving run in a process of their
own, which is stopped as soon as a later edit makes its result worthless.

Reading order: places.py (offsets as an editor counts them), jobs.py (what is worked out in another process), worker.py
(starts, asks and stops such a process of `covr.live`), translate.py (what is found, in the protocol's words),
open_model.py (one text that is being edited), cover_server.py (tells what is wrong with texts), about_places.py,
about_texts.py, actions.py and searches.py (what an editor may ask), server.py (all of it), serve.py (serves
one editor, up to the end).
"""
