"""Every format, by name: its title, the endings of its files, and the functions that read and write it.

Readers and writers are imported only when they are used: `covr solve` on a model needs none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

from covr.compiler.formats.fault import Unwritable
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.engine import Problem


@frozen
class Format:
    """A format. title: for users.  suffixes: of its files.  stems: how the names of its files begin if their suffix
    says nothing.  reads, writes: `module:function`, or empty if the format is not read or not written.  binary: whether
    it is not text.  says: the kinds of side conditions that it can express, by the names of their classes.  tells:
    whether it can say that only some options tell answers apart."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    reads: str = ""
    writes: str = ""
    stems: tuple[str, ...] = ()
    binary: bool = False
    says: tuple[str, ...] = ()
    tells: bool = False

    @property
    def reader(self) -> Callable[[str], Problem]:
        """The function from a text (for a binary format, from bytes) to the problem; it raises FormatFault."""
        return cast("Callable[[str], Problem]", _find(self.reads))

    @property
    def writer(self) -> Callable[[Problem], Iterator[str]]:
        """The function from a problem to the lines of a text; it raises Unwritable."""
        write = cast("Callable[[Problem], Iterator[str]]", _find(self.writes))

        def checked(problem: Problem) -> Iterator[str]:
            unsaid = self.unsaid(problem)
            if unsaid is not None:
                raise Unwritable(self.cannot_say(problem, unsaid))
            if problem.projection is not None and not self.tells:
                raise Unwritable(f"the format {self.name} has no words for `answers by`")
            return write(problem)

        return checked

    def unsaid(self, problem: Problem) -> int | None:
        """The number of the first side condition that the format has no words for."""
        kinds = (type(side).__name__ for side in problem.sides)
        return next((at for at, kind in enumerate(kinds) if kind not in self.says), None)

    def cannot_say(self, problem: Problem, side: int) -> str:
        """What is said of such a side condition."""
        kind = {"Total": "total", "Connection": "connection"}.get(type(problem.sides[side]).__name__, "loop")
        name = problem.sides[side].name
        return f"the format {self.name} has no words for " + (f'the {kind} "{name}"' if name else f"a {kind}")


SUMS = ("Total",)
EVERYTHING = ("Total", "Connection", "Circuit")


def _find(place: str) -> Callable[..., object]:
    module, function = place.split(":")
    found: Callable[..., object] = getattr(import_module(f"covr.compiler.formats.{module}"), function)
    return found


FORMATS = {
    f.name: f
    for f in (
        Format("dlx", "Knuth's exact cover", (".dlx", ".mcc"), "dlx:read_dlx", "dlx:write_dlx"),
        Format(
            "json",
            "covr's own, complete",
            (".json",),
            "json_text:read_json",
            "json_text:write_json",
            says=EVERYTHING,
            tells=True,
        ),
        Format("xcc", "exact cover as miniexact reads it", (".xcc", ".xc"), "xcc:read_xcc"),
        Format("csv", "a 0/1 matrix", (".csv", ".tsv"), "matrix_csv:read_csv"),
        Format("npy", "a 0/1 matrix that numpy saved", (".npy",), "npy:read_npy", binary=True),
        Format("sets", "lists of sets to cover with", (".sets",), "sets:read_sets"),
        Format("hgr", "hypergraphs to hit", (".hgr",), "hgr:read_hgr"),
        Format("gr", "a graph to cover or dominate", (".gr",), "graph:read_graph"),
        Format("col", "a DIMACS graph, to cover its edges", (".col",), "graph:read_graph"),
        Format("vc", "a graph, to cover its edges", (), "graph:read_vertex_cover"),
        Format("ds", "a graph, to dominate its vertices", (), "graph:read_dominating"),
        Format("scp", "the OR-Library's set covering", (".scp",), "scp:read_scp", stems=("scp",)),
        Format("rail", "the OR-Library's railway files", (".rail",), "scp:read_rail", stems=("rail",)),
        Format("spp", "the OR-Library's set partitioning", (".spp",), "scp:read_spp", stems=("spp",)),
        Format("lp", "linear program", (".lp",), "lp:read_lp", "lp:write_lp", says=SUMS),
        Format("mps", "linear program, MPS", (".mps",), "mps:read_mps", "mps:write_mps", says=SUMS),
        Format("opb", "pseudo-Boolean", (".opb",), writes="opb:write_opb", says=SUMS),
        Format("cnf", "DIMACS, satisfiability", (".cnf", ".dimacs"), writes="cnf:write_cnf"),
        Format("wcnf", "MaxSAT", (".wcnf",), writes="cnf:write_wcnf"),
        Format("minizinc", "MiniZinc model", (".mzn",), writes="minizinc:write_minizinc", says=SUMS),
    )
}
PACKED = (".gz", ".xz")  # endings of compressed files, which say nothing about what is in them
READABLE = tuple(name for name, f in FORMATS.items() if f.reads)
WRITABLE = tuple(name for name, f in FORMATS.items() if f.writes)


def format_of(file: str) -> Format | None:
    """The format that a file's name indicates; None if it indicates none."""
    path = PurePath(file)
    if path.suffix.lower() in PACKED and path.stem:
        path = path.with_suffix("")
    suffix = path.suffix.lower()
    for found in FORMATS.values():
        if suffix in found.suffixes or (suffix in ("", ".txt") and found.stems and path.name.startswith(found.stems)):
            return found
    return None
