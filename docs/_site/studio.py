"""Links beneath each model of the site: one opens it in the playground, a part of the site, where that was built before
(docs/studio.md); the other in the studio, if one runs on the reader's machine.

The second leads to the port that `covr studio` takes first. Both hold the model behind `#`, in the way of the studio's
own links (studio/src/share.ts): browsers send that part to nobody. The studio asks before it opens what another page
links to (covr/studio/guard.py).
"""

from __future__ import annotations

import re
import shutil
import zlib
from base64 import urlsafe_b64encode
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[2]
HOME = "http://127.0.0.1:8378"  # covr/studio/app.py: HOST and PORT; the test of this file compares them
PLAYGROUND = ROOT / "build" / "playground"  # studio/playground/build.mjs makes it
WORDS = (ROOT / "studio" / "src" / "dictionary.txt").read_bytes()
TITLE = re.compile(r'^title "(.*)"', re.MULTILINE)
SAYS = "Opens this model in a studio that runs on your machine: start one with `covr studio`."
TRIES = "Opens this model in a page that runs covr in your browser. Nothing is sent anywhere."


def insert(app: Sphinx, tree: nodes.document) -> None:
    """Sphinx's event `doctree-read`: put links behind each block that is a whole model."""
    from docutils import nodes

    up = "../" * app.env.docname.count("/")
    playground = f"{up}playground" if (PLAYGROUND / "index.html").is_file() else None
    for block in list(tree.findall(nodes.literal_block)):
        if block.get("language") == "cover" and is_model(block.astext()):
            place = block.parent
            place.insert(place.index(block) + 1, nodes.raw("", shown(block.astext(), playground), format="html"))


def add_playground(app: Sphinx, error: Exception | None) -> None:
    """Sphinx's event `build-finished`: make the playground a part of the site."""
    if error is None and (PLAYGROUND / "index.html").is_file():
        shutil.copytree(PLAYGROUND, Path(app.outdir) / "playground", dirs_exist_ok=True)


def is_model(text: str) -> bool:
    """Whether a text is a model, and not a line or two of one, nor a library."""
    return re.search(r"^choose ", text, re.MULTILINE) is not None


def shown(text: str, playground: str | None = None) -> str:
    """The links to a model, in HTML. playground: where it is, if it is there."""
    studio = f'<a href="{opening(text)}" title="{escape(SAYS)}">Open in the studio</a>'
    tried = "" if playground is None else f'<a href="{opening(text, playground)}" title="{escape(TRIES)}">Try</a> · '
    return f'<p class="to-studio">{tried}{studio}</p>'


def opening(text: str, home: str = HOME) -> str:
    """The address that opens a model in the studio whose page is at `home`."""
    title = TITLE.search(text)
    name = re.sub(r"\W+", "_", title[1].lower()).strip("_")[:40] if title else ""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=WORDS)  # without a header: `deflate-raw`
    packed = packer.compress(f"{name or 'model'}\0{text}".encode()) + packer.flush()
    return f"{home}/#model=1.{urlsafe_b64encode(packed).decode().rstrip('=')}"
