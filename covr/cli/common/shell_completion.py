"""Words for a shell to complete: names of models, and params after `-D`. After a fault there are simply no words."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click
from click.shell_completion import CompletionItem

MOST = 200  # files that are offered


def models(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Models of the gallery, and the folders and `.cover` files whose names begin with the word."""
    from covr.inputs.library import SUFFIX, gallery_names

    found = [CompletionItem(name) for name in gallery_names() if name.startswith(begun)]
    with suppress(OSError, ValueError):
        folder, _slash, part = begun.rpartition("/")
        base = Path(folder or ("/" if begun.startswith("/") else "."))
        for path in sorted(base.iterdir())[:MOST]:
            if path.name.startswith(part) and (path.is_dir() or path.suffix == SUFFIX):
                word = begun[: len(begun) - len(part)] + path.name
                found.append(CompletionItem(word + "/" * path.is_dir()))
    return found


def params(ctx: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
    """`NAME=` for each param of the model on the line that is not set yet."""
    from covr.dsl import ModelErrors
    from covr.dsl.syntax import Param
    from covr.inputs.library import open_model

    # If an option still lacks its value, click's parser stops before it assigns the arguments to their names.
    model = ctx.params.get("model") or next(iter(ctx.args), None)
    if not isinstance(model, str) or model == "-" or "=" in begun:
        return []
    with suppress(ModelErrors, OSError):
        names = [d.name.id for d in open_model(model).definitions if isinstance(d, Param)]
        taken = {define.partition("=")[0] for define in ctx.params.get("defines") or ()}
        return [CompletionItem(f"{n}=") for n in names if n.startswith(begun) and n not in taken]
    return []
