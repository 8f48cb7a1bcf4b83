"""`python -m covr` is the `covr` command."""

import sys
from importlib.util import find_spec

if find_spec("covr.dsl") is None:
    sys.exit(
        f"error: {__file__.rpartition('__main__')[0]} was checked out without its links, and is not installed\n"
        "help: run `pip install -e .` in the folder above it, or start from another folder"
    )

from covr.cli import main

sys.exit(main())
