"""Links between files of the repository, made to work on the site.

The pages link to each other as files do (`[…](language.md#functions)`), which MyST understands. Files outside of docs/
need more:

- README.md, whose place on the site is taken by the first page;
- CHANGELOG.md, a page of the site. A page of docs/ stands for it, and says in the repository where to look; here its
  text is replaced by that of the file, with links as from docs/;
- models of the gallery, such as `../models/latin/sudoku.cover`, which the site shows with their pictures;
- codes of messages, `[E102](errors.md)`, each of which has a place of its own on the site;
- other files, which MyST offers for download. A link to a folder or to a file that does not exist
  stops the build.

Addresses of earlier releases lead on: `MOVED` says where to, for pages that are gone and for parts of other pages.

What stands between `<!-- repository -->` and `<!-- /repository -->` is left out of the site.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from . import made

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# Page, or page and anchor, of an earlier release → those of now. Any other anchor leads to the page's new place.
MOVED = {
    "for-making": "making",
    "for-solving": "solving",
    "for-solvers": "other-solvers",
    "from-others": "other-solvers#the-same-model-in-three-languages",
    "estimates": "engines#estimates",
    "estimates#right-to-the-last-digit": "engines#right-to-the-last-digit",
    "estimates#writing-one": "engines#writing-an-estimate",
    "workshop": "making",
    "workshop#candidates": "solving#candidates",
    "workshop#a-hint": "solving#a-hint",
    "workshop#what-counts": "solving#what-counts",
    "workshop#a-grade": "solving#a-grade",
    "workshop#what-a-size-means": "solving#a-grade",
    "workshop#what-the-clues-are": "making#what-the-clues-are",
    "workshop#clues-that-rules-read": "making#clues-that-rules-read",
    "workshop#layouts": "making#layouts",
    "workshop#the-fewest-clues": "making#the-fewest-clues",
    "workshop#where-puzzles-go": "making#onto-paper",
    "workshop#answers-as-a-diagram": "command#answers-as-a-diagram",
    "language#values-and-expressions": "values#values-and-expressions",
    "language#readers": "values#readers",
    "language#boards-that-are-not-squares": "values#boards-that-are-not-squares",
    "language#functions": "values#functions",
    "language#sections-of-a-file": "values#sections-of-a-file",
    "language#pictures": "pictures#show",
    "language#limits": "errors#what-a-model-may-ask-for",
    "language#decisions": "language#what-a-rule-means",
    "pictures#what-is-drawn-how": "pictures#show",
    "pictures#themes": "pictures#files",
    "pictures#notebooks": "python#notebooks",
    "pictures#beside-other-work": "python#threads-and-async",
    "python#faults": "python#errors",
    "reference": "python#name-by-name",
    "messages": "errors",
    "adding-kinds": "index#all-pages",
    "roadmap": "index",
    "long-runs#the-file": "long-runs#what-is-guaranteed",
    "formats#csv": "formats#the-other-matrices",
    "formats#npy": "formats#the-other-matrices",
    "formats#gr-col-ds-vc": "formats#the-other-matrices",
    "formats#sets": "formats#the-other-matrices",
    "formats#hgr": "formats#the-other-matrices",
    "formats#xcc": "formats#the-other-matrices",
    "formats#scp-rail-spp": "formats#the-other-matrices",
    "contributing": "index#all-pages",
    "tour": "index#all-pages",
    "json": "formats#json-lines",
    "json#progress": "formats#progress",
    "json#answers-in-files": "formats#answers-in-files",
    "limits": "errors#what-a-model-may-ask-for",
    "limits#files": "errors#files",
    "limits#files-of-strangers": "errors#files-of-strangers",
    "studio#how-the-page-is-built": "index#all-pages",
    "studio#questions": "studio#the-panes",
    "playground": "studio#the-playground",
    "editors": "studio#your-editor",
    "editors#vs-code": "studio#vs-code",
    "editors#neovim": "studio#neovim",
    "editors#helix": "studio#helix",
    "editors#zed": "studio#zed",
    "editors#emacs": "studio#emacs",
    "editors#notebooks": "studio#models-in-notebooks",
    "proofs": "trust#proofs-that-another-program-checks",
    "proofs#what-you-have-to-believe": "trust#what-you-have-to-believe",
    "proofs#how-such-a-proof-goes": "trust#how-such-a-proof-goes",
    "proofs#proofs-of-others": "trust#proofs-of-others",
    "testing": "trust",
    "testing#covr-checks-itself": "trust#a-second-search",
    "testing-log": "trust",
}
STUB = (
    '<!doctype html><meta charset="utf-8"><title>Moved</title><p>Moved to <a href="{0}">{0}</a>.<script>{1}</script>\n'
)
STANDS_FOR = {"changelog": "CHANGELOG.md"}
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
    if target.startswith("../") and target.endswith(".md"):
        return f"path:{target}"  # no page of the site: MyST offers the file
    return target + anchor


def address(target: str) -> str:
    """The address of a page, with its anchor, on the site: `making#layouts` → `making.html#layouts`."""
    page, sign, anchor = target.partition("#")
    return f"{page}.html{sign}{anchor}"


def script() -> str:
    """JavaScript for every page: it leaves for the new place, if the address is one of an earlier release."""
    places = {old: address(new) for old, new in MOVED.items()}
    return (
        f"(() => {{const to = {json.dumps(places)}, page = location.pathname.split('/').pop().replace('.html', '');"
        "const place = to[page + location.hash] ?? to[page]; if (place) location.replace(place);})();"
    )


def lead_on(app: Sphinx, failed: Exception | None) -> None:
    """Sphinx's event `build-finished`: write a page in the place of each that is gone."""
    if failed is None and app.builder.format == "html":
        for old, new in MOVED.items():
            place = Path(app.outdir, f"{old}.html")
            if "#" not in old and not place.exists():
                place.write_text(STUB.format(address(new), script()), encoding="utf-8")
