"""How fast covr is beside others: `python -m benchmarks NAME`, each NAME a file here with a `main`.

Reading order: instances.py (the problems), published.py (those read from elsewhere), peers.py (one run of one
solver, in any Python), measure.py (runs in processes of their own, interleaved), document.py (benchmarks/results.md),
exact.py (exact cover), batch.py (thousands of sudokus), links.py (a thousand links), proved.py (runs up to a proved
minimum) with cover.py and best.py on it, large.py (best cover and best bound in a given time). Nothing here is
installed, and no peer is a dependency of covr.
"""
