"""The folder that `covr studio` was started for: the only files that a page may read or write.

A path of a page is relative to the folder, and links in it are followed before it is checked, so that none leads out.
A file is written completely or not at all, and only if it is still what the page has last read.
"""

from __future__ import annotations

import hashlib
import os
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from covr.dsl.diagnostics import ModelErrors
from covr.faults import write_whole
from covr.inputs.library import SUFFIX, gallery, read_text
from covr.studio.body import Bad
from covr.text import reason_of

MOST_FILES = 2000  # files that are listed
DEEPEST = 6  # folders below the folder that are looked into
WRITTEN = (".txt", ".csv", ".tsv", ".dat", ".data", ".sdk", ".sdm", ".puz", ".grid")  # data that a page writes
DATA = (*WRITTEN, ".json", ".toml")  # data that it reads; other programs have their settings in the last two
LARGEST = 2_000_000  # bytes of a file that is read or written here
UNTITLED = f"untitled{SUFFIX}"


class StudioFolder:
    """A folder, and what a page may do in it. root: the folder itself, all links followed."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._writing = threading.Lock()

    def place(self, path: str) -> Path:
        """The file that a page means. Raises Bad for a path that leads out of the folder, in whatever way, or to
        anything but an ordinary file."""
        if not path or "\0" in path or Path(path).is_absolute() or Path(path).drive:
            raise Bad("a path is relative to the folder")
        try:
            found = (self.root / path).resolve()
            inside = found.is_relative_to(self.root) and found != self.root
        except (OSError, ValueError, RuntimeError):
            inside = False
        if not inside:
            raise Bad("this path leads out of the folder", 403)
        if any(part.startswith(".") for part in found.relative_to(self.root).parts):
            raise Bad("hidden files are left alone", 403)
        return found

    def source_path(self, name: str) -> str:
        """The path that a text of that name has, for what it names itself (`use`, `file`); a text that is no file of
        the folder stands in the folder, too."""
        try:
            return str(self.place(name))
        except Bad:
            return str(self.root / UNTITLED)

    def read(self, path: str) -> dict[str, Any]:
        """A file: its text, and the hash with which it may be written."""
        place = self._ordinary(path)
        try:
            raw = place.read_bytes()
            text = read_text(place, path, LARGEST)
        except OSError as error:
            raise Bad(f"{path}: {reason_of(error)}", 404) from None
        except ModelErrors as errors:
            raise Bad(errors.diagnostics[0].message, 415) from None
        return {"path": path, "text": text, "seen": seen(raw)}

    def write(self, path: str, text: str, known: str | None) -> dict[str, Any]:
        """Write a file. known: the hash of what the page has last read; None for a file that must be new. Raises Bad
        409 if the file is another by now; the file is then as it was."""
        place = self.place(path)
        if place.suffix.lower() not in (SUFFIX, *WRITTEN):
            raise Bad(f"the studio writes models ({SUFFIX}) and data ({', '.join(WRITTEN)})", 403)
        if not place.parent.is_dir():
            raise Bad("there is no such folder", 404)
        raw = text.encode()
        try:
            with self._writing:  # of two pages that write at once, one is refused
                there = self._ordinary(path).read_bytes() if place.exists() else None
                if (None if there is None else seen(there)) != known:
                    raise Bad(
                        "the file has changed since it was read" if known else "there is such a file already", 409
                    )
                write_whole(place, raw)
        except OSError as error:
            raise Bad(f"{path} can't be written: {reason_of(error)}", 403) from None
        return {"path": path, "seen": seen(raw)}

    def _ordinary(self, path: str) -> Path:
        """An ordinary file that is not too large; neither a device nor a pipe, which could block for ever."""
        place = self.place(path)
        try:
            about = place.stat()
        except OSError:
            raise Bad(f"there is no file {path}", 404) from None
        if not stat.S_ISREG(about.st_mode):
            raise Bad(f"{path} is no ordinary file", 403)
        if about.st_size > LARGEST:
            raise Bad(f"{path} is larger than {LARGEST // 1_000_000} MB", 413)
        return place

    def files(self) -> dict[str, Any]:
        """The models and data of the folder, sorted; `more`: whether some are left out."""
        found = sorted(self._walk(self.root, 0))
        return {"folder": str(self.root), "files": found[:MOST_FILES], "more": len(found) > MOST_FILES}

    def _walk(self, folder: Path, depth: int) -> Iterator[str]:
        count = 0
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith(".") or count > MOST_FILES:
                    continue
                if entry.is_dir(follow_symlinks=False) and depth < DEEPEST:
                    yield from self._walk(Path(entry.path), depth + 1)
                elif Path(entry.name).suffix.lower() in (SUFFIX, *DATA) and self._may(entry):
                    count += 1
                    yield Path(entry.path).relative_to(self.root).as_posix()

    def _may(self, entry: os.DirEntry[str]) -> bool:
        """Whether an entry is a file, or a link to one in the folder."""
        with suppress(OSError, RuntimeError):
            return entry.is_file() and Path(entry.path).resolve().is_relative_to(self.root)
        return False


def refusal(within: Path, foreign: bool) -> Callable[[str], str | None]:
    """Says why a model in a page may not read a file, for `refusing`; None for one that it may. within: the folder of
    the studio. foreign: whether the model came by a link, and nobody has allowed it to read files yet."""
    root, shipped = within.resolve(), gallery().resolve()

    def why(path: str) -> str | None:
        named = Path(os.path.abspath(within / path))
        try:
            found = named.resolve()
        except (OSError, ValueError, RuntimeError):
            return "its place can't be found out"
        if found.is_relative_to(shipped):
            return None
        if not found.is_relative_to(root):
            return "it is outside the folder of the studio"
        shown = named.relative_to(within).parts if named.is_relative_to(within) else ()
        if any(part.startswith(".") for part in (*found.relative_to(root).parts, *shown)):
            return "hidden files are left alone"
        return "this model came by a link, and may read files only if you allow it" if foreign else None

    return why


def seen(raw: bytes) -> str:
    """What stands for the contents of a file."""
    return hashlib.sha256(raw).hexdigest()
