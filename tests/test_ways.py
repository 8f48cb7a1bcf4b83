"""The ways through the house: how many files a question enters, and how often it goes from one to another.

A file is entered when a function of it is called; what an import runs, the bodies of modules and of classes, does not
count. A turn is a call of a function in another file than the one before. ARCHITECTURE.md follows these ways.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.modules import ROOT

FOLLOW = """
import inspect, json, sys
root, asked = sys.argv[1:3]
entered, last, turns = set(), "", 0
def follow(frame, event, arg):
    global last, turns
    if event == "call" and frame.f_code.co_flags & inspect.CO_OPTIMIZED:  # which only functions are
        name = frame.f_code.co_filename
        if name.startswith(root) and "/.venv/" not in name and name != last:
            entered.add(name)
            turns += 1
            last = name
def command(*words):
    import covr.cli
    sys.argv = ["covr", *words]
    try:
        covr.cli.main()
    except SystemExit:
        pass
def studio(kind, text):
    from covr.studio.work.asked import Events, StudioQuestion
    from covr.studio.work.kinds import answering
    class Page:
        heard = None
        def tell(self, message):
            pass
    asked = StudioQuestion(kind, "m.cover", "", ".", text, {}, {}, 60.0, 2**30, 9, 10**6, 10**6, 10**6)
    for _ in answering(asked, Events(Page(), 9)):
        pass
sys.setprofile(follow)
try:
    eval(asked)
finally:
    sys.setprofile(None)
print(json.dumps([len(entered), turns]), file=sys.stderr)
"""
# What is asked → the files that it may enter, and the turns that it may take. Both only fall.
WAYS = {
    'command("solve", "sudoku")': (76, 5360),
    'command("count", "queens")': (68, 1550),
    'command("solve", "bin_packing")': (89, 3660),
    'command("make", "slitherlink", "--seed", "1", "--jobs", "1")': (105, 159_000),
    'command("solve", "https://puzz.link/p?slither/5/5/cbcbcddad")': (99, 6760),
    'studio("solve", "cells r in 1..4\\nchoose a(r)\\nexactly one a\\n")': (76, 895),
}


def followed(asked: str) -> tuple[int, int]:
    """How many files a question enters, and how many turns it takes."""
    run = subprocess.run(
        [sys.executable, "-c", FOLLOW, str(ROOT), asked], capture_output=True, text=True, check=True, cwd=ROOT
    )
    files, turns = json.loads(run.stderr.splitlines()[-1])
    return files, turns


@pytest.mark.parametrize("asked", WAYS)
def test_a_question_enters_few_files_and_goes_back_seldom(asked: str) -> None:
    files, turns = followed(asked)
    most_files, most_turns = WAYS[asked]
    assert 0 < files <= most_files
    assert files < turns <= most_turns
