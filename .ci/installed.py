"""Tries covr as it is installed: from a wheel, in an empty folder, without the clone and without a compiler.

    python .ci/installed.py

It builds the source archive, a wheel from this checkout and one from the archive, and compares all with the repository,
file by file. The wheel is installed into an empty environment, and then used as by somebody who has nothing else: all
that the documentation shows is typed and compared, every model of the gallery is tested by its name, every library is
used, and the studio and the language server are started, asked and stopped.

Needed are setuptools and Cython, as pyproject.toml says, and a package index for what covr itself needs. The kernels
that an installation has left in build/lib are used, unless they are older than their sources. The checkout is copied
first, so that nothing in it is touched, and what an older build has left is not taken. It takes a minute of CPU.
"""

from __future__ import annotations

import http.cookiejar
import json
import os
import re
import resource
import runpy
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import urllib.error
import urllib.request
import venv
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
WHEELS = runpy.run_path(str(ROOT / ".ci" / "wheels.py"))
EXTRAS = ("studio", "lsp", "sheets")  # what pages show that needs an extra, except for pictures of papers
SUFFIXES = WHEELS["SUFFIXES"]
PAGE = "covr/studio/page"  # is no part of the repository, but of the wheel where it was built
PATIENCE = 100  # seconds after which a studio or a language server that says nothing is given up
LIMIT = "0.3"  # seconds to compile each model, and for each promise: most are kept by then; the tests keep the others

# Commands in blocks ```sh that are not run by their words alone, and why.
OTHERWISE = {
    "piece queens.pieces": "is run from a block `console` of another page, which makes the folder",
    "make sudoku -n 24 --links --author Ann -o booklet.pdf": "needs the extra `pictures`, and has to say so",
}
COMPILERS = ("cc", "gcc", "clang", "c++", "cl")


class Broken(Exception):
    """What is wrong with what is installed; a sentence, and what was printed."""


def main() -> None:
    """Build, compare, install and try. Exits with a message at the first thing that is wrong."""
    # What a shell runs in the background ignores Ctrl-C, and so would all that is started from here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            archive, wheel = build(Path(scratch))
            compare(archive, wheel)
            try_all(Installed(wheel, Path(scratch)))
    except Broken as fault:
        sys.exit(f"error: {fault}")
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(f"{sum(one.ru_utime + one.ru_stime for one in used):.0f} s of CPU")


# --- what is built -----------------------------------------------------------------------------------------------


def build(scratch: Path) -> tuple[Path, Path]:
    """The archive and the wheel of this checkout; the wheel that the archive makes must be the same."""
    clone = scratch / "clone"
    for name in WHEELS["repository"]():
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, clone / name, follow_symlinks=False)
    if (ROOT / PAGE).is_dir():
        shutil.copytree(ROOT / PAGE, clone / PAGE)
    archive = built(clone, "sdist", scratch / "archive")
    with tarfile.open(archive) as packed:
        packed.extractall(scratch, filter="data")
    unpacked = scratch / archive.name.removesuffix(".tar.gz")
    wheels = [built(source, "wheel", scratch / source.name / "dist") for source in (clone, unpacked)]
    ours, theirs = (contents(wheel) for wheel in wheels)
    for name in sorted(ours.keys() | theirs.keys()):
        if ours.get(name) != theirs.get(name):
            raise Broken(f"{name} differs between the wheel of the checkout and that of its archive")
    page = [name for name in ours if name.startswith(f"{PAGE}/")]
    WHEELS["check"](wheels[0], "version", WHEELS["kernels"](ROOT), {*WHEELS["in_wheel"](), *page})
    shutil.rmtree(clone)
    shutil.rmtree(unpacked / "build")
    return archive, wheels[1]


def built(source: Path, kind: str, folder: Path) -> Path:
    """What setuptools makes of a folder, as `pip` has it made, with the kernels that were compiled here before."""
    for kernel in (ROOT / "build" / "lib").rglob("*"):
        if kernel.name.endswith(SUFFIXES):
            copy = source / kernel.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(kernel, copy)
    folder.mkdir(parents=True)
    program = "import sys, setuptools.build_meta as made; getattr(made, sys.argv[1])(sys.argv[2])"
    command = [sys.executable, "-W", "ignore", "-c", program, f"build_{kind}", folder]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True)
    if done.returncode:
        needed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
        raise Broken(f"{done.stderr[-2000:]}\n{kind} was not built: does `pip install {shlex.join(needed)}` help?")
    (file,) = folder.iterdir()
    return file


def contents(wheel: Path) -> dict[str, bytes]:
    """What a wheel or an archive holds, by its names, without the folder that an archive packs all in."""
    if wheel.suffix == ".whl":
        with zipfile.ZipFile(wheel) as packed:
            return {name: packed.read(name) for name in packed.namelist()}
    with tarfile.open(wheel) as packed:
        files = [member for member in packed if member.isfile()]
        return {one.name.partition("/")[2]: packed.extractfile(one).read() for one in files}  # type: ignore[union-attr]


def compare(archive: Path, wheel: Path) -> None:
    """Whether both hold what the repository does, byte by byte, but for what is left out with a reason; says how many
    files of each kind there are."""
    names = WHEELS["repository"]()
    for why in (WHEELS["NOT_IN_WHEEL"], WHEELS["NOT_IN_ARCHIVE"]):
        for entry in why:
            if not any(WHEELS["is_named"](name, (entry,)) for name in names):
                raise Broken(f".ci/wheels.py leaves out {entry}, which there is not")
    wanted = {"wheel": WHEELS["in_wheel"](), "archive": {n: n for n in names if n not in WHEELS["NOT_IN_ARCHIVE"]}}
    found = {"wheel": contents(wheel), "archive": contents(archive)}
    for which, held in found.items():
        for name, file in wanted[which].items():
            if name not in held:
                raise Broken(f"the {which} lacks {file}")
            if held[name] != (ROOT / file).read_bytes():
                raise Broken(f"{file} is another in the {which}")
    made = {"PKG-INFO", "setup.cfg", *(n for n in found["archive"] if n.startswith((f"{PAGE}/", "covr.egg-info/")))}
    for name in found["archive"].keys() - wanted["archive"].keys() - made:
        raise Broken(f"the archive holds {name}, which is not in the repository")
    kinds = [Counter(map(kind_of, group)) for group in (names, found["archive"], found["wheel"])]
    print(f"{'kind':>14} repository archive wheel")
    for kind in sorted(set().union(*kinds)):
        print(f"{kind:>14} {kinds[0][kind]:10} {kinds[1][kind]:7} {kinds[2][kind]:5}")


def kind_of(name: str) -> str:
    """The kind of a file: how its name ends, or the name."""
    return Path(name).suffix or Path(name).name


# --- what is installed -------------------------------------------------------------------------------------------


class Installed:
    """covr in an environment of its own. folder: an empty folder to be in, which is the user's home, too."""

    def __init__(self, wheel: Path, scratch: Path) -> None:
        self.place, self.folder = scratch / "environment", scratch / "empty"
        self.folder.mkdir()
        venv.create(self.place, with_pip=False, symlinks=os.name != "nt")
        self.bin = self.place / ("Scripts" if os.name == "nt" else "bin")
        self.python = self.bin / "python"
        pip = [sys.executable, "-m", "pip", "--python", self.python, "install", "-q", "--no-compile"]
        subprocess.run([*pip, f"{wheel}[{','.join(EXTRAS)}]"], check=True)
        self.environment = {"PATH": str(self.bin), "HOME": str(self.folder), "LC_ALL": "C.UTF-8"}
        if any(shutil.which(name, path=str(self.bin)) for name in COMPILERS):
            raise Broken(f"there is a compiler in {self.bin}")
        site = next(self.place.rglob("site-packages"))
        ours = [file for file in [*site.glob("covr*/**/*"), *self.bin.iterdir(), *site.glob("*.pth")] if file.is_file()]
        for file in ours:
            if os.fsencode(ROOT) in file.read_bytes():
                raise Broken(f"{file.relative_to(self.place)} names the checkout")

    def run(self, *command: str | Path, codes: Collection[int] = (0,)) -> str:
        """What a command prints, both outputs, in the empty folder. Raises Broken if it ends with another code."""
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, text=True, encoding="utf-8", stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        if done.returncode not in codes or "Traceback" in done.stdout:
            shown = shlex.join(map(str, command))
            raise Broken(f"{done.stdout[-4000:]}\n{shown:.500} ended with {done.returncode}")
        return done.stdout

    def covr(self, *words: str, codes: Collection[int] = (0,)) -> str:
        """What the command `covr` prints."""
        return self.run(self.bin / "covr", *words, codes=codes)

    @contextmanager
    def started(self, *words: str, code: int = 0) -> Iterator[subprocess.Popen[bytes]]:
        """A command that runs until it is stopped, and is killed if it does not end. code: that it must end with."""
        process = subprocess.Popen(
            [self.bin / "covr", *words], cwd=self.folder, env=self.environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            yield process
            if process.wait(PATIENCE) != code:
                raise Broken(f"covr {' '.join(words)} ended with {process.returncode}")
        finally:
            process.kill()
            process.communicate()


def try_all(covr: Installed) -> None:
    """Everything, in an order in which each command finds what it needs."""
    if "kernel compiled" not in covr.covr("--version"):
        raise Broken("the wheel's kernels are not used")
    gallery = [json.loads(line)["name"] for line in covr.covr("gallery", "--json").splitlines()]
    typed = {words[0] for words in [*shown(covr), *scripts(covr)]}
    if covr.covr("gallery").split() == [] or "soma" not in covr.covr("gallery", "soma"):
        raise Broken("covr gallery lists nothing")
    for shell in ("bash", "zsh", "fish"):
        if "_COVR_COMPLETE" not in covr.covr("completion", shell):
            raise Broken(f"covr completion {shell} writes no script")
    watch(covr)
    language_server(covr)
    typed |= {"completion", "watch", "lsp"}
    listed = re.findall(r"^  (\w+)  ", covr.covr("--help"), re.MULTILINE)
    for name in listed:
        covr.covr(name, "--help")
        if name not in typed:
            raise Broken(f"nothing is shown of covr {name}, so it was not tried")
    libraries(covr)
    promises(covr, gallery)
    print(f"all {len(listed)} commands, {len(gallery)} models: they work as they are installed")


# --- what is shown -----------------------------------------------------------------------------------------------


def shown(covr: Installed) -> list[list[str]]:
    """Run what the pages show with what they print (tests/shown.py); the words of all commands."""
    told = covr.run(covr.python, "-I", ROOT / "tests" / "shown.py")
    run = json.loads(told.splitlines()[-1])
    print(f"{len(run['commands'])} commands and {run['examples']} examples in Python give what is shown")
    return list(run["commands"])


def scripts(covr: Installed) -> list[list[str]]:
    """Run the commands that the pages show without what they print; the words of all."""
    lines = script_lines()
    for line in OTHERWISE.keys() - {shlex.join(words) for words in lines}:
        raise Broken(f"no page shows `{line}`, which .ci/installed.py makes an exception for")
    for words in lines:
        why = OTHERWISE.get(shlex.join(words))
        if words[0] == "studio":
            studio(covr, *words)
        elif why is None:
            covr.covr(*words)
        elif "extra" in why and "pip install 'covr[pictures]'" not in covr.covr(*words, codes=(2,)):
            raise Broken(f"covr {shlex.join(words)} does not name its extra")
    return lines


def script_lines() -> list[list[str]]:
    """The words behind `covr` of the lines that call it in blocks ```sh of all pages; of a pipe the first command."""
    found = []
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for block in re.findall(r"^ *```sh\n(.*?)^ *```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL):
            for line in block.splitlines():
                if re.match(r"\s*(\.venv/bin/)?covr ", line):
                    words = shlex.split(line.partition(" | ")[0], comments=True)
                    found.append(words[1:])
    return found


# --- what goes on until it is stopped ----------------------------------------------------------------------------


def watch(covr: Installed) -> None:
    """An answer, and another one after the file was saved; then Ctrl-C."""
    model = covr.folder / "watched.cover"
    model.write_text("choose a()\nexactly one a\nshow 1 of a\n", "utf-8")
    with covr.started("watch", model.name, "--interval", "0.05", code=130) as process:
        heard(process, lambda line: line.strip() == b"1")
        model.write_text("choose a()\nexactly one a\nshow 22 of a\n", "utf-8")
        heard(process, lambda line: line.strip() == b"22")
        process.send_signal(signal.SIGINT)


def heard(process: subprocess.Popen[bytes], wanted: Callable[[bytes], object]) -> bytes:
    """The first line that is the wanted one. Raises Broken if the output ends before it."""
    assert process.stdout is not None
    for line in process.stdout:
        if wanted(line):
            return line
    raise Broken(f"{process.args!r} ended without the line that was waited for")


def studio(covr: Installed, *words: str) -> None:
    """Open the page, have a model counted, and end it by Ctrl-C."""
    (covr.folder / "puzzles").mkdir(exist_ok=True)
    (covr.folder / "puzzles" / "mine.cover").write_text("choose a(i) for i in 1..3\nexactly one a\n", "utf-8")
    with covr.started(*words, "--no-browser", "--port", "0") as process:
        address = heard(process, lambda line: b"/?token=" in line).split()[-1].decode()
        base = address.partition("/?")[0]
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

        def ask(path: str, **fields: Any) -> str:
            body = json.dumps(fields).encode() if fields else None
            request = urllib.request.Request(base + path, body, {"Content-Type": "application/json"})
            try:
                answer = opener.open(request, timeout=PATIENCE)
            except urllib.error.HTTPError as fault:  # what it says is in there, too
                answer = fault
            with answer:
                return str(answer.read().decode())

        page = ask(address.removeprefix(base))
        if "<html" not in page and "its page is not in this installation" not in page:
            raise Broken(f"{page}\nthe studio has no page, and does not say why")
        asked = {"page": "page-1", "name": "m.cover", "kind": "count"}
        job = json.loads(ask("/api/jobs", **asked, text="choose a(i) for i in 1..3\nexactly one a\n"))["id"]
        if '"count": 3' not in (events := ask(f"/api/jobs/{job}/events")).replace('":3', '": 3'):
            raise Broken(f"{events}\nthe studio does not count")
        process.send_signal(signal.SIGINT)


def language_server(covr: Installed) -> None:
    """Have a fault found in a text that is opened, and shut it down."""
    text = "choose a()\nexactly one b\n"
    document = {"uri": "file:///m.cover", "languageId": "cover", "version": 1, "text": text}
    with covr.started("lsp") as process:
        for message in (
            {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
            {"method": "initialized", "params": {}},
            {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        ):
            send(process, message)
        while b"is not a family of choices" not in received(process):
            pass
        send(process, {"id": 2, "method": "shutdown"})
        send(process, {"method": "exit"})


def send(process: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    """Send a message of the language server protocol."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    assert process.stdin is not None
    process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    process.stdin.flush()


def received(process: subprocess.Popen[bytes]) -> bytes:
    """The next message that it sends."""
    head = heard(process, lambda line: line.startswith(b"Content-Length: "))
    heard(process, lambda line: not line.strip())
    assert process.stdout is not None
    return process.stdout.read(int(head.split()[1]))


# --- what ships with it ------------------------------------------------------------------------------------------


def libraries(covr: Installed) -> None:
    """Use every library, in models of the empty folder, which are all checked at once."""
    names = sorted(path.stem for path in (ROOT / "models" / "std").glob("*.cover"))
    for name in names:
        text = f'use "std/{name}"\nchoose a()\nexactly one a\nexpect 1 solution\n'
        (covr.folder / f"uses_{name}.cover").write_text(text, "utf-8")
    told = covr.covr("test", *(f"uses_{name}.cover" for name in names))
    if not names or f"{len(names)} kept, 0 broken" not in told:
        raise Broken(f"{told}\na library does not work")


def promises(covr: Installed, names: list[str]) -> None:
    """Test every model of the gallery by its name: none of its promises may be broken in a short time."""
    files = {Path(name).stem for name in WHEELS["repository"]() if re.fullmatch(r"models/(?!std/).*\.cover", name)}
    if set(names) != files:
        raise Broken(f"covr gallery lists other models than there are: {', '.join(sorted(files ^ set(names)))}")
    told = covr.covr("test", *names, "--limit-time", LIMIT, codes=(0, 3))
    for name in names:
        if not re.search(rf"^\W+{name}:(?:\d+| stopped) ", told, re.MULTILINE):
            raise Broken(f"{told[-2000:]}\nno promise of {name} was tested")
    print(f"the gallery's promises, {LIMIT} s for each: {told.splitlines()[-1]}")


if __name__ == "__main__":
    main()
