"""`python -m tests.guard.renew`: pin what covr does now, and say what has changed."""

from __future__ import annotations

from tests.guard.pins import FILE, all_changes, measure, pinned, text_of


def main() -> None:
    """Write pins.toml."""
    before, now = pinned() if FILE.exists() else {}, measure()
    faults = [f"{name}: {work['fault']}" for name, work in now.items() if "fault" in work]
    if faults:
        raise SystemExit("\n".join(["nothing is pinned, because these pairs could not be asked:", *faults]))
    print(*all_changes(before, now), f"{len(now)} pairs are pinned in {FILE.name}", sep="\n")
    FILE.write_text(text_of(now), encoding="utf-8")


if __name__ == "__main__":
    main()
