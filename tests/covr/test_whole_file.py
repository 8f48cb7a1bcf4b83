"""Files that are written completely or not at all."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from covr.faults import whole_file, write_whole

posix = pytest.mark.skipif(os.name != "posix", reason="modes, links and pipes as POSIX has them")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def mask() -> Iterator[int]:
    """A umask that is not the usual one."""
    before = os.umask(0o027)
    yield 0o027
    os.umask(before)


def mode(path: str) -> int:
    return Path(path).stat().st_mode & 0o7777


def python(code: str, **more: object) -> subprocess.CompletedProcess[bytes]:
    """Python code in a process of its own, in this folder."""
    begin = "import os, signal\nfrom covr.faults import whole_file, write_whole\n"
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": root}
    return subprocess.run([sys.executable, "-c", begin + code], env=environment, check=False, **more)  # type: ignore[call-overload, no-any-return]


# --- what is there afterwards ------------------------------------------------------------------------------------


def test_new_and_old_files_are_written_and_nothing_else_is_left() -> None:
    write_whole("a.txt", b"one\r\n\xff")
    assert Path("a.txt").read_bytes() == b"one\r\n\xff"
    with whole_file(Path("a.txt")) as file:
        file.write(b"t")
        file.flush()
        assert Path("a.txt").read_bytes() == b"one\r\n\xff", "the old one remains until the new one is complete"
        file.write(b"wo")
    assert Path("a.txt").read_bytes() == b"two" and os.listdir() == ["a.txt"]


def test_the_longest_name_that_a_file_may_have() -> None:
    """Another file beside it must not have a longer one."""
    name = "n" * 251 + ".svg"
    write_whole(name, b"x")
    assert os.listdir() == [name]


@posix
def test_a_new_file_has_the_mode_of_any_new_file(mask: int) -> None:
    write_whole("a.txt", b"")
    Path("b.txt").write_bytes(b"")
    assert mode("a.txt") == mode("b.txt") == 0o666 & ~mask


@posix
@pytest.mark.parametrize("kept", [0o600, 0o644, 0o664, 0o755])
def test_a_file_keeps_its_mode(mask: int, kept: int) -> None:
    Path("a.txt").write_bytes(b"old")
    Path("a.txt").chmod(kept)
    with whole_file("a.txt") as file:
        file.write(b"new")
        (beside,) = set(os.listdir()) - {"a.txt"}
        assert mode(beside) == 0o600, "nobody else may read the new content of what was private"
    assert mode("a.txt") == kept and Path("a.txt").read_bytes() == b"new"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away")
def test_a_file_keeps_its_owner() -> None:
    Path("a.txt").write_bytes(b"old")
    os.chown("a.txt", 12345, 54321)
    Path("a.txt").chmod(0o4640)
    write_whole("a.txt", b"new")
    status = os.stat("a.txt")
    assert (status.st_uid, status.st_gid, mode("a.txt")) == (12345, 54321, 0o4640)


@posix
def test_the_umask_is_left_alone(mask: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It belongs to the whole process: another thread would make files that anybody may write."""
    monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("the umask was changed"))
    write_whole("a.txt", b"")
    monkeypatch.undo()


@posix
def test_what_a_link_leads_to_is_replaced() -> None:
    os.mkdir("deep")
    Path("deep/a.txt").write_bytes(b"old")
    os.symlink("deep/a.txt", "link")
    os.symlink("link", "second")
    os.symlink("deep/new.txt", "dangling")
    write_whole("second", b"new")
    write_whole("dangling", b"made")
    assert Path("deep/a.txt").read_bytes() == b"new" and Path("deep/new.txt").read_bytes() == b"made"
    assert all(map(os.path.islink, ("link", "second", "dangling")))
    assert sorted(os.listdir("deep")) == ["a.txt", "new.txt"]


# --- what goes wrong ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault", [OSError(errno.ENOSPC, "No space left on device"), ValueError("x"), KeyboardInterrupt()]
)
def test_a_block_that_fails_leaves_the_old_file(fault: BaseException) -> None:
    Path("a.txt").write_bytes(b"old")
    for name in ("a.txt", "b.txt"):
        with pytest.raises(type(fault)), whole_file(name) as file:
            file.write(b"half")
            raise fault
    assert Path("a.txt").read_bytes() == b"old" and os.listdir() == ["a.txt"]


@pytest.mark.parametrize("call", ["fsync", "replace", "chmod"])
def test_a_disk_that_is_full_at_the_end_leaves_the_old_file(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.txt").write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, call, full)
        with pytest.raises(OSError, match="No space left"):
            write_whole("a.txt", b"new")
    assert Path("a.txt").read_bytes() == b"old" and os.listdir() == ["a.txt"]


@posix
def test_a_process_that_may_write_no_more_leaves_the_old_file() -> None:
    Path("a.txt").write_bytes(b"old")
    ended = python(
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try: write_whole('a.txt', bytes(100_000))\n"
        "except OSError as error: print(error.strerror)\n",
        capture_output=True,
    )
    assert ended.stdout == b"File too large\n", ended.stderr
    assert Path("a.txt").read_bytes() == b"old" and os.listdir() == ["a.txt"]


@posix
def test_a_process_that_is_killed_leaves_the_old_file() -> None:
    Path("a.txt").write_bytes(b"old")
    ended = python("with whole_file('a.txt') as f:\n f.write(b'half'); f.flush(); os.kill(os.getpid(), signal.SIGKILL)")
    assert ended.returncode == -signal.SIGKILL
    assert Path("a.txt").read_bytes() == b"old"
    (left,) = set(os.listdir()) - {"a.txt"}
    assert left.startswith(".covr-") and left.endswith(".part")
    write_whole("a.txt", b"new")  # what a killed process left is in nobody's way
    assert Path("a.txt").read_bytes() == b"new"


@pytest.mark.parametrize("path", ["none/a.txt", ".", "a\0b"])
def test_a_path_that_no_file_can_have(path: str) -> None:
    with pytest.raises((OSError, ValueError)):
        write_whole(path, b"x")
    assert os.listdir() == []


@posix
def test_links_that_go_round_lead_to_no_file() -> None:
    os.symlink("b", "a")
    os.symlink("a", "b")
    with pytest.raises(OSError):
        write_whole("a", b"x")
    assert sorted(os.listdir()) == ["a", "b"] and os.path.islink("a")


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder in which its user may do what its mode says, which root may not be told."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        monkeypatch.chdir(folder)
        root = os.geteuid() == 0
        try:
            if root:
                os.seteuid(65534)
            yield
        finally:
            if root:
                os.seteuid(0)
            os.chmod(folder, 0o700)
            monkeypatch.undo()


@posix
def test_a_file_that_may_not_be_written_is_not_replaced(nobody: None) -> None:
    Path("a.txt").write_bytes(b"old")
    os.chmod("a.txt", 0o444)
    with pytest.raises(PermissionError):
        write_whole("a.txt", b"new")
    assert Path("a.txt").read_bytes() == b"old" and os.listdir() == ["a.txt"]


@posix
def test_a_folder_that_takes_no_file(nobody: None) -> None:
    os.mkdir("closed")
    Path("closed/a.txt").write_bytes(b"old")
    os.chmod("closed", 0o555)
    for name in ("a.txt", "b.txt"):
        with pytest.raises(PermissionError):
            write_whole(f"closed/{name}", b"new")
    assert Path("closed/a.txt").read_bytes() == b"old" and os.listdir("closed") == ["a.txt"]
    os.chmod("closed", 0o755)


# --- what is no ordinary file ------------------------------------------------------------------------------------


@posix
def test_a_pipe_and_a_device_are_written_to() -> None:
    os.mkfifo("pipe")
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(Path("pipe").read_bytes()))
    reader.start()
    write_whole("pipe", b"through")
    reader.join()
    assert read == [b"through"] and Path("pipe").is_fifo()
    write_whole(os.devnull, b"x")
    assert not Path(os.devnull).is_file()
    assert os.listdir() == ["pipe"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_device_that_is_full() -> None:
    os.symlink("/dev/full", "full")
    with pytest.raises(OSError, match="No space left"):
        write_whole("full", b"x")
    assert os.listdir() == ["full"]


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="there is no /dev/stdout here")
def test_standard_output_goes_on_where_it_was() -> None:
    """Whether a pipe or a file is behind it; the shell's `>>` keeps what was there, too."""
    code = "print('one')\nwrite_whole('/dev/stdout', b'two\\n')\nprint('three')\n"
    assert python(code, stdout=subprocess.PIPE).stdout == b"one\ntwo\nthree\n"
    Path("a.txt").write_bytes(b"zero\n")
    with open("a.txt", "ab") as file:
        python(code, stdout=file)
    with open("b.txt", "wb") as file:
        python(code.replace("/dev/stdout", "b.txt"), stdout=file)
    assert Path("a.txt").read_bytes() == b"zero\none\ntwo\nthree\n"
    assert Path("b.txt").read_bytes() == b"one\ntwo\nthree\n"
    assert sorted(os.listdir()) == ["a.txt", "b.txt"]
