"""A model and its data become a scope: params, definitions, asserts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from covr.compiler.evaluate.blocks import DataBlock, section_of, sections
from covr.compiler.evaluate.calls import Site
from covr.compiler.evaluate.expressions import free_names
from covr.compiler.evaluate.files import names_book, normal, read_named
from covr.compiler.evaluate.limits import USED_UP, Budget, CompileLimits, EvalFault, announce, did_you_mean
from covr.compiler.evaluate.operators import kinds
from covr.compiler.evaluate.scope import (
    CONSTANTS,
    LATTICE_NAMES,
    READERS,
    AlreadyReported,
    AtOnce,
    Reader,
    Scope,
    TakesOf,
)
from covr.compiler.evaluate.values import (
    FileText,
    Isometry,
    Map,
    Motion,
    Record,
    Rng,
    Seq,
    Set,
    Truth,
    Value,
    abbreviate,
    alike,
    kind_of,
    truth,
)
from covr.compiler.lattices import LatticeCell
from covr.dsl import syntax as syn
from covr.dsl.diagnostics import Diagnostic, ModelErrors, Source, Span, shorten
from covr.dsl.scope import MAX_FAULTS
from covr.dsl.syntax import CheckedModel, Expr, Param
from covr.frozen import evolve, frozen

# --- convert ---------------------------------------------------------------------------------------------------------
# Convert Python values that are given to a model into values of the language.


# Data nested deeper than this is surely a mistake, or refers to itself.
_DEEPEST = 50


def from_python(value: Any, depth: int = 0) -> Value:
    """bool, int, str and tuple as they are; list → list, set, frozenset and range → set, mapping → grid. Whole numbers
    of other libraries count as int, and values of the language stay as they are. Raises EvalFault E324 for anything
    else (a float, None), and for values that are nested too deeply."""
    if depth > _DEEPEST:
        raise EvalFault.at(None, "E324", "this value is nested too deeply")
    if isinstance(value, bool):
        return truth(value)
    if isinstance(value, int | str):
        return value
    if isinstance(value, Truth | Seq | Set | Map | Record | Isometry | Motion | LatticeCell):
        return value
    if isinstance(value, range) and value.step == 1:
        return Rng(value.start, value.stop - 1)
    if isinstance(value, tuple):
        return tuple([from_python(item, depth + 1) for item in value])
    if isinstance(value, list):
        return Seq([from_python(item, depth + 1) for item in value])
    if isinstance(value, set | frozenset | range):
        return Set([from_python(item, depth + 1) for item in value])
    if isinstance(value, Mapping):
        return Map({from_python(k, depth + 1): from_python(v, depth + 1) for k, v in value.items()})
    index = getattr(type(value), "__index__", None)
    if index is not None:
        return int(index(value))
    raise EvalFault.at(
        None,
        "E324",
        f"a Python `{type(value).__name__}` is not a value of the language",
        help="whole numbers, text, true and false, tuples, lists, sets, ranges and mappings are",
    )


# --- bind ------------------------------------------------------------------------------------------------------------
# A model and its data become a Scope: params get their values, definitions are evaluated, and asserts are checked.


# Statements that are not compiled when the matrix is made, or not again.
NOT_LOWERED = (syn.Assert, syn.Declare, syn.Clue, syn.UpTo, syn.Show, syn.Print, syn.Outline, syn.Expect)


@frozen
class FromText:
    """A param's value as text, from a command line.

    text: an expression of the language, or data for the param's reader, or `@path` for a file that contains either.
    name: what messages call it; if empty, `-D clue`. plain: whether the text is taken as it is: a first `@` is not the
    beginning of a path, and a grid must be written in the way that its reader expects. first: the number of its first
    line, if it is a part of a file.
    """

    text: str
    name: str = ""
    plain: bool = False
    first: int = 1


def bind(
    model: CheckedModel,
    overrides: Mapping[str, object] | None = None,
    *,
    limits: CompileLimits | None = None,
    at_once: AtOnce | None = None,
    takes_of: TakesOf | None = None,
) -> Scope:
    """Give every name of a model its value.

    overrides: values of params, as FromText, as a Source (data that has been read already), or as Python values.
    at_once, takes_of: see Scope.
    Returns a Scope. Raises ModelErrors with every fault found, except those that only follow from another: E2xx in
    definitions and asserts, E3xx in data. Definitions of libraries are evaluated only when something uses them.
    """
    return _bind(model, dict(overrides or {}), limits or CompileLimits(), {}, at_once, takes_of)


def rebind(scope: Scope, overrides: Mapping[str, object]) -> Scope:
    """The scope with some params changed; values that do not depend on them are kept. Raises as `bind` does."""
    assert scope.model is not None
    changed = frozenset(overrides)
    kept = {
        name: value
        for name, value in scope.known_values.items()
        if name not in changed and not (scope.depends(name) & changed)
    }
    found = _bind(scope.model, {**scope.overrides, **overrides}, scope.limits, kept, scope.at_once, scope.takes_of)
    found.budget.files |= scope.budget.files
    return found


def _bind(
    model: CheckedModel,
    overrides: dict[str, object],
    limits: CompileLimits,
    kept: Mapping[str, Value],
    at_once: AtOnce | None,
    takes_of: TakesOf | None,
) -> Scope:
    scope = Scope(model.definitions, kept, limits)
    scope.model, scope.overrides, scope.at_once, scope.takes_of = model, overrides, at_once, takes_of
    faults = list(_unknown(model, overrides))
    todo: list[Param | syn.Let | syn.Assert] = [*model.definitions]
    todo += [s for s in model.statements if isinstance(s, syn.Assert)]
    announce(scope.budget, len(todo) + sum(not isinstance(s, NOT_LOWERED) for s in model.statements))
    for part in todo:
        scope.budget.begin(part.span)
        try:
            if isinstance(part, syn.Assert):
                _check_assert(scope, part)
            elif isinstance(part, Param):
                _set_param(scope, part, overrides)
            elif part.parameters is None and part.span.source == model.source:
                scope.value(part.name.id)
        except AlreadyReported:
            continue
        except EvalFault as fault:
            faults.append(fault.diagnostic)
            if fault.diagnostic.code in USED_UP:
                break
        except ModelErrors as errors:
            faults += errors.diagnostics
        if len(faults) >= MAX_FAULTS:
            break
    if faults:
        from covr.dsl.advice import mended  # only a model with a fault needs it

        raise ModelErrors(sorted(map(mended, faults), key=Diagnostic.order))
    return scope


def _unknown(model: CheckedModel, overrides: Mapping[str, object]) -> Iterator[Diagnostic]:
    params = [d.name.id for d in model.definitions if isinstance(d, Param)]
    lets = {d.name.id for d in model.definitions if isinstance(d, syn.Let)}
    for name in overrides:
        if name in params:
            continue
        if name in lets:
            help = f"`{name}` is a `let`, and only a `param` can be given from outside"
        else:
            help = did_you_mean(name, params) or (
                "its params are " + ", ".join(params) if params else "it has no params"
            )
        yield Diagnostic("E320", f"this model has no param `{name}`", _on_command_line(name, overrides[name]), help)


def _on_command_line(name: str, override: object) -> Span | None:
    """The place of a param's name in the `-D` that sets it; None for a value that came in another way."""
    if not isinstance(override, FromText) or not override.name.startswith("-D "):
        return None
    return Span(Source("the command line", f"-D {name}={override.text}"), 3, 3 + len(name))


def _check_assert(scope: Scope, statement: syn.Assert) -> None:
    if scope.truth(statement.test)({}):
        return
    has_text = statement.text is not None
    unlike = _unlike_sides(scope, statement.test)
    message = scope.template(statement.text)({}) if statement.text else f"`{_written(statement.test)}` does not hold"
    raise EvalFault(
        Diagnostic(
            "E220",
            message or "this does not hold",
            statement.test.span,
            help=f"the model wants `{_written(statement.test)}`" if has_text else "",
            notes=unlike,
        )
    )


def _unlike_sides(scope: Scope, test: Expr) -> tuple[str, ...]:
    """A note on the kinds of the two sides of an `=`, if they are not the same; otherwise nothing."""
    if not (isinstance(test, syn.Compare) and [op for op, _ in test.rest] == ["="]):
        return ()
    left, right = scope.evaluate(test.first), scope.evaluate(test.rest[0][1])
    return () if alike(left, right) else (kinds(left, right),)


# --- params -----------------------------------------------------------------------------------------------


def _set_param(scope: Scope, param: Param, overrides: Mapping[str, object]) -> None:
    name = param.name.id
    if name in overrides and name not in scope.known_values:
        try:
            scope.set_value(name, _given(scope, param, overrides[name]))
        except EvalFault as fault:
            scope.set_failed(name, fault)
            raise
        except ModelErrors as errors:
            scope.set_failed(name, EvalFault(errors.diagnostics[0]))
            raise
    value = scope.value(name)
    if param.where is not None and not scope.truth(param.where)({}):
        wanted = _written(param.where)
        place, note = param.where.span, tuple[str, ...]()
        given = _on_command_line(name, overrides.get(name))
        if given is not None:
            note = (f"the model wants it, {place.source.name}:{place.place[0]}",)
            place = Span(given.source, given.start, len(given.source.text))
        message = f"`{name}` is {abbreviate(value)}, and `{wanted}` does not hold"
        broken = EvalFault(Diagnostic("E321", message, place, notes=note))
        scope.set_failed(name, broken)
        raise broken


def _given(scope: Scope, param: Param, override: object) -> Value:
    """The value of a param that is given from outside."""
    name = param.name.id
    reader = _reader_of(param.value)
    try:
        if isinstance(override, FromText):
            if reader is not None and reader[0].name == "table" and not reader[1] and _is_book(override):
                site = Site(param.value.span, (), scope.budget, scope)
                from covr.compiler.evaluate.sheets import read_sheet  # unpacks zips: 20 ms

                return read_sheet(site, override.text[1:], None, named=True)
            source = _source(override, name, scope.budget)
            return _from_source(scope, param, reader, source, plain=override.plain)
        if isinstance(override, Source):
            return _from_source(scope, param, reader, override)
        if reader is not None and isinstance(override, str) and reader[0].gives is not str:
            return _from_source(scope, param, reader, Source(name, normal(override)))
        value = from_python(override if reader is None else _rows(override, reader[0]))
    except EvalFault as fault:
        if fault.diagnostic.span is None:
            raise EvalFault(evolve(fault.diagnostic, message=f"`{name}`: {fault.diagnostic.message}")) from None
        raise
    if reader is not None:
        if isinstance(value, reader[0].gives):
            return _framed(scope, value, reader[1], override) if isinstance(value, Map) else value
        raise EvalFault.at(
            param.value.span, "E322", f"`{name}` wants what `{reader[0].name}` reads, and is given {kind_of(value)}"
        )
    return _fitting(scope, param, value, None)


def _framed(scope: Scope, grid: Map, args: tuple[Expr, ...], override: object) -> Map:
    """A grid that is given as a Python value, with the size that its reader's arguments or its rows say."""
    if grid.pictured:
        return grid
    sizes = [scope.evaluate(arg) for arg in args]
    shape = None
    if len(sizes) == 2 and all(isinstance(size, int) for size in sizes):
        shape = (int(sizes[0]), int(sizes[1]))  # type: ignore[arg-type]
    elif isinstance(override, list | tuple):
        shape = (len(override), max((len(row) for row in override), default=0))
    return Map(grid.entries, grid.origin, shape)


def _source(given: FromText, name: str, budget: Budget) -> Source:
    if given.text.startswith("@") and not given.plain:
        return read_named(given.text[1:], None, budget)
    if len(given.text) > budget.limits.data:
        raise EvalFault.at(None, "E331", f"this text has more than {budget.limits.data:,} characters")
    return Source(given.name or f"-D {name}", normal(given.text), first=given.first)


def _is_book(given: FromText) -> bool:
    """Whether what is given is `@` and the name of a book of sheets."""
    return given.text.startswith("@") and not given.plain and names_book(given.text[1:])


def _reader_of(default: Expr) -> tuple[Reader, tuple[Expr, ...]] | None:
    """The reader of a param's default, and the arguments that it has besides the text."""
    if isinstance(default, syn.ReaderBlock):
        reader = READERS.get(default.name.id)
        return None if reader is None else (reader, default.args)
    if isinstance(default, syn.Call) and default.function.id in READERS:
        return READERS[default.function.id], default.args[:-1]
    return None


def _from_source(
    scope: Scope, param: Param, reader: tuple[Reader, tuple[Expr, ...]] | None, source: Source, plain: bool = False
) -> Value:
    if reader is not None:
        site = Site(param.value.span, tuple(arg.span for arg in reader[1]), scope.budget, scope)
        args = [scope.evaluate(arg) for arg in reader[1]]
        found = None if plain else _found_grid(scope, param, reader[0], args, source)
        return reader[0].apply(site, _section(scope, param, source), args) if found is None else found
    default = scope.evaluate(param.value)
    whole = Span(source, 0, len(source.text))
    if isinstance(default, FileText) and default.starts is None:
        return FileText(source)
    if isinstance(default, str):
        text = source.text.removesuffix("\n")
        return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
    return _fitting(scope, param, _expression(scope, source), whole, default)


def _section(scope: Scope, param: Param, source: Source) -> DataBlock:
    """What a reader reads of a text from outside: if it reads a section by default, and the text has sections, that."""
    block = DataBlock.of_source(source)
    match param.value:
        case syn.Call(args=(*_, syn.Call(function=syn.Name(id="section"), args=(_, name)))) if sections(block):
            text = scope.evaluate(name)
            if scope.function("section") is None and isinstance(text, str):
                return DataBlock.of_value(section_of(block, str(text), name.span), name.span)
    return block


def _found_grid(scope: Scope, param: Param, reader: Reader, args: list[Value], source: Source) -> Map | None:
    """The only grid of known size in a text, however it is written; None if the text is left to the reader."""
    rows, columns = args if reader.name == "grid" and len(args) == 2 else (0, 0)
    if not (isinstance(rows, int) and isinstance(columns, int) and rows > 0 and columns > 0):
        return None
    from covr.compiler.grids import Takes, read_one, taken_beside

    @cache
    def takes() -> Takes:
        tried = None if scope.takes_of is None else scope.takes_of(param.name.id)
        return tried or taken_beside(lambda: scope.evaluate(param.value))

    return read_one(source, rows, columns, lambda place, value: takes()(place, value))


def _fitting(scope: Scope, param: Param, value: Value, span: Span | None, default: Value | None = None) -> Value:
    """The value, if it is of the kind of the param's default."""
    wanted = scope.evaluate(param.value) if default is None else default
    if alike(value, wanted):
        return value
    raise EvalFault.at(
        span or param.value.span,
        "E322",
        f"`{param.name.id}` wants {kind_of(wanted)}, and is given {kind_of(value)}",
    )


_LEAD = "let it = "


def _expression(scope: Scope, source: Source) -> Value:
    """The value of an expression given on the command line, which may use no names of the model."""
    text = source.text.strip()
    if re.fullmatch(r"-?[0-9]{1,1000}", text):
        return int(text)
    if not text:
        raise EvalFault.at(Span(source, 0, len(source.text)), "E323", "this is not one value")
    from covr.dsl import parse

    begin = len(source.text) - len(source.text.lstrip())
    moved = Source(source.name, _LEAD + text)
    try:
        statements = parse(moved).statements
        expr = statements[0].value if len(statements) == 1 and isinstance(statements[0], syn.Let) else None
        if expr is None:
            raise EvalFault.at(Span(moved, len(_LEAD), len(moved.text)), "E323", "this is not one value")
        for name in sorted(free_names(expr) - CONSTANTS.keys() - LATTICE_NAMES.keys()):
            raise EvalFault.at(
                Span(moved, len(_LEAD), len(moved.text)),
                "E323",
                f"`{name}` means nothing here",
                help="a value given from outside uses no names of the model",
            )
        bare = Scope((), limits=scope.limits)
        bare.budget = scope.budget
        return bare.evaluate(expr)
    except EvalFault as fault:
        raise EvalFault(_moved(fault.diagnostic, source, begin)) from None
    except ModelErrors as errors:
        # The parser resumes at statements, and there are none here, so only its first fault is a real one.
        raise ModelErrors([_moved(errors.diagnostics[0], source, begin)]) from None


def _moved(diagnostic: Diagnostic, source: Source, begin: int) -> Diagnostic:
    """The diagnostic with its place moved into the text as the user gave it."""
    if diagnostic.span is None:
        return diagnostic
    by = begin - len(_LEAD)
    start = max(diagnostic.span.start + by, 0)
    return evolve(diagnostic, span=Span(source, start, max(diagnostic.span.end + by, start)))


def _rows(value: object, reader: Reader) -> object:
    """Convert Python's usual forms of a grid (rows; None, "" or "." for a blank) and a table (a dict for each row)."""
    if not isinstance(value, list | tuple):
        return value
    if reader.gives is Map:
        return {
            (r, c): item
            for r, row in enumerate(value, 1)
            for c, item in enumerate(row if isinstance(row, list | tuple | str) else (), 1)
            if item is not None and item not in ("", ".", "_")
        }
    if reader.gives is Seq and all(isinstance(row, Mapping) for row in value):
        return [
            Record(tuple(map(str, row)), tuple(from_python(item) for item in row.values()))
            for row in value
            if isinstance(row, Mapping)
        ]
    return value


def _written(expr: Expr) -> str:
    return shorten(expr.span.one_line)
