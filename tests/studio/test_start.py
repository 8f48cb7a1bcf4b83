"""The key to the page, and that nothing is imported before it is needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("words", [["--help"], ["studio", "--help"], ["solve", "toy"]])
def test_the_server_is_imported_only_when_it_is_wanted(words: list[str]) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "covr", *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 0
    assert not [line for line in done.stderr.splitlines() if "starlette" in line or "uvicorn" in line]


def test_a_key_for_a_command_line_works_once() -> None:
    pytest.importorskip("starlette", reason="needs covr[studio]")
    from covr.studio.guard import AccessKey

    key = AccessKey(1)
    assert not key.opens("") and key.opens(key.token) and key.opens(key.token)
    once = key.address_once().partition("token=")[2]
    assert once != key.token and not key.opens(once[:-1]) and key.opens(once) and not key.opens(once)
    assert not key.opens("")


def test_no_two_keys_are_alike() -> None:
    pytest.importorskip("starlette", reason="needs covr[studio]")
    from covr.studio.guard import AccessKey

    keys = [AccessKey(1) for _ in range(50)]
    assert len({key.token for key in keys} | {key.secret for key in keys}) == 100
