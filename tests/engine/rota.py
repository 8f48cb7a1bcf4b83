"""A rota whose minimum a search in one order doesn't find, compiled for all tests that ask for it."""

from __future__ import annotations

from functools import cache

import covr
from covr.engine import Problem

ROTA = """
param nurses = table("name", "cannot…") \"\"\"
  ann   1 2
  ben   6 7
  cas   3
  dot
  eve   5 6 7
  fay   1
  gus   4
  hal   2 7
\"\"\"
let days = 1..7
let need = [2, 1, 1]
choose work(p, d, s) for p in nurses, d in days, s in 1..3
exactly need[s] work per d, s
at most one work per p, d
at most one work per p, e in 1..6 where (d = e and s = 3) or (d = e + 1 and s < 3)
exactly 3..4 work per p
at most 2 work per p where s = 3
minimize (if d in p.cannot then 10 else 0) + (if s = 3 then 2 else 0) of work
"""


@cache
def rota() -> Problem:
    """Eight nurses on seven days in three shifts; 14 is the least."""
    return covr.loads(ROTA).problem
