"""`covr lsp`: what editors start."""

from __future__ import annotations

import click

from covr.engine.base.extras import wanted
from covr.output.exits import FOUND


@click.command("lsp")
def lsp_command() -> int:
    """Serve editors by the language server protocol, over standard input and output.

    An editor starts this by itself once it is told to: docs/editors.md says how. Needs `covr[lsp]`.

    \b
    Examples:
      covr lsp
    """
    wanted("pygls", "lsp", "`covr lsp`")
    from covr.lsp.server import make_server

    make_server().start_io()
    return FOUND
