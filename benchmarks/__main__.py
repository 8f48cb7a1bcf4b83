"""`python -m benchmarks NAME …`: run benchmarks/NAME.py."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import click

HELPERS = {"__init__", "__main__", "instances", "published", "peers", "measure", "document"}


def main() -> int:
    """Run the named benchmark with the rest of the command line. Words that it does not know are one message, and 2."""
    files = Path(__file__).parent.glob("*.py")
    names = sorted(p.stem for p in files if p.stem not in HELPERS and not p.stem.startswith("_"))
    if len(sys.argv) < 2 or sys.argv[1] not in names:
        print(f"usage: python -m benchmarks {{{','.join(names)}}} …", file=sys.stderr)
        return 2
    try:
        return int(importlib.import_module(f"benchmarks.{sys.argv[1]}").main(sys.argv[2:]) or 0)
    except click.ClickException as fault:
        fault.show()
        return fault.exit_code


if __name__ == "__main__":
    sys.exit(main())
