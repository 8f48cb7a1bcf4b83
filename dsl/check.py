"""Names: every one is bound, every one once."""

from __future__ import annotations

from covr.dsl import syntax as s
from covr.dsl.diagnostics import Diagnostic


class Checker:
    def __init__(self, libraries: list[s.Module], module: s.Module) -> None:
        self.libraries = libraries
        self.module = module
        self.faults: list[Diagnostic] = []

    def model(self) -> s.Model:
        own = {d.name.id for d in self.module.statements if isinstance(d, s.Param | s.Let)}
        definitions = tuple(
            d for m in (*self.libraries, self.module) for d in m.statements if isinstance(d, s.Param | s.Let)
            if m is self.module or d.name.id not in own
        )
        titles = [t.text for t in self.module.statements if isinstance(t, s.Title)]
        statements = tuple(
            x for x in self.module.statements if not isinstance(x, s.Title | s.Use | s.Param | s.Let)
        )
        return s.Model(
            self.module.source, titles[0] if titles else None, definitions, statements,
            tuple(m.source for m in self.libraries),
        )
