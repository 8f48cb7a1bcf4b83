"""The compiled kernel is there where it should be and belongs to this source, and covr also runs without it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from covr.engine import kernel
from covr.engine.kernels import header
from covr.engine.kernels import loading as kernels
from tests.each import each

pytestmark = pytest.mark.long

ENGINE = Path(kernels.__file__).parent


@pytest.mark.skipif(bool(os.environ.get("COVR_INTERPRETED")), reason="COVR_INTERPRETED asks for the source")
@pytest.mark.skipif(os.environ.get("CC") == "/nonexistent", reason="built without a C compiler on purpose")
@pytest.mark.skipif(not os.environ.get("CI"), reason="only CI promises a C compiler")
def test_ci_runs_the_compiled_kernel() -> None:
    assert kernel() == "compiled", "the extension modules were not built; `pip install -e .` says why with -v"


def included(file: Path) -> set[Path]:
    """The .pxd and .h files of the kernels that a source or one of them names, and those that these name in turn."""
    text = file.read_text(encoding="utf-8")
    stems = re.findall(r"cimports\.covr\.engine\.kernels\.(?:\w+\.)*(\w+) import", text)
    stems += re.findall(r"from covr\.engine\.kernels\.(?:\w+\.)*(\w+) cimport", text)
    names = {f"{stem}.pxd" for stem in stems}
    names |= set(re.findall(r"(?:#include|#define LANES_BODY|cdef extern from) \"(\w+\.h)\"", text))
    names |= {f"{file.stem}.pxd"} if file.suffix == ".py" else set()
    found = {path for path in ENGINE.rglob("*.*") if path.name in names} - {file}
    return found.union(*map(included, found))


@each("name", kernels.sources())
def test_no_compiled_kernel_is_older_than_its_source(name: str) -> None:
    path = kernels.sources()[name]
    for source in [path, *included(path)]:
        family = path.parent.name
        for library in [*path.parent.glob(f"{family}.*.so"), *path.parent.glob(f"{family}.*.pyd")]:
            assert library.stat().st_mtime >= source.stat().st_mtime, (
                f"{library.name} is older than {source.name} and hides it; run `pip install -e .` again"
            )


def test_a_file_of_a_kernel_is_found_by_its_name_alone() -> None:
    """`load` is given the name of a kernel, and C finds a header in any of the folders."""
    files = [p.name for p in ENGINE.rglob("*.*") if p.suffix in (".py", ".pxd", ".h") and p.stem != "__init__"]
    assert len(files) == len(set(files))


@each("name", kernels.sources())
def test_the_source_can_be_loaded_beside_the_compiled_kernel(name: str) -> None:
    assert not kernels.load(name, interpreted=True).COMPILED
    assert kernel() == ("compiled" if all(kernels.load(n).COMPILED for n in kernels.sources()) else "interpreted")


@each("name", kernels.sources())
def test_a_compiled_kernel_was_compiled_with_the_directives_of_setup(name: str) -> None:
    """Editable installations lost them, and compiled kernels that checked every index. Of the directives, `binding`
    shows: without it, methods have no signature."""
    module = kernels.load(name)
    own = [c for c in vars(module).values() if isinstance(c, type) and c.__module__ == module.__name__]
    compiled = [c for c in own if "__dict__" not in vars(c)]  # a class of Python's has methods with signatures anyway
    methods = [
        value for c in compiled for key, value in vars(c).items() if callable(value) and not key.startswith("__")
    ]
    if module.COMPILED:
        assert {type(method).__name__ for method in methods} <= {"method_descriptor"}


@pytest.mark.parametrize(("missing", "name"), [("shared", "_exact"), ("cover", "_cover"), ("cover", "_descent")])
def test_a_kernel_runs_interpreted_where_its_family_or_its_base_class_was_not_built(
    monkeypatch: pytest.MonkeyPatch, missing: str, name: str
) -> None:
    families = {path.parent.name for path in kernels.sources().values()}
    monkeypatch.setattr(kernels, "_built", lambda: families - {missing})
    assert not kernels.load.__wrapped__(name).COMPILED


@each("name", kernels.sources())
def test_a_kernel_inherits_from_its_own_family_or_from_what_all_share(name: str) -> None:
    """`load` asks for nothing else that must be compiled."""
    module = kernels.load(name, interpreted=True)
    own = [value for value in vars(module).values() if isinstance(value, type)]
    inherited = {base.__module__.rpartition(".")[2].removesuffix("_interpreted") for c in own for base in c.__mro__}
    families = {kernels.sources()[base].parent.name for base in inherited & set(kernels.sources())}
    assert families <= {"shared", kernels.sources()[name].parent.name}


@pytest.mark.parametrize("name", ["_exact", "_general", "_bits", "_multiplicity", "_cover"])
def test_an_interpreted_kernel_has_interpreted_base_classes(name: str) -> None:
    module = kernels.load(name, interpreted=True)
    own = getattr(module, name[1:].capitalize())
    assert own.__mro__[-2].__name__ == "KernelBase"
    assert not any(sys.modules[base.__module__].COMPILED for base in own.__mro__[:-1])


def test_python_and_c_know_the_same_numbers() -> None:
    assert (header.SLICE, header.FOUND, header.DONE, header.ASK) == (0, 1, 2, 3)
    named = re.findall(r"COVR_(\w+) (?:= )?\d", (ENGINE / "shared" / "_kernel.h").read_text(encoding="ascii"))
    assert len(named) == len(set(named)) >= 30
    whole = set(
        re.findall(r"COVR_(\w+) (?:= )?\d+(?:,|\s)", (ENGINE / "shared" / "_kernel.h").read_text(encoding="ascii"))
    )
    assert all(isinstance(getattr(header, name), int) for name in whole)
    assert set(named) - whole == {"MIXED_ENDLESS", "MIXED_PIVOT", "MIXED_ZERO"}
    assert [header.real(f"MIXED_{name}") for name in ("ENDLESS", "PIVOT", "ZERO")] == [1e30, 1e-7, 1e-13]
    for name in ("NOTHING", "MIXED_PIVOT"):
        with pytest.raises(AttributeError, match=f"COVR_{name}"):
            getattr(header, name)


def test_cython_is_not_needed_at_run_time() -> None:
    """A finder that denies Cython, and the interpreted kernels: both answer all the same."""
    program = """
import sys
class Deny:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0].lower() == "cython":
            raise ImportError(name)
sys.meta_path.insert(0, Deny())
from covr.engine import Limits, build, count, kernel, search
assert kernel() == "interpreted"
assert count(build([(1, 1), (0, 1)], [[0, (1, 1)], [0], [(1, 1)]])).value == 4
assert list(search(build([(1, 9)] * 2, [[0], [0, 1]], costs=[1, 1]), goal="minimum"))[-1] == (1,)
"""
    environment = {**os.environ, "COVR_INTERPRETED": "1", "PYTHONPATH": str(ENGINE.parents[1])}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
