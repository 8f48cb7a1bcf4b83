"""Where the studio's page is: the files that `studio/build.mjs` makes, which are no part of the repository.

A wheel contains them, in the package. Whoever installs covr from a clone may build them later, and then they are in
the clone; unless the installation is editable, the package is elsewhere. `pip` notes which folder it installed from
(direct_url.json, PEP 610), so they are looked for in both, and the page that was built last is taken.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from shlex import quote
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

PACKAGE = Path(__file__).parent
PLACE = Path("covr", "studio")  # in a clone
INDEX = "index.html"


def find_page() -> Path:
    """The folder with the page; the package's own, without files, if it was built nowhere."""
    return newest([PACKAGE / "page", *(clone / PLACE / "page" for clone in clones())])


def newest(folders: Iterable[Path]) -> Path:
    """The first of the folders whose page was built last, or the first of all if none has a page."""
    folders = list(folders)
    built = [folder for folder in folders if (folder / INDEX).is_file()]
    return max(built, key=lambda folder: (folder / INDEX).stat().st_mtime, default=folders[0])


@lru_cache(maxsize=1)
def clones() -> tuple[Path, ...]:
    """The clone that this covr was installed from, or that it runs in; none for a wheel."""
    found: list[Path | None] = [PACKAGE.parents[1]]
    with suppress(PackageNotFoundError):
        found.append(installed_from(distribution("covr").read_text("direct_url.json")))
    there = [clone for clone in found if clone is not None and (clone / "studio" / "package.json").is_file()]
    return tuple(dict.fromkeys(there))


def installed_from(noted: str | None) -> Path | None:
    """The folder that a text of direct_url.json names; None if it names none."""
    try:
        url = urlsplit(json.loads(noted or "{}")["url"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return Path(url2pathname(unquote(url.path))) if url.scheme == "file" else None


def not_built() -> str:
    """What is said where there is no page: the command that builds it, in the clone if there is one."""
    clone = next(iter(clones()), None)
    if clone is None:
        return "covr studio: its page is not in this installation.\nA wheel of covr has it, and a clone can build it.\n"
    where = "studio" if clone == Path.cwd() else quote(str(clone / "studio"))
    command = f"npm ci --ignore-scripts --prefix {where} && npm run build --prefix {where}"
    return f"covr studio: its page is not built.\nBuild it with node, once: `{command}`. Then reload the page.\n"
