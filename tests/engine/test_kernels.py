"""The compiled kernel is there where it should be, is the one of this source, and can be done without."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from covr.engine import kernel
from covr.engine.kernels import codes
from covr.engine.kernels import loading as kernels

ENGINE = Path(kernels.__file__).parent
ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(bool(os.environ.get("COVR_INTERPRETED")), reason="COVR_INTERPRETED asks for the source")
@pytest.mark.skipif(os.environ.get("CC") == "/nonexistent", reason="built without a C compiler on purpose")
@pytest.mark.skipif(not os.environ.get("CI"), reason="only CI promises a C compiler")
def test_ci_runs_the_compiled_kernel() -> None:
    assert kernel() == "compiled", "the extension modules were not built; `pip install -e .` says why with -v"


def included(file: str) -> set[str]:
    """The .pxd and .h files in this folder that a source or one of them names, and those that these name in turn."""
    text = (ENGINE / file).read_text(encoding="utf-8")
    named = {f"{name}.pxd" for name in re.findall(r"cimports\.covr\.engine\.kernels\.(\w+)", text)}
    named |= {f"{name}.pxd" for name in re.findall(r"from covr\.engine\.kernels\.(\w+) cimport", text)}
    named |= set(re.findall(r"(?:#include|#define LANES_BODY|cdef extern from) \"(\w+\.h)\"", text))
    if file.endswith(".py") and (ENGINE / file).with_suffix(".pxd").exists():
        named.add(file.replace(".py", ".pxd"))
    return named.union(*map(included, named))


@pytest.mark.parametrize("name", kernels.SOURCES)
def test_whatever_a_kernel_is_compiled_from_makes_it_be_compiled_again(name: str) -> None:
    modules = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["ext-modules"]
    (module,) = (module for module in modules if module["name"] == f"covr.engine.kernels.{name}")
    assert module["sources"] == [f"covr/engine/kernels/{name}.py"]
    assert {Path(path).name for path in module.get("depends", [])} == included(f"{name}.py")
    assert all((ROOT / path).exists() for path in module.get("depends", []))


@pytest.mark.parametrize("name", kernels.SOURCES)
def test_no_compiled_kernel_is_older_than_its_source(name: str) -> None:
    for source in [ENGINE / f"{name}.py", *(ENGINE / file for file in included(f"{name}.py"))]:
        for library in [*ENGINE.glob(f"{name}.*.so"), *ENGINE.glob(f"{name}.*.pyd")]:
            assert library.stat().st_mtime >= source.stat().st_mtime, (
                f"{library.name} is older than {source.name} and hides it; run `pip install -e .` again"
            )


@pytest.mark.parametrize("name", kernels.SOURCES)
def test_the_source_can_be_loaded_beside_the_compiled_kernel(name: str) -> None:
    assert not kernels.load(name, interpreted=True).COMPILED
    assert kernel() == ("compiled" if all(kernels.load(n).COMPILED for n in kernels.SOURCES) else "interpreted")


@pytest.mark.parametrize(("missing", "name"), [("_kernel", "_exact"), ("_cover_prices", "_cover")])
def test_a_kernel_runs_interpreted_where_its_base_class_was_not_built(
    monkeypatch: pytest.MonkeyPatch, missing: str, name: str
) -> None:
    monkeypatch.setattr(kernels, "_is_built", lambda base: base != missing)
    assert not kernels.load.__wrapped__(name).COMPILED


@pytest.mark.parametrize("name", ["_exact", "_general", "_bits", "_multiplicity", "_cover"])
def test_an_interpreted_kernel_has_interpreted_base_classes(name: str) -> None:
    module = kernels.load(name, interpreted=True)
    own = getattr(module, name[1:].capitalize())
    assert own.__mro__[-2].__name__ == "KernelBase"
    assert not any(sys.modules[base.__module__].COMPILED for base in own.__mro__[:-1])


def test_python_and_c_know_the_same_numbers() -> None:
    assert (codes.SLICE, codes.FOUND, codes.DONE, codes.ASK) == (0, 1, 2, 3)
    named = re.findall(r"COVR_(\w+) (?:= )?\d", (ENGINE / "_kernel.h").read_text(encoding="ascii"))
    assert len(named) == len(set(named)) >= 30
    whole = set(re.findall(r"COVR_(\w+) (?:= )?\d+(?:,|\s)", (ENGINE / "_kernel.h").read_text(encoding="ascii")))
    assert all(isinstance(getattr(codes, name), int) for name in whole)
    assert set(named) - whole == {"MIXED_ENDLESS", "MIXED_PIVOT", "MIXED_ZERO"}
    assert [codes.real(f"MIXED_{name}") for name in ("ENDLESS", "PIVOT", "ZERO")] == [1e30, 1e-7, 1e-13]
    for name in ("NOTHING", "MIXED_PIVOT"):
        with pytest.raises(AttributeError, match=f"COVR_{name}"):
            getattr(codes, name)


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
