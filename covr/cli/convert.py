"""`covr convert`: from one format to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from covr.cli.common.group import command
from covr.cli.common.shared import complete_names, define_option, ignore_option, overrides_from, tell_passed
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.syntax import AnswersBy
from covr.faults import usage_error
from covr.inputs.library import STDIN, SUFFIX, checked, find_linked, find_source, link_source
from covr.output.streams import FOUND, remark
from covr.questions.answer import spare_own_files

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.formats import Format


@command("convert", usual=("--from", "--as"))
@click.argument("source", metavar="IN")
@click.argument("target", metavar="[OUT]", required=False)
@click.option(
    "--from", "from_", metavar="FORMAT", shell_complete=complete_names("readable"),
    help="The format of IN, if its name does not show it.",
)  # fmt: skip
@click.option(
    "--to", metavar="FORMAT", shell_complete=complete_names("writable"),
    help="The format of OUT, if its name does not show it.",
)  # fmt: skip
@click.option("--as", "as_", metavar="KIND", help="The kind of puzzle that IN is, for links that do not say it.")
@ignore_option
@define_option
def convert_command(
    source: str, target: str | None, from_: str | None, to: str | None, as_: str | None, ignore: str | None,
    defines: tuple[str, ...],
) -> int:  # fmt: skip
    """Write the matrix of IN, a model or a file in another program's format, to OUT in another format.

    A model of a puzzle that puzz.link has is written as a link with --to puzz.link, as a file of pzpr with --to pzprv3,
    or as a drawing with --to penpa, and a sudoku with --to f-puzzles; OUT may then be left out. A link is written as a
    model to OUT.cover, to go on from there.

    `-` is standard input or output. If a file's name does not show its format, give it with --from and --to.

    The formats are dlx, json, lp, mps, xcc, csv, npy, sets, hgr, gr, col, vc, ds, scp, rail, spp, opb, cnf, wcnf,
    minizinc, and puzzles of BurrTools; --help-all says what each is, and whether it is read or written.

    \b
    Examples:
      covr convert sudoku sudoku.dlx
      covr convert experts experts.lp
      covr convert scp41.txt - --to mzn | minizinc -
    \f
      covr convert queens -D n=20 queens.cnf
      covr convert puzzle.xmpuzzle puzzle.cover
      covr convert https://puzz.link/p?slither/5/5/cbcbcddad my.cover
      covr convert my.cover --to puzz.link

    \b
    Both ways:  dlx       Knuth's exact cover: .dlx, .mcc
                json      covr's own, complete: .json
                lp, mps   linear programs over 0 and 1: .lp, .mps
    Read:       xcc       miniexact's exact cover: .xcc, .xc
                csv       a 0/1 matrix: .csv, .tsv
                npy       a 0/1 matrix that numpy saved: .npy
                sets      lists of sets to cover with: .sets
                hgr       hypergraphs to hit (PACE, hMETIS): .hgr
                gr, col   graphs (PACE, DIMACS): .gr, .col
                vc, ds    any graph, to cover its edges; to dominate it
                scp       OR-Library set covering: .scp, scp*.txt
                rail      OR-Library railway files: .rail, rail*.txt
                spp       OR-Library set partitioning: .spp, spp*.txt
    To a model: BurrTools' puzzles of cubes: .xmpuzzle to .cover
                links and files of puzz.link and pzpr
    Links:      puzz.link an address;  pzprv3  a file of pzpr
                f-puzzles sudokus with all that covr reads of them
                penpa     a drawing of penpa-edit
    Written:    opb       pseudo-Boolean: .opb
                cnf       DIMACS: .cnf;  wcnf  MaxSAT: .wcnf
                minizinc  MiniZinc: .mzn

    Costs are minimised; for a model with `maximize` they are its values with the opposite sign. The written file has
    exactly the answers of the matrix. Totals and `if … then` can be written as lp, mps, opb and minizinc; `connected`
    and `loop` only as json. No format can express `up to`; if the model uses that, a note says so.
    """
    from covr.inputs.as_link import link_form

    if to is not None and (link := link_form(to)) is not None:
        return _to_link(source, target or STDIN, link, from_, as_, ignore is not None, defines)
    if target is None:
        raise click.UsageError("Missing argument 'OUT'.")
    if to is None and target.endswith(SUFFIX):
        return _to_model(source, target, from_, as_, ignore is not None, defines)
    if as_ is not None or ignore is not None:
        which = "--ignore" if as_ is None else "--as"
        message = f"{which} goes with --to puzz.link, pzprv3, penpa or f-puzzles, and with a model as OUT."
        raise click.UsageError(message)
    return _to_matrix(source, target, from_, to, defines)


def _to_matrix(source: str, target: str, from_: str | None, to: str | None, defines: tuple[str, ...]) -> int:
    from covr.compiler.formats import WRITABLE
    from covr.compiler.formats.draft import listening
    from covr.inputs.matrices import find_format, matrix_format, open_any, write_problem

    form = find_format(to) if to is not None else matrix_format(target)
    if form is None:
        raise click.UsageError(f"the name `{target}` does not show the format; give --to FORMAT.")
    if not form.writes:
        message = f"covr reads the format {form.name} but does not write it"
        raise usage_error("E601", message, help=f"it writes {', '.join(WRITABLE)}")
    compiled = open_any(source, overrides_from(defines), from_, remark)
    _check_expressible(compiled, form)
    spare_own_files(compiled, target)
    with listening() as noted:
        write_problem(compiled.problem, target, form)
    for said in noted:
        remark(said)
    if compiled.has_symmetry:
        remark("`up to` can't be expressed in this format: the file has every answer, not one of each class")
    if form.name == "cnf" and compiled.goal is not None:
        remark(f"a CNF has no goal: the file is written without `{compiled.goal}` (wcnf can express it)")
    return FOUND


def _check_expressible(compiled: Compiled, form: Format) -> None:
    """Raise ModelErrors E603 for a statement that a format has no words for."""
    if compiled.problem.projection is not None and not form.tells:
        by = [*compiled.model.all(AnswersBy)]
        message = f"the format {form.name} has no words for `answers by`"
        help = "`--to json` can say it; without the statement, every answer counts by itself"
        raise ModelErrors([Diagnostic("E603", message, by[0].span if by else None, help)])
    unsaid = form.unsaid(compiled.problem)
    if unsaid is not None and unsaid < len(compiled.lowered.side_origins):
        span = compiled.lowered.side_origins[unsaid].statement.span
        help = "lp, mps, opb and minizinc say totals and `if … then`; json says everything"
        raise ModelErrors([Diagnostic("E603", form.cannot_say(compiled.problem, unsaid), span, help)])


def _to_model(
    source: str, target: str, from_: str | None, as_: str | None, ignore: bool, defines: tuple[str, ...]
) -> int:
    """Write a source as a model: a BurrTools puzzle is translated, a model is copied as it is."""
    from covr.inputs.as_link import linked_as
    from covr.inputs.matrices import matrix_format, write_text
    from covr.links.file import called

    if from_ is not None or matrix_format(source) is not None:
        message = "a matrix can't be written as a model, because it does not say what its rows and columns mean"
        raise usage_error("E601", message, help="solve it as it is: covr solve FILE --from FORMAT")
    if defines:
        raise click.UsageError("-D has no effect on the text of a model.")
    if as_ is None and not ignore:
        found = find_source(source)
    else:
        linked = linked_as(source, as_, ignore)
        found = link_source(linked, called(source))
        tell_passed(linked, ignore)
    checked(found)
    if found.remark:
        remark(f"`{found.name}` {found.remark}")
    write_text(found.text, target)
    return FOUND


def _to_link(
    source: str, target: str, form: str, from_: str | None, as_: str | None, ignore: bool, defines: tuple[str, ...]
) -> int:
    """Write a model, or another link, as a link or as the file of a puzzle."""
    from covr.inputs.as_link import linked_from, written
    from covr.inputs.matrices import open_any, write_text
    from covr.links.file import called

    linked = None if defines or from_ is not None else find_linked(source, as_, ignore)
    if linked is None:
        linked = linked_from(open_any(source, overrides_from(defines), from_, remark), form)
    else:
        tell_passed(linked, ignore)
        if linked.board.remark:
            remark(f"`{called(source)}` {linked.board.remark}")
    write_text(written(linked, form), target)
    return FOUND
