"""The readers by name, and how they are called: with a block in the model, or with a text as their last argument."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from covr.compiler.evaluate.blocks import DataBlock
from covr.compiler.evaluate.calls import Site
from covr.compiler.evaluate.faults import EvalFault
from covr.compiler.evaluate.files import seems
from covr.compiler.evaluate.picture_readers import read_area, read_grid, read_pieces, read_solids
from covr.compiler.evaluate.table_readers import read_csv, read_list, read_table, read_text
from covr.compiler.evaluate.values import Map, Seq, Set, Value
from covr.frozen import frozen

MISREAD = frozenset(f"E3{number:02}" for number in range(1, 20))  # codes of faults of a text that a reader reads


@frozen
class Reader:
    """A reader. read: takes the Site, the text and the values of the arguments. gives: the kind of the result."""

    name: str
    read: Callable[[Site, DataBlock, list[Value]], Value]
    gives: type

    def call(self, site: Site, *args: Value) -> Value:
        """The reader called as a function: `grid(9, 9, file("x"))`, the text last."""
        if not args or not isinstance(args[-1], str):
            raise site.fault(
                max(len(args) - 1, 0),
                f"`{self.name}` wants a text to read",
                help=f'write a `"""` block after it, or `{self.name}(…, file("name"))`',
                code="E208",
            )
        last = len(args) - 1
        return self.apply(site, DataBlock.of_value(args[last], site.of(last)), list(args[:last]))

    def apply(self, site: Site, block: DataBlock, args: list[Value]) -> Value:
        """What it reads from a text. If it can't read a file that seems to be of another kind, the fault says so."""
        try:
            return self.read(site, block, args)
        except EvalFault as fault:
            span = fault.diagnostic.span
            if span is None or span.source is site.span.source or fault.diagnostic.code not in MISREAD:
                raise
            if block.starts is not None and block.whole.end - block.whole.start < len(span.source.text):
                raise  # a section
            what, cure = seems(span.source.text)
            if not what or "commas" in what:
                raise
            cure = cure.replace("name", span.source.name)
            raise fault.with_note(f"this seems to be {what}" + f": {cure}" * bool(cure)) from None


READERS: Mapping[str, Reader] = {
    reader.name: reader
    for reader in (
        Reader("grid", read_grid, Map),
        Reader("area", read_area, Set),
        Reader("pieces", read_pieces, Set),
        Reader("solids", read_solids, Set),
        Reader("table", read_table, Seq),
        Reader("csv", read_csv, Seq),
        Reader("list", read_list, Seq),
        Reader("text", read_text, str),
    )
}
