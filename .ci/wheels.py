"""Builds what a release is made of: a source archive, and from it three wheels.

    .venv/bin/python .ci/wheels.py [FOLDER]

One wheel is for any platform, with interpreted kernels; one for this platform and every Python from 3.11 on; and one
for this platform and this version of Python, which is a little faster (RELEASING.md).

The files are put into FOLDER, or into `dist`. It needs what .ci/release.txt pins (`build`, setuptools, Cython), a C
compiler, npm for the studio's page, and tree-sitter for the parser that editors use. Nothing else is fetched to build
with. What is in the checkout is in the archive, so that it must be a clean one. It takes some three minutes.

Whoever builds a commit twice, in whatever folder, gets the same bytes: each file in the archive and in the wheels bears
the time of the commit (or SOURCE_DATE_EPOCH, where that is set), belongs to nobody, and stands in the order of its
name; kernels hold no path. Cython, the C compiler and the tools of the page must be the same, of course.

On Linux the wheels run where the C library is as new as this machine's. For wheels that run everywhere on Linux, and
for other platforms, cibuildwheel does the same with the settings in pyproject.toml (.github/workflows/release.yml).
"""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from collections.abc import Collection
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# What is no part of the repository but belongs in all three files, and how it is made: a folder, and the command to be
# run in it where its first word is installed. MANIFEST.in and package-data say where the result is found.
MADE: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("studio", ("npm", "ci", "--ignore-scripts")),
    ("studio", ("npm", "run", "build")),
)
# The parser of tree-sitter, for editors, which is in the archive: its folder, what it is made by, and what is made. The
# command is that of TREE_SITTER, or is installed, or lies where `npm rebuild` in that folder puts it.
GRAMMAR = ROOT / "editors" / "tree-sitter-cover"
PARSER = tuple(f"src/{name}" for name in ("parser.c", "grammar.json", "node-types.json", "tree_sitter/parser.h"))
SUFFIXES = (".so", ".pyd")  # of compiled kernels
OWN = f"cp{sys.version_info.major}{sys.version_info.minor}"
# What setup.py calls a wheel, and what its name then holds. Without the global lock there is none for later versions.
KINDS = {"any": "-py3-none-any.whl", "abi3": "-abi3-", "version": f"-{OWN}-{OWN}"}
if sysconfig.get_config_var("Py_GIL_DISABLED"):
    del KINDS["abi3"]
PAGE = tuple(f"covr/studio/page/{name}" for name in ("index.html", "app.js", "app.css", "line.js"))
# The folders that are installed, and what they are called there.
INSTALLED = {"covr/": "covr/", **{f"{room}/": f"covr/{room}/" for room in ("dsl", "compiler", "engine", "models")}}
PAGES = ("ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "RELEASING", "ROADMAP", "SECURITY")  # to read
# All else of the repository is left out: here is why. Names of folders end in a slash.
NOT_IN_ARCHIVE = dict.fromkeys(
    ("covr/dsl", "covr/compiler", "covr/engine", "covr/models"),
    "a link, which not every system can unpack; what is installed has the folder itself in its place",
)
NOT_IN_WHEEL = {
    **NOT_IN_ARCHIVE,
    **dict.fromkeys((".ci/", ".github/", ".gitignore", ".pre-commit-config.yaml"), "for whoever works on covr"),
    **dict.fromkeys(("tests/", "benchmarks/"), "run in a clone or a source archive, with covr and the extra `test`"),
    **dict.fromkeys(("setup.py", "pyproject.toml", "MANIFEST.in"), "make the wheel; its METADATA says what they say"),
    **dict.fromkeys(
        ("docs/", "covr/links/README.md", *(f"{name}.md" for name in PAGES)),
        "pages to read, which no command opens",
    ),
    "README.md": "stands in METADATA",
    "LICENSE": "stands beside METADATA, in licenses/",
    "editors/": "is installed by the editors themselves",
    "studio/": "what the studio's page is made of; the page itself is in the wheel once it is built (MADE)",
}


def main(folder: Path) -> list[Path]:
    """Build everything, check what is in it, and return the paths. Exits with a message if anything is wrong."""
    needed = (*in_wheel(), *(PAGE if prepare() else ()))
    parsed = make_parser()
    folder.mkdir(parents=True, exist_ok=True)
    moment = made_at()
    os.environ["SOURCE_DATE_EPOCH"] = str(moment)  # which the builder of wheels reads
    with tempfile.TemporaryDirectory() as scratch:
        archive = build(ROOT, "--sdist", Path(scratch, "archive"))
        check_archive(archive, PARSER if parsed else ())
        archive.write_bytes(settled(archive.read_bytes(), moment))
        with tarfile.open(archive) as packed:
            packed.extractall(scratch, filter="data")
        source = Path(scratch, archive.name.removesuffix(".tar.gz"))
        wheels = {kind: build(source, "--wheel", Path(scratch, kind), COVR_WHEEL=kind) for kind in KINDS}
        for kind, wheel in wheels.items():
            check(wheel, kind, kernels(source), needed)
        return [Path(shutil.copy2(file, folder)) for file in (archive, *wheels.values())]


def prepare() -> bool:
    """Make what is no part of the repository, and return whether that could be done here; say so if not."""
    for where, command in MADE:
        program = shutil.which(command[0])
        if program is None:
            print(f"{where} is left out: {command[0]} is not installed", file=sys.stderr)
            return False
        subprocess.run([program, *command[1:]], cwd=ROOT / where, check=True)
    return True


def make_parser() -> bool:
    """Have tree-sitter make the parser of the grammar, and return whether that could be done; say so if not."""
    own = GRAMMAR / "node_modules" / ".bin" / "tree-sitter"
    command = os.environ.get("TREE_SITTER") or shutil.which("tree-sitter") or shutil.which(own)
    if command is None:
        how = "`npm rebuild tree-sitter-cli --prefix editors/tree-sitter-cover` fetches it"
        print(f"the parser of tree-sitter is left out: {how}", file=sys.stderr)
        return False
    shutil.rmtree(GRAMMAR / "src", ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:  # where it may write files for other languages, too
        copy = shutil.copytree(GRAMMAR, Path(scratch, GRAMMAR.name), ignore=shutil.ignore_patterns("node_modules"))
        done = subprocess.run([command, "generate"], cwd=copy, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"error: {command} generate failed: {done.stderr}")
        shutil.copytree(copy / "src", GRAMMAR / "src")
    return True


def check_archive(archive: Path, parser: tuple[str, ...]) -> None:
    """Whether the archive holds the parser."""
    with tarfile.open(archive) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    for name in (f"editors/tree-sitter-cover/{name}" for name in parser):
        if name not in names:
            sys.exit(f"error: {archive.name} lacks {name}")


def made_at() -> int:
    """The time that all files bear, in seconds since 1970: SOURCE_DATE_EPOCH, or that of this checkout's commit."""
    told = os.environ.get("SOURCE_DATE_EPOCH")
    if told is None:
        command = ["git", "log", "-1", "--format=%ct"]
        told = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return int(told)


def settled(archive: bytes, moment: int) -> bytes:
    """A source archive with nothing in it of who built it, when and where.

    setuptools writes the owner and the time of each file as they are in the checkout, in the order in which the folder
    lists them, and the present time into the head of the compressed file.
    """
    out = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(archive)) as before,
        gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=moment) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as after,
    ):
        for member in sorted(before.getmembers(), key=lambda member: member.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = moment, 0, 0, "", ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            member.pax_headers = {}
            after.addfile(member, before.extractfile(member) if member.isfile() else None)
    return out.getvalue()


def build(source: Path, what: str, folder: Path, **environment: str) -> Path:
    """Run `build` on the source; returns the one file that it makes."""
    command = [sys.executable, "-m", "build", "--no-isolation", what, "--outdir", str(folder), str(source)]
    if subprocess.run(command, env={**os.environ, **environment}).returncode:
        sys.exit(f"error: {' '.join(command)} failed; does `pip install --require-hashes -r .ci/release.txt` help?")
    (made,) = folder.iterdir()
    return made


def kernels(source: Path) -> set[str]:
    """The names of the modules that are compiled, as setup.py finds them: of a family, that of its folder."""
    beside = (source / "covr" / "verify").glob("_*.py")
    families = {path.parent.name for path in (source / "engine" / "kernels").rglob("_*.py") if path.stem[1] != "_"}
    return families | {path.stem for path in beside if path.stem[1] != "_"}


def repository() -> list[str]:
    """The files of this checkout, without what git ignores; links are files, too."""
    command = ["git", "ls-files", "-z", "-co", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        sys.exit(f"error: {ROOT} is no checkout: {listed.stderr.strip()}")
    return [name for name in listed.stdout.split("\0") if name and os.path.lexists(ROOT / name)]


def in_wheel() -> dict[str, str]:
    """What every wheel holds of the repository: the name there → the file. Exits with a message if a file is neither
    in a folder that is installed nor named by `NOT_IN_WHEEL`."""
    found = {}
    for name in repository():
        if is_named(name, NOT_IN_WHEEL):
            continue
        room = f"{name.partition('/')[0]}/"
        if room not in INSTALLED:
            sys.exit(f"error: is {name} to be in the wheels? .ci/wheels.py does not say (INSTALLED, NOT_IN_WHEEL)")
        found[INSTALLED[room] + name.removeprefix(room)] = name
    return found


def is_named(name: str, names: Collection[str]) -> bool:
    """Whether a file is one of these, or lies in a folder that is."""
    return name in names or any(name.startswith(folder) for folder in names if folder.endswith("/"))


def check(wheel: Path, kind: str, wanted: set[str], needed: Collection[str]) -> None:
    """Whether a wheel is of its kind, with all compiled kernels or none, and else holds just what it needs to."""
    if KINDS[kind] not in wheel.name:
        sys.exit(f"error: {wheel.name} is no wheel of the kind `{kind}`: {KINDS[kind]}")
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    compiled = {Path(name).name.partition(".")[0] for name in names if name.endswith(SUFFIXES)}
    if compiled != (set() if kind == "any" else wanted):
        sys.exit(f"error: {wheel.name} holds the wrong kernels: {', '.join(sorted(compiled ^ wanted))}")
    for name in needed:
        if name not in names:
            sys.exit(f"error: {wheel.name} lacks {name}")
    for name in names:
        if name not in needed and not name.endswith(SUFFIXES) and ".dist-info" not in name.partition("/")[0]:
            sys.exit(f"error: {wheel.name} holds {name}, which is not in the repository")


if __name__ == "__main__":
    for made in main(Path(*sys.argv[1:2]) if sys.argv[1:] else ROOT / "dist"):
        print(made)
