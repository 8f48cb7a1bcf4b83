"""A guard that needs no clock: how much work covr does for many questions, pinned (tests/README.md)."""
