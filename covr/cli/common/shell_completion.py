"""Words for a shell to complete: names of models, params after `-D`, and what else has names, such as symmetries and
engines. After a fault there are simply no words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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


def _codes() -> Iterable[str]:
    from covr.dsl.codes import CODES

    return CODES


def _symmetries() -> Iterable[str]:
    from covr.questions.patterns import SYMMETRIES

    return SYMMETRIES


def _engines() -> Iterable[str]:
    from covr.engine import ENGINES

    return ENGINES


def _estimates() -> Iterable[str]:
    from covr.engine import ESTIMATES

    return ESTIMATES


def _themes() -> Iterable[str]:
    from covr.draw.themes import THEMES

    return THEMES


def _readable() -> Iterable[str]:
    from covr.compiler.formats import READABLE

    return READABLE


def _writable() -> Iterable[str]:
    from covr.compiler.formats import WRITABLE

    return WRITABLE


# What has names → those names, each found when it is asked for.
NAMES: dict[str, Callable[[], Iterable[str]]] = {
    "code": _codes, "symmetry": _symmetries, "engine": _engines, "estimate": _estimates, "theme": _themes,
    "readable": _readable, "writable": _writable,
}  # fmt: skip


def named(what: str, begun: str) -> list[CompletionItem]:
    """The names of one kind that begin with a word, in whatever case it is typed; of several with commas, the last."""
    before, comma, last = begun.rpartition(",") if what == "estimate" else ("", "", begun)
    found = [name for name in NAMES[what]() if name.casefold().startswith(last.casefold())]
    return [CompletionItem(before + comma + name) for name in found]
