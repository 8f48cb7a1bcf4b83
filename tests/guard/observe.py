"""`python -m tests.guard.observe [NAME …]`: the work of the guard's pairs, each in a fresh process, as JSON.

calls: of covr's own Python functions; comprehensions and generator expressions are left out, because later versions of
Python call none for them.  slices: calls into a kernel that do some of its work.  nodes, updates: what these calls
added to the kernels' own counters.

All of covr is imported once, and every pair runs in a fork of that process: imports count for nothing, and no pair
sees what another left behind.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import os
import pkgutil
import resource
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from benchmarks._guard_pairs import PAIRS, Pair, source

WORKS = {"run", "gather", "solve", "step", "grow", "spell", "settle", "reduce", "sweep", "complete", "follow"}
MOST = 3  # CPU seconds that a pair may take, many times what it needs; more ends it without a result
FIELDS = ("calls", "slices", "nodes", "updates")


class Tally:
    """What was counted so far. busy: whether this thread is inside a kernel already."""

    def __init__(self) -> None:
        self.calls = self.slices = self.nodes = self.updates = 0
        self.local = threading.local()
        self.own: dict[Any, bool] = {}

    def profile(self, frame: FrameType, event: str, _: object) -> None:
        """For sys.setprofile: count calls of covr's functions."""
        if event == "call":
            code = frame.f_code
            own = self.own.get(code)
            if own is None:
                own = self.own[code] = _is_own(code.co_filename, code.co_name)
            self.calls += own

    def watched(self, work: Callable[..., Any]) -> Callable[..., Any]:
        """The same method of a kernel, counted."""

        @functools.wraps(work)
        def counted(kernel: Any, *args: Any) -> Any:
            if getattr(self.local, "busy", False):
                return work(kernel, *args)
            self.local.busy = True
            nodes, updates = _number(kernel, "nodes"), _number(kernel, "updates")
            try:
                return work(kernel, *args)
            finally:
                self.local.busy = False
                self.slices += 1
                self.nodes += _number(kernel, "nodes") - nodes
                self.updates += _number(kernel, "updates") - updates

        return counted


def _is_own(file: str, name: str) -> bool:
    parts = file.replace(os.sep, "/").split("/")
    own = "covr" in parts or bool({"engine", "compiler", "dsl"} & set(parts))
    return own and "tests" not in parts and "site-packages" not in parts and not (name[0] == "<" and name != "<lambda>")


def _number(kernel: Any, name: str) -> int:
    value = getattr(kernel, name, 0)
    return value if isinstance(value, int) else 0


def _watch(module: ModuleType, tally: Tally) -> None:
    """Put classes that count their work in place of those of a kernel's module."""
    for name, value in list(vars(module).items()):
        if isinstance(value, type) and name[0] != "_":
            works = {at: tally.watched(getattr(value, at)) for at in WORKS if callable(getattr(value, at, None))}
            if works:
                with contextlib.suppress(TypeError):  # a class that can't be inherited from has no work of its own
                    setattr(module, name, type(name, (value,), works))


def _import_all(tally: Tally) -> None:
    """Import covr with watched kernels."""
    loading = importlib.import_module("covr.engine.kernels.loading")
    for module in [loading.load(name) for name in loading.SOURCES]:
        _watch(module, tally)
    import covr

    for found in pkgutil.walk_packages(covr.__path__, "covr.", onerror=lambda _: None):
        if ".kernels." in found.name or found.name.endswith("__main__"):
            continue
        with contextlib.suppress(ImportError):  # an extra that is not installed
            importlib.import_module(found.name)


def _work(pair: Pair, tally: Tally) -> dict[str, int | str]:
    """Run a pair here and now; its work."""
    program = compile(source(pair), "<pair>", "exec")
    code: object = 0
    resource.setrlimit(resource.RLIMIT_CPU, (MOST, MOST))
    with open("said", "wb") as said:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
    threading.setprofile(tally.profile)
    sys.setprofile(tally.profile)
    try:
        exec(program, {"__name__": "__pair__"})
    except SystemExit as end:
        code = end.code
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    if code:
        return {"fault": f"exit code {code}: {Path('said').read_text(encoding='utf-8')[-300:]}"}
    return {field: getattr(tally, field) for field in FIELDS}


def observe(names: list[str]) -> dict[str, dict[str, int | str]]:
    """The work of the pairs of these names, or of all."""
    tally = Tally()
    _import_all(tally)
    found = {}
    for pair in PAIRS:
        if names and pair.name not in names:
            continue
        read, write = os.pipe()
        child = os.fork()
        if not child:
            try:
                with tempfile.TemporaryDirectory() as folder:
                    os.chdir(folder)
                    result = _work(pair, tally)
            except BaseException:
                result = {"fault": traceback.format_exc()[-600:]}
            os.write(write, json.dumps(result).encode())
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as pipe:
            found[pair.name] = json.loads(pipe.read() or '{"fault": "it ended without a word"}')
        os.waitpid(child, 0)
    return found


if __name__ == "__main__":
    print(json.dumps(observe(sys.argv[1:])))
