"""Links between files of the repository, made to work on the site.

The pages link to each other as files do (`[…](language.md#functions)`), which MyST understands. Files outside of docs/
need more:

- README.md, whose place on the site is taken by the first page;
- CHANGELOG.md and CONTRIBUTING.md, which are pages of the site. A page of docs/ stands for each, and says in the
  repository where to look; here its text is replaced by that of the file, with links as from docs/;
- other files, such as `../models/latin/sudoku.cover`. They need nothing: MyST offers them for download. A link to a
  folder or to a file that does not exist stops the build.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

STANDS_FOR = {"changelog": "CHANGELOG.md", "contributing": "CONTRIBUTING.md"}
LINK = re.compile(r"\]\((?!\w+:|#)([^)\s#]+)(#[^)\s]*)?\)")


def rewrite(app: Sphinx, page: str, source: list[str]) -> None:
    """Sphinx's event `source-read`: change the text of a page, the only member of `source`, before it is parsed."""
    text = source[0]
    if page in STANDS_FOR:
        text = (Path(app.srcdir).parent / STANDS_FOR[page]).read_text(encoding="utf-8")
        text = LINK.sub(lambda found: f"]({from_docs(found[1])}{found[2] or ''})", text)
    source[0] = LINK.sub(lambda found: f"]({on_the_site(found[1], found[2] or '')})", text)


def from_docs(target: str) -> str:
    """A path as the repository's root names it, as a page of docs/ does."""
    inside = target.removeprefix("docs/")
    return inside if inside != target else f"../{target}"


def on_the_site(target: str, anchor: str) -> str:
    """Where a link of a page of docs/ leads on the site. The first page has other headings than README.md."""
    if target == "../README.md":
        return "index.md"
    for page, file in STANDS_FOR.items():
        if target == f"../{file}":
            return f"{page}.md{anchor}"
    return target + anchor
