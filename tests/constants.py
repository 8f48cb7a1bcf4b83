"""Constants of a module with other values for a while, so that what takes long otherwise comes at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any, Protocol


class Constants(Protocol):
    """The fixture `constants`: until the end of the test, these constants of a module have other values."""

    def __call__(self, module: ModuleType | str, **values: Any) -> None: ...


@contextmanager
def constants_of(module: ModuleType | str, **values: Any) -> Iterator[None]:
    """These constants of a module, or of one of this name, have other values inside. Each must be one of its own: a
    name that a module doesn't have any longer would make a test that shows nothing."""
    where = import_module(module) if isinstance(module, str) else module
    before = {name: getattr(where, name) for name in values}
    assert all(name.isupper() for name in values), "what is no constant is replaced by `monkeypatch`"
    try:
        for name, value in values.items():
            setattr(where, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(where, name, value)
