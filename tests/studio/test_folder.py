"""The files that a page may read and write."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs covr[studio]")

from covr.studio.body import Bad
from covr.studio.folder import LARGEST, StudioFolder, seen


@pytest.fixture
def folder(tmp_path: Path) -> StudioFolder:
    """A folder with models, beside one with a secret to which links lead."""
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "secret.txt").write_text("secret")
    (inside / "a.cover").write_text("# a\n")
    (inside / "deep").mkdir()
    (inside / "deep" / "b.txt").write_text("12\n")
    (inside / "link.cover").symlink_to(outside / "secret.txt")
    (inside / "out").symlink_to(outside)
    (inside / "same.cover").symlink_to(inside / "a.cover")
    (inside / ".hidden.txt").write_text("x")
    return StudioFolder(inside)


def test_what_lies_in_the_folder_is_listed_and_read(folder: StudioFolder) -> None:
    assert folder.files()["files"] == ["a.cover", "deep/b.txt", "same.cover"]
    assert folder.read("a.cover") == {"path": "a.cover", "text": "# a\n", "seen": seen(b"# a\n")}
    assert folder.read("deep/../a.cover")["text"] == "# a\n"


@pytest.mark.parametrize(
    "path",
    ["../outside/secret.txt", "/etc/passwd", "out/secret.txt", "link.cover", "", ".", "..", "a\0b",
     "deep/../../outside", ".hidden.txt", "out/new.cover", "C:\\x.cover", "~/x", "none.cover",
     "deep"],
)  # fmt: skip
def test_nothing_else_is_read(folder: StudioFolder, path: str) -> None:
    with pytest.raises(Bad):
        folder.read(path)


@pytest.mark.parametrize(
    "path", ["../outside/x.txt", "out/x.txt", "link.cover", "/tmp/x.cover", ".x.txt", "x.py", "no/x.txt", "x"]
)
def test_nothing_else_is_written(folder: StudioFolder, path: str) -> None:
    with pytest.raises(Bad):
        folder.write(path, "harm", None)
    assert (folder.root.parent / "outside" / "secret.txt").read_text() == "secret"
    assert sorted(os.listdir(folder.root.parent / "outside")) == ["secret.txt"]


def test_a_file_that_has_changed_is_not_overwritten(folder: StudioFolder) -> None:
    known = folder.read("a.cover")["seen"]
    known = folder.write("a.cover", "# b\n", known)["seen"]
    (folder.root / "a.cover").write_text("# somebody else\n")
    with pytest.raises(Bad) as bad:
        folder.write("a.cover", "# c\n", known)
    assert bad.value.status == 409
    assert (folder.root / "a.cover").read_text() == "# somebody else\n"
    with pytest.raises(Bad) as bad:
        folder.write("a.cover", "# new\n", None)
    assert bad.value.status == 409
    (folder.root / "a.cover").unlink()
    with pytest.raises(Bad) as bad:
        folder.write("a.cover", "# d\n", known)
    assert bad.value.status == 409


def test_a_file_is_written_whole_and_keeps_its_mode(folder: StudioFolder) -> None:
    place = folder.root / "a.cover"
    place.chmod(0o640)
    folder.write("a.cover", "# é𝄞\n", seen(b"# a\n"))
    assert place.read_bytes() == "# é𝄞\n".encode() and place.stat().st_mode & 0o777 == 0o640
    folder.write("new.cover", "x", None)
    assert sorted(p.name for p in folder.root.iterdir() if p.name.startswith(".covr")) == []


def test_a_link_in_the_folder_stays_a_link(folder: StudioFolder) -> None:
    folder.write("same.cover", "# through\n", seen(b"# a\n"))
    assert (folder.root / "same.cover").is_symlink() and (folder.root / "a.cover").read_text() == "# through\n"


def test_pipes_and_huge_files_are_refused_at_once(folder: StudioFolder) -> None:
    os.mkfifo(folder.root / "pipe.txt")
    (folder.root / "huge.txt").write_bytes(b"1" * (LARGEST + 1))
    (folder.root / "raw.txt").write_bytes(b"\xff\xfe\x00\xd8")
    done = threading.Event()

    def read() -> None:
        for path in ("pipe.txt", "huge.txt", "raw.txt"):
            with pytest.raises(Bad):
                folder.read(path)
        done.set()

    threading.Thread(target=read, daemon=True).start()
    assert done.wait(20)


def test_writing_onto_a_pipe_is_refused_at_once_and_the_next_file_is_written(folder: StudioFolder) -> None:
    os.mkfifo(folder.root / "pipe.txt")
    for known in (None, "0"):
        with pytest.raises(Bad) as refused:
            folder.write("pipe.txt", "x", known)
        assert refused.value.status == 403
    assert folder.write("new.txt", "x", None)["path"] == "new.txt"


def test_a_page_writes_no_settings_of_other_programs(folder: StudioFolder) -> None:
    for path in (
        "pyproject.toml",
        "package.json",
        "Makefile",
        "run.py",
        "x.sh",
        ".env",
        ".git/config",
        ".hidden.cover",
    ):
        with pytest.raises(Bad) as refused:
            folder.write(path, "x", None)
        assert refused.value.status == 403
        assert not (folder.root / path).exists()


def test_of_two_who_write_at_once_one_is_told(folder: StudioFolder) -> None:
    """However two pages write, the file is that of the one who was not refused."""
    for turn in range(20):
        known = folder.read("a.cover")["seen"]
        results: list[str] = []

        def write(text: str, known: str = known, results: list[str] = results) -> None:
            try:
                folder.write("a.cover", text, known)
                results.append(text)
            except Bad:
                pass

        texts = [f"# {turn} {who}\n" for who in range(2)]
        threads = [threading.Thread(target=write, args=[text]) for text in texts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results == [folder.read("a.cover")["text"]]
