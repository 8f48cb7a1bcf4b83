"""What an editor asks comes in by the language server protocol; what it shows goes out: `covr lsp`.

What concerns the text alone is answered at once, by `covr.dsl.service`. Compiling and solving run in a process of their
own, which is stopped as soon as a later edit makes its result worthless.

Reading order: open_model.py (one model that is open in an editor, its places and answers in the words of the protocol),
jobs.py (what is worked out in another process, one job at a time), server.py (the language server: what an editor may
ask, and what it is told).
"""
