"""`python -m covr` is the `covr` command."""

import sys

from covr.cli import main

sys.exit(main())
