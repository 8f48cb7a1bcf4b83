"""`covr lsp`: what editors start."""

from __future__ import annotations

from covr.cli.common.help import command
from covr.engine.base.extras import wanted


@command("lsp")
def lsp_command() -> None:
    """Serve editors by the language server protocol, over standard input and output.

    An editor starts this by itself once it is told to: docs/editors.md says how. Needs `covr[lsp]`.

    \b
    Examples:
      covr lsp
    """
    wanted("pygls", "lsp", "`covr lsp`")
    from covr.lsp.serve import serve

    serve()
