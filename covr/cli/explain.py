"""`covr explain`: the page about a code."""

from __future__ import annotations

import click

from covr.cli.common.help import command
from covr.cli.common.shared import complete_names
from covr.faults import usage_error
from covr.output.exits import FOUND


@command("explain")
@click.argument("codes", metavar="[CODE]...", nargs=-1, shell_complete=complete_names("code"))
def explain_command(codes: tuple[str, ...]) -> int:
    """Explain what a message's CODE means, with an example and how to mend it. Without a code, list them all.

    \b
    Example:
      covr explain E401
    """
    from covr.explain.code_pages import contents, page_text, pages

    known = pages()
    if not codes:
        click.echo(contents())
    for number, code in enumerate(codes):
        page = known.get(code.upper().strip("[]:"))
        if page is None:
            raise _unknown(code)
        click.echo(("\n" + "-" * 80 + "\n\n") * (number > 0) + page_text(page))
    return FOUND


def _unknown(code: str) -> Exception:
    from covr.dsl import suggest
    from covr.dsl.codes import CODES

    close = suggest(code.upper(), sorted(CODES))
    help = f"did you mean `{close}`?" if close else "`covr explain` lists them all"
    return usage_error("E511", f"there is no code `{code}`", help=help)
