"""A link beneath each model of the site that opens it in the studio, if one runs on the reader's machine.

The link leads to the port that `covr studio` takes first, and holds the model behind `#`, in the way of the studio's
own links (studio/src/share.ts): browsers send that part to nobody. The studio asks before it opens what another page
links to (covr/studio/guard.py).
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64encode
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

HOME = "http://127.0.0.1:8378"  # covr/studio/serve.py: HOST and PORT; the test of this file compares them
TITLE = re.compile(r'^title "(.*)"', re.MULTILINE)
SAYS = "Opens this model in a studio that runs on your machine: start one with `covr studio`."


def insert(app: Sphinx, tree: nodes.document) -> None:
    """Sphinx's event `doctree-read`: put a link behind each block that is a whole model."""
    from docutils import nodes

    for block in list(tree.findall(nodes.literal_block)):
        if block.get("language") == "cover" and is_model(block.astext()):
            place = block.parent
            place.insert(place.index(block) + 1, nodes.raw("", shown(block.astext()), format="html"))


def is_model(text: str) -> bool:
    """Whether a text is a model, and not a line or two of one, nor a library."""
    return re.search(r"^choose ", text, re.MULTILINE) is not None


def shown(text: str) -> str:
    """The link to a model, in HTML."""
    return f'<p class="to-studio"><a href="{opening(text)}" title="{escape(SAYS)}">Open in the studio</a></p>'


def opening(text: str, home: str = HOME) -> str:
    """The address that opens a model in the studio whose page is at `home`."""
    title = TITLE.search(text)
    name = re.sub(r"\W+", "_", title[1].lower()).strip("_")[:40] if title else ""
    shared = json.dumps({"name": f"{name or 'model'}.cover", "text": text, "data": {}}, ensure_ascii=False)
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)  # without a header: `deflate-raw`
    packed = packer.compress(shared.encode()) + packer.flush()
    return f"{home}/#model={urlsafe_b64encode(packed).decode().rstrip('=')}"
