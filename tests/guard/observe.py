"""`python -m tests.guard.observe [NAME …]`: the work of the guard's pairs, each in a process of its own, as JSON.

calls: of covr's own Python functions; comprehensions and generator expressions are left out, because later versions of
Python call none for them.  slices: calls from Python of a kernel's methods that search, reduce or solve.  nodes,
updates: what these calls added to the kernels' own counters.

All of covr is imported once, and every pair runs in a fork of that process: imports count for nothing, and no pair sees
what another left behind. So that a pair does the same on every machine, optional packages are hidden, there are two
cores, and covr's clocks hardly move: every slice is one that took no time, and nothing is ever late.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import gc
import importlib
import itertools
import json
import os
import pkgutil
import resource
import sys
import tempfile
import threading
import time
import traceback
import types
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from benchmarks._guard_pairs import PAIRS, Pair, source

# Methods of kernels that work, by name; the others only tell or set something.
WORKS = (
    "run", "gather", "solve", "settle", "reduce", "complete", "follow", "smallest", "firsts",
    "parts_of", "climb", "stir", "greedy", "propagate", "draw", "thin", "nearest", "relax", "minima",
)  # fmt: skip
# The properties that count: of the first group of names, and of the second, each kernel has one or none.
NODES, UPDATES = ("nodes", "visited"), ("updates", "spent", "work", "labour")
EXTRAS = (
    "pysat",
    "ortools",
    "highspy",
    "pyscipopt",
    "clingo",
    "psutil",
    "distributed",
    "pyarrow",
    "cairosvg",
    "openpyxl",
)
NOT_YET_KNOWN = ("covr.studio", "covr.lsp")  # no pair needs them
TICK = 1e-6  # seconds that pass whenever covr looks at a clock
MOST = 3  # CPU seconds that a pair may take, many times what it needs; more ends it without a result
FIELDS = ("calls", "slices", "nodes", "updates")

# A count, and the same with a fault in it: for the test that such a fault is seen. Observed only if they are named.
PLANTED = (
    Pair("planted: none", program="count(queens(7), settings=Settings(jobs=1))"),
    Pair(
        "planted: slices of one node",
        program="import sys, covr.engine.search\nk = sys.modules['covr.engine.search']\n"
        "k.FIRST_SLICE = k.COMPILED_STEPS = 1\n"
        "count(queens(7), settings=Settings(jobs=1))",
    ),
)


class Tally:
    """What was counted so far. busy: the kernels whose method runs, by id."""

    def __init__(self) -> None:
        self.calls = self.slices = self.nodes = self.updates = 0
        self.busy: set[int] = set()
        self.lock = threading.Lock()
        self.own: dict[Any, bool] = {}

    def profile(self, frame: FrameType, event: str, _: object) -> None:
        """A function for sys.setprofile that counts the calls of covr's own functions."""
        if event == "call":
            code = frame.f_code
            own = self.own.get(code)
            if own is None:
                own = self.own[code] = _is_own(code.co_filename, code.co_name)
            self.calls += own

    def watched(self, work: Callable[..., Any]) -> Callable[..., Any]:
        """The same method of a kernel, counted."""

        @functools.wraps(work)
        def counted(kernel: Any, *args: Any, **words: Any) -> Any:
            if id(kernel) in self.busy:  # called by another method of the same kernel
                return work(kernel, *args, **words)
            self.busy.add(id(kernel))
            nodes, updates = _number(kernel, NODES), _number(kernel, UPDATES)
            try:
                return work(kernel, *args, **words)
            finally:
                self.busy.discard(id(kernel))
                nodes, updates = _number(kernel, NODES) - nodes, _number(kernel, UPDATES) - updates
                with self.lock:
                    self.slices += 1
                    self.nodes += nodes
                    self.updates += updates

        return counted


def _is_own(file: str, name: str) -> bool:
    parts = file.replace(os.sep, "/").split("/")
    own = "covr" in parts or bool({"engine", "compiler", "dsl"} & set(parts))
    return own and not {"tests", "site-packages"} & set(parts) and not (name[0] == "<" and name != "<lambda>")


def _number(kernel: Any, names: tuple[str, ...]) -> int:
    for name in names:
        value = getattr(kernel, name, None)
        if isinstance(value, int):
            return value
    return 0


def _watch(module: ModuleType, tally: Tally) -> None:
    """Have the classes of a compiled kernel's module count their work.

    They can be neither changed nor inherited from; but what Python looks a method up in is a dictionary all the same.
    """
    for value in list(vars(module).values()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            names: dict[str, Any] = gc.get_referents(vars(value))[0]
            for name in WORKS:
                if callable(names.get(name)):
                    names[name] = tally.watched(names[name])
            ctypes.pythonapi.PyType_Modified(ctypes.py_object(value))


def _hold_still(modules: Iterable[ModuleType]) -> None:
    """Give these modules clocks that hardly move, and two cores."""
    ticks = itertools.count(1)
    clocks = ("perf_counter", "monotonic", "thread_time", "process_time")

    def clock() -> float:
        return next(ticks) * TICK

    still = types.SimpleNamespace(**{**vars(time), **dict.fromkeys(clocks, clock)})
    known = {getattr(time, name): clock for name in clocks}
    for module in modules:
        for name, value in list(vars(module).items()):
            if value is time:
                setattr(module, name, still)
            elif value is os.cpu_count:
                setattr(module, name, lambda: 2)
            elif isinstance(value, types.BuiltinFunctionType) and value in known:
                setattr(module, name, known[value])


def _import_all(tally: Tally) -> None:
    """Import all of covr, with watched kernels, as if no extra were installed and time stood still."""
    sys.modules.update(dict.fromkeys(EXTRAS))  # type: ignore[arg-type]  # None: can't be imported
    import covr

    for found in pkgutil.walk_packages(covr.__path__, "covr.", onerror=lambda _: None):
        if ".kernels." in found.name or found.name.startswith(NOT_YET_KNOWN) or found.name.endswith("__main__"):
            continue
        with contextlib.suppress(ImportError):  # what needs an extra
            importlib.import_module(found.name)
    loading = importlib.import_module("covr.engine.kernels.loading")
    for module in {loading.load(name) for name in loading.sources()}:
        _watch(module, tally)
    _hold_still([module for name, module in list(sys.modules.items()) if name.partition(".")[0] == "covr" and module])


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
        threading.setprofile(None)
    if code:
        sys.stdout.flush()
        return {"fault": f"exit code {code}: {Path('said').read_text(encoding='utf-8')[-300:]}"}
    return {field: getattr(tally, field) for field in FIELDS}


def _apart(pair: Pair, tally: Tally) -> dict[str, int | str]:
    """Run a pair in a fork of this process; its work, or its fault."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                result = _work(pair, tally)
                os.chdir("/")
        except BaseException:
            result = {"fault": traceback.format_exc()[-600:]}
        os.write(write, json.dumps(result).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return dict(json.loads(said or f'{{"fault": "it took more than {MOST} s of CPU, or crashed"}}'))


def observe(names: list[str]) -> dict[str, dict[str, int | str]]:
    """The work of the pairs of these names, in this order, or of all."""
    tally = Tally()
    _import_all(tally)
    gc.freeze()
    known = {pair.name: pair for pair in (*PAIRS, *PLANTED)}
    return {name: _apart(known[name], tally) for name in names or [pair.name for pair in PAIRS]}


if __name__ == "__main__":
    print(json.dumps(observe(sys.argv[1:])))
