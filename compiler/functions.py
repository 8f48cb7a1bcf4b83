"""The built-in functions, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from covr.compiler.calls import Site
from covr.compiler.faults import EvalFault


@frozen
class BuiltIn:
    """A built-in function. apply takes the Site of the call and the arguments; least, most: how many of those."""

    name: str
    apply: Callable[..., Any]
    least: int
    most: int | None

    def check_count(self, count: int, site: Site) -> None:
        if count < self.least or (self.most is not None and count > self.most):
            wanted = f"{self.least}" if self.most == self.least else f"{self.least} to {self.most}"
            if self.most is None:
                wanted = f"{self.least} or more"
            plural = "s" * (wanted != "1")
            raise EvalFault.at(site.span, "E208", f"`{self.name}` takes {wanted} value{plural}, not {count}")


FUNCTIONS: dict[str, BuiltIn] = {}
