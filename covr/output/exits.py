"""What the exit code of `covr` says."""

from typing import Final

FOUND: Final = 0  # found or proved as asked
NONE: Final = 1  # proved that there is none, or not unique, or an expectation failed
FAULT: Final = 2  # a fault in model, data or usage
UNKNOWN: Final = 3  # a limit was hit: no answer, or the question is not decided
INTERRUPTED: Final = 130  # Ctrl-C
