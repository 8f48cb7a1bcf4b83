"""The exit codes of `covr`."""

from typing import Final

FOUND: Final = 0  # found or proved as asked
NONE: Final = 1  # proved that there is none, or not unique, or an expectation failed
FAULT: Final = 2  # a fault in model, data or usage
UNKNOWN: Final = 3  # a limit was reached without an answer, or before the question was decided
INTERRUPTED: Final = 130  # Ctrl-C, or SIGTERM while a search runs
