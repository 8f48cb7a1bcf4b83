"""Links between files of the repository, made to work on the site.

The pages link to each other as files do (`[…](language.md#functions)`), which MyST understands. Files outside of docs/
need more:

- README.md, whose place on the site is taken by the first page;
- CHANGELOG.md and CONTRIBUTING.md, which are pages of the site. A page of docs/ stands for each, and says in the
  repository where to look; here its text is replaced by that of the file, with links as from docs/;
- models of the gallery, such as `../models/latin/sudoku.cover`, which the site shows with their pictures;
- codes of messages, `[E102](errors.md)`, each of which has a place of its own on the site;
- other files. They need nothing: MyST offers them for download. A link to a folder or to a file that does not exist
  stops the build.

What stands between `<!-- repository -->` and `<!-- /repository -->` is left out of the site.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from . import made

if TYPE_CHECKING:
    from sphinx.application import Sphinx

STANDS_FOR = {"changelog": "CHANGELOG.md", "contributing": "CONTRIBUTING.md"}
COUNTS = "../benchmarks/counts.md"
CODE = re.compile(r"\[([EW]\d{3})\]\(errors\.md\)")
ONLY_IN_REPOSITORY = re.compile(r"^<!-- repository -->\n.*?^<!-- /repository -->\n", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!\w+:|#)([^)\s#]+)(#[^)\s]*)?\)")


def rewrite(app: Sphinx, page: str, source: list[str]) -> None:
    """Sphinx's event `source-read`: change the text of a page, the only member of `source`, before it is parsed."""
    text = source[0]
    if page in STANDS_FOR:
        text = (Path(app.srcdir).parent / STANDS_FOR[page]).read_text(encoding="utf-8")
        text = LINK.sub(lambda found: f"]({from_docs(found[1])}{found[2] or ''})", text)
    text = CODE.sub(r"[\1](#\1)", ONLY_IN_REPOSITORY.sub("", text))
    source[0] = LINK.sub(lambda found: f"]({on_the_site(found[1], found[2] or '')})", text)


def from_docs(target: str) -> str:
    """A path as the repository's root names it, as a page of docs/ does."""
    inside = target.removeprefix("docs/")
    return inside if inside != target else f"../{target}"


def on_the_site(target: str, anchor: str) -> str:
    """Where a link of a page of docs/ leads on the site. The first page has other headings than README.md."""
    if target == "../README.md":
        return "index.md"
    if target == COUNTS:
        return "gallery/published-counts.md"
    model = made.models().get(target.removeprefix("../"))
    if model is not None:
        return made.place_of(model) or target
    for page, file in STANDS_FOR.items():
        if target == f"../{file}":
            return f"{page}.md{anchor}"
    return target + anchor
