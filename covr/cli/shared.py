"""What subcommands have in common: how a model is named, how its params are set, and how a search is limited."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import attrs
import click

from covr.cli.group import CompilingStopped
from covr.cli.progress import compiling, limited, ring_after
from covr.compiler import Compiled, FromText, compile_model
from covr.dsl.diagnostics import Diagnostic, ModelErrors, Source, Span
from covr.dsl.syntax import Param
from covr.engine import ENGINES
from covr.inputs.library import SUFFIX, gallery_names, open_model
from covr.output.streams import is_quiet, remark
from covr.questions.options import CommandOptions, Options, size_of

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from covr.links.file import Linked

    ParamType = click.ParamType[Any]
else:
    ParamType = click.ParamType  # older versions of click do not let it be subscripted

F = TypeVar("F", bound=Callable[..., Any])


def block(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several click options as one decorator; `--help` lists them in this order."""

    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


MOST = 200  # files that are offered


def complete_models(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Models of the gallery, and the folders and `.cover` files whose names begin with the word."""
    from click.shell_completion import CompletionItem

    found = [CompletionItem(name) for name in gallery_names() if name.startswith(begun)]
    with suppress(OSError, ValueError):
        folder, _slash, part = begun.rpartition("/")
        base = Path(folder or ("/" if begun.startswith("/") else "."))
        for path in sorted(base.iterdir())[:MOST]:
            if path.name.startswith(part) and (path.is_dir() or path.suffix == SUFFIX):
                word = begun[: len(begun) - len(part)] + path.name
                found.append(CompletionItem(word + "/" * path.is_dir()))
    return found


def complete_params(ctx: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
    """`NAME=` for each param of the model on the line that is not set yet."""
    from click.shell_completion import CompletionItem

    from covr.dsl import ModelErrors

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
    from covr.puzzles.made_puzzle import SYMMETRIES

    return SYMMETRIES


def _engines() -> Iterable[str]:
    return ENGINES


def _estimates() -> Iterable[str]:
    from covr.engine import ESTIMATES

    return ESTIMATES


def _themes() -> Iterable[str]:
    from covr.draw.elements import THEMES

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


def complete_names(what: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """The names of one kind that begin so, in whatever case they are typed; of several with commas, the last."""

    def complete(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        before, comma, last = begun.rpartition(",") if what == "estimate" else ("", "", begun)
        found = [name for name in NAMES[what]() if name.casefold().startswith(last.casefold())]
        return [CompletionItem(before + comma + name) for name in found]

    return complete


def _as_kind(ctx: click.Context, _: click.Parameter, model: str | None) -> str | None:
    """The model, or what it is with `--as KIND` and `--ignore drawings`, which are read before it."""
    kind: str | None = ctx.meta.get("covr.as")
    ignore = "covr.ignore" in ctx.meta
    if model is None or (kind is None and not ignore):
        return model
    from covr.inputs.as_link import linked_as, usual_form, written

    linked = linked_as(model, kind, ignore)
    tell_passed(linked, ignore)
    return written(linked, usual_form(linked)).strip()


def _keep(key: str) -> Callable[[click.Context, click.Parameter, str | None], None]:
    """A callback that keeps an option's value under this key of click's context."""

    def keep(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
        if value is not None:
            ctx.meta[key] = value

    return keep


_as_option = click.option(
    "--as", metavar="KIND", is_eager=True, expose_value=False, callback=_keep("covr.as"),
    help="The kind of puzzle that MODEL is, for links that do not say it.",
)  # fmt: skip
_IGNORED = click.Choice(["drawings"])
_IGNORE_HELP = (
    "Pass over what the setter of a sudoku drew freely, such as lines and colours, and say whether the rest has one "
    "answer."
)
ignore_option = click.option("--ignore", type=_IGNORED, help=_IGNORE_HELP)
_kept_ignore_option = click.option(
    "--ignore", type=_IGNORED, is_eager=True, expose_value=False, callback=_keep("covr.ignore"), help=_IGNORE_HELP
)
MOST_SECONDS = 10.0  # for finding out whether a puzzle without its drawings has one answer


def tell_passed(linked: Linked, asked: bool) -> None:
    """Say what was passed over in a link, if that was asked for, and whether the rest has one answer."""
    from covr.links.fpuzzles import drawings

    passed = {str(place[0]): int(str(many)) for place, many in linked.board.layer("passed").items()}
    if is_quiet():
        return
    if passed:
        remark(f"passed over: {drawings(passed)}; {_answers_of(linked)}")
    elif asked:
        remark("there are no drawings in this link that could be passed over")


def _answers_of(linked: Linked) -> str:
    """Whether a puzzle without its drawings has one answer, in words."""
    from covr.questions.run import Run

    options = Options(limit_time=MOST_SECONDS)
    try:
        with limited(options):
            compiled = compile_model(open_model(linked.kind.model), linked.kind.params(linked.board))
        run = Run(compiled, options)
        found = len(list(run.answers(limit=2)))
    except CompilingStopped:
        return _UNKNOWN
    if found > 1:
        return "the rest has more than one answer, so they have a meaning"
    if not run.complete:
        return _UNKNOWN
    return "the rest has one answer" if found else "the rest has no answer"


_UNKNOWN = f"it was not found out within {MOST_SECONDS:g} seconds whether the rest has one answer"


def _model(required: bool) -> Callable[[F], F]:
    argument = click.argument(
        "model", metavar="MODEL", required=required, shell_complete=complete_models, callback=_as_kind
    )
    return block(argument, _as_option, _kept_ignore_option)


model_argument = _model(True)

# The same for a command that can do without it, where `--each FILE` names links.
optional_model = _model(False)

define_option = click.option(
    "-D", "defines", multiple=True, metavar="NAME=VALUE", shell_complete=complete_params,
    help="Set a param: -D n=9, or -D clue=@FILE to read it from a file. May be repeated.",
)  # fmt: skip

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Write JSON lines. Each line is an object with a `type`."
)

progress_option = click.option(
    "--progress", is_flag=True,
    help="With --json, write progress objects too. On a terminal, progress is shown by default.",
)  # fmt: skip


def _be_quiet(ctx: click.Context, _: click.Parameter, quiet: bool) -> None:
    if quiet:
        ctx.meta["covr.quiet"] = True


quiet_option = click.option(
    "-q", "--quiet", is_flag=True, is_eager=True, expose_value=False, callback=_be_quiet,
    help="Print only errors on standard error: no warnings, no progress.",
)  # fmt: skip

# Options for what is printed during a search, and how.
telling_options = block(json_option, progress_option, quiet_option)


def _keep_format(ctx: click.Context, _: click.Parameter, form: str | None) -> None:
    if form is not None:
        ctx.meta[FROM] = form


FROM = "covr.from"  # the key under which click's context keeps the value of `--from`
from_option = click.option(
    "--from", "from_", metavar="FORMAT", shell_complete=complete_names("readable"), is_eager=True, expose_value=False,
    callback=_keep_format,
    help="Read MODEL as a matrix in this format, if neither its name nor its contents show it. `covr convert "
    "--help-all` lists the formats.",
)  # fmt: skip

data_options = block(define_option, from_option)


def search_options(command: F) -> F:
    """Add an option for each field of `covr.Options`: `limit_time` becomes `--limit-time`."""
    return _options(command, attrs.fields(Options))


def plan_options(command: F) -> F:
    """Add the options of a search that its plan depends on: all but `--verify`."""
    return _options(command, [f for f in attrs.fields(Options) if f.name != "verify"])


def session_options(command: F) -> F:
    """Add the options that may be set anew each time a run continues: limits and the number of threads."""
    return _options(command, [f for f in attrs.fields(Options) if f.name.startswith("limit") or f.name == "jobs"])


def _options(command: F, fields: Sequence[attrs.Attribute[Any]]) -> F:
    return block(*map(_option, fields))(command)


def _option(field: attrs.Attribute[Any]) -> Callable[[F], F]:
    name, help = "--" + field.name.replace("_", "-"), field.metadata["help"]
    if field.type in (bool, "bool"):
        return click.option(name, is_flag=True, help=help)
    return click.option(
        name,
        default=field.default,
        type=_click_type(field),
        metavar=field.metadata["metavar"],
        help=help,
        show_default=field.default is not None,
        shell_complete=complete_names(field.name) if field.name in ("engine", "estimate") else None,
    )


def _click_type(field: attrs.Attribute[Any]) -> click.ParamType[Any]:
    kind = str(field.type)
    if field.metadata["metavar"] == "SIZE":
        return Size()
    if kind.startswith("float"):
        return Seconds()
    if kind.startswith("int"):
        least = field.metadata["least"]
        return click.INT if least is None else click.IntRange(min=least)
    return click.STRING


class Seconds(click.FloatRange):
    """A time in seconds from 0. `nan` is refused, because such a limit would never be reached."""

    def __init__(self) -> None:
        super().__init__(min=0)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if seconds != seconds:
            self.fail("nan is not a time.", param, ctx)
        return seconds


class Size(ParamType):
    """A size of memory in bytes, written as `500M` or `2G`."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return size_of(value)
        except ValueError as error:
            self.fail(f"{error}.", param, ctx)


def options_from(words: Mapping[str, Any]) -> Options:
    """The `Options` among a command's keywords. A limit of time holds for the whole command; several questions are
    asked with `alone`."""
    return CommandOptions(**{field.name: words[field.name] for field in attrs.fields(Options) if field.name in words})


def unverified_options_from(words: Mapping[str, Any]) -> Options:
    """`options_from` for a command that has no second way to its result. Raises click.UsageError for --verify."""
    options = options_from(words)
    if options.verify:
        raise click.UsageError("--verify goes with solve, count and test.")
    return options


def models_in(paths: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Each model that is named, and each model in a folder that is named, with whether it was found in a folder."""
    for path in paths:
        if Path(path).is_dir():
            yield from ((str(found), True) for found in sorted(Path(path).rglob(f"*{SUFFIX}")))
        else:
            yield path, False


def compile_from(model: str, defines: Sequence[str], more: Mapping[str, object] | None = None) -> Compiled:
    """Open a model and compile it with its `-D`. more: further values of params."""
    overrides = overrides_from(defines)
    with compiling():
        return _remarked(compile_model(open_model(model), {**overrides, **(more or {})}))


def open_from(
    model: str,
    defines: Sequence[str],
    asked: Callable[[bool], None] | None = None,
    options: Options | None = None,
    *,
    idle: bool = False,
) -> Compiled:
    """Open a model with its `-D`, or a matrix in another program's format, which `--from` may name. asked: see
    `open_any`.  options: their limits of time and memory hold for this, too (raises CompilingStopped), and those of a
    command for all that it does (`ring_after`).  idle: whether it
    may have nothing to choose, because it is only looked at."""
    from covr.inputs.matrices import open_any
    from covr.questions.run import refuse_nothing

    context = click.get_current_context(silent=True)
    form = None if context is None else context.meta.get(FROM)
    if isinstance(options, CommandOptions):
        ring_after(options)
    with limited(options), compiling() as say:
        compiled = _remarked(open_any(model, overrides_from(defines), form, say, asked))
    if not idle:
        refuse_nothing(compiled)
    return compiled


def _remarked(compiled: Compiled) -> Compiled:
    source = compiled.model.source
    if source.remark:
        remark(f"`{source.name}` {source.remark}")
    return compiled


def overrides_from(defines: Sequence[str]) -> dict[str, object]:
    """The values that `-D` sets, for the compiler. Raises ModelErrors E504 for a `-D` that sets none, or one twice."""
    overrides: dict[str, object] = {}
    for define in defines:
        name, equals, text = define.partition("=")
        name = name.strip()
        if not equals or not name:
            raise _wrong_define(define, f"`-D {define}` sets nothing", "write -D NAME=VALUE")
        if name in overrides:
            raise _wrong_define(define, f"`{name}` is set twice", "leave out one of the -D")
        overrides[name] = FromText(text, f"-D {name}")
    return overrides


def _wrong_define(define: str, message: str, help: str) -> ModelErrors:
    span = Span(Source("the command line", f"-D {define}"), 3, 3 + len(define))
    return ModelErrors([Diagnostic("E504", message, span, help)])


def links_of(each: str | None, model: str | None, used: Mapping[str, bool]) -> str | None:
    """The file of links that `--each FILE` names without a MODEL; None otherwise. used: options that links do not take,
    and whether given. Raises UsageError."""
    if each is None or model is not None:
        if model is None:
            raise click.UsageError("Missing argument 'MODEL'.")
        return None
    if "=" in each and not Path(each).exists():
        raise click.UsageError("Missing argument 'MODEL'; --each takes a file of links without one.")
    kept = click.get_current_context().meta
    used = {**used, "--as": "covr.as" in kept, "--ignore": "covr.ignore" in kept}
    wrong = next((name for name, given in used.items() if given), None)
    if wrong is not None:
        raise click.UsageError(f"{wrong} does not go with --each and a file of links.")
    return each
