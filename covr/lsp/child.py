"""The process in which models are compiled and solved: reads a job a line from standard input, and writes its result.

Started as `python -m covr.lsp.child`. It ends when its input does, so it never outlives the server.
"""

from __future__ import annotations

import json
import os
import sys


def main() -> None:
    """Answer jobs until there are none. Whatever else prints goes to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    from covr.lsp.jobs import work

    for line in sys.stdin:
        try:
            result = work(json.loads(line))
        except Exception as error:  # a fault of covr's own must not end the server's helper
            result = {"failed": f"{type(error).__name__}: {str(error)[:500]}"}
        out.write(json.dumps(result) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
