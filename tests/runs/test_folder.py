"""Pieces in a folder: whoever answers them, in whatever order, and however often they are killed, the run that they are
merged into says what an undisturbed one says."""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from covr.cli.group import cli
from covr.engine.pieces import piece_search as pieced
from covr.engine.pieces import piece_work
from covr.engine.pieces.ledger import PieceResult
from covr.engine.pieces.split import Prefix
from covr.inputs.library import gallery_files
from covr.runs import folder_claims as claims
from covr.runs import folder_results as files
from covr.runs import folder_results as results
from covr.runs import folder_work as splitting
from covr.runs import folder_work as work
from covr.runs.folder_claims import folder_standing, ranges
from covr.runs.folder_results import CLAIMS, HEAD, RESULTS, Bests, read_head
from covr.runs.folder_work import PieceTree
from tests.constants import Constants, constants_of
from tests.runs.forged import Idle
from tests.shared import examples

pytestmark = pytest.mark.long

QUEENS = ("count", "queens", "-D", "n=7")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SLURM_ARRAY_TASK_ID", raising=False)


@pytest.fixture
def small(constants: Constants) -> None:
    """Pieces of a few nodes."""
    constants(
        pieced, ALONE=dict.fromkeys(pieced.ALONE, 0.0), SECONDS=dict.fromkeys(pieced.SECONDS, 0.0), BRIEF=40, BATCH=0.0
    )
    constants(piece_work, BRIEF=10, MOST_PARTS=8, MOST_FIRST=8)
    constants(work, POLL=0.01)


def run(*args: str, code: int | None = 0) -> Result:
    result = CliRunner().invoke(cli, args)
    assert code is None or result.exit_code == code, result.output
    return result


def begin_run(words: Sequence[str]) -> None:
    """A run that was begun, and has all of its search before it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("covr.runs.recorded.Threads", Idle)
        run(*words, "--run", "a.run", "--limit-time", "0", code=3)


def split(words: Sequence[str], number: int, *more: str) -> None:
    """A run, begun and cut into a folder `a.pieces`; nothing of it is searched first."""
    begin_run(words)
    with constants_of(splitting, TRIALS=0):
        run("split", "a.run", "-n", str(number), *more)


def status(file: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(run("status", file, "--json").stdout)
    return found


QUESTIONS = [
    QUEENS,
    ("solve", "queens", "-D", "n=7", "--all", "--format", "line"),
    ("solve", "queens", "-D", "n=6", "--unique"),
    ("solve", "queens", "-D", "n=8", "--seed", "3", "--all", "--format", "line"),
    ("solve", "pentominoes", "-D", "h=3", "-D", "w=20"),
    ("solve", "queen_domination", "-D", "n=6"),
    ("solve", "queen_domination", "-D", "n=4", "--all", "--format", "line"),
    ("count", "magic_square", "-D", "n=3"),
    ("solve", "knapsack"),
]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_a_folder_finds_what_a_run_finds(words: tuple[str, ...], constants: Constants) -> None:
    """In whatever order the pieces are answered and merged, and into however many parts they are cut."""
    rng = random.Random(repr(words))
    if "queens" not in words:
        constants(pieced, BRIEF=3000)
    form = words[-2:] if "--format" in words else ()
    code = run(*words, "--run", "whole.run", code=None).exit_code
    expected = run("resume", "whole.run", *form, code=code)
    begin_run(words)
    constants(splitting, TRIALS=0)
    stages = 0
    while status("a.run")["state"] not in ("done", "solved"):
        folder = f"{stages}.pieces"
        run("split", "a.run", "-n", "9", "-o", folder, "--cut-after", "0.2" if "queens" in words else "2")
        stages += 1
        numbers = list(range(1, len(read_head(Path(folder)).tasks) + 1))
        rng.shuffle(numbers)
        for number in numbers:
            said = run("piece", folder, str(number))
            assert f"piece {number} is done" in said.stdout
            if rng.random() < 0.2:
                run("merge", folder, "a.run", code=None)
        run("merge", folder, "a.run")
        assert status(folder)["missing"] == []
    assert stages > 0
    found = run("resume", "a.run", *form, code=code)
    if form or words[0] == "count":
        assert found.stdout == expected.stdout
    assert found.stdout.splitlines()[-1:] == expected.stdout.splitlines()[-1:]
    for file in ("a.run", "whole.run"):
        assert status(file)["answers"] == status("whole.run")["answers"]


def test_a_run_that_ends_while_it_is_split_leaves_nothing_to_split(constants: Constants) -> None:
    """A split searches first pieces for a moment, which ends short searches: here whatever time it takes."""
    constants(pieced, ALONE=dict.fromkeys(pieced.ALONE, 1e9))
    begin_run(QUEENS)
    assert "error[E714]: nothing is left to be searched in `a.run`" in run("split", "a.run", code=2).stderr
    assert run("resume", "a.run").stdout == "40\n" and not Path("a.pieces").exists()


@pytest.mark.usefixtures("small")
def test_a_merge_says_what_is_missing_and_can_be_repeated() -> None:
    split(QUEENS, 12)
    for number in (2, 3, 5):
        run("piece", "a.pieces", str(number))
    many = len(read_head(Path("a.pieces")).tasks)
    said = run("merge", "a.pieces", "a.run", code=3)
    assert f"{many - 3} pieces are missing ({many - 3} parts): 1,4,6-{many}" in said.stdout
    before = status("a.run")
    again = json.loads(run("merge", "a.pieces", "a.run", "--json", code=3).stdout)
    assert again["merged"]["added"] == 0
    assert all(status("a.run")[key] == before[key] for key in ("answers", "pieces", "nodes", "fraction"))
    assert run("piece", "a.pieces", "--all").stdout.startswith("everything is done")
    assert "40 solutions" in run("merge", "a.pieces", "a.run").stdout
    assert "40 solutions; 100.0 %" in run("status", "a.pieces").stdout
    assert run("resume", "a.run").stdout == "40\n"
    assert not os.listdir(Path("a.pieces", CLAIMS)), "no claim is left"


@pytest.mark.usefixtures("small")
def test_the_piece_is_that_of_the_array_or_the_next_free_one(monkeypatch: pytest.MonkeyPatch) -> None:
    split(QUEENS, 12)
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "4")
    assert run("piece", "a.pieces").stdout.startswith("piece 4 is done; 1 part")
    assert run("piece", "a.pieces", "1").stdout.startswith("piece 1 is done; 1 part")
    monkeypatch.delenv("SLURM_ARRAY_TASK_ID")
    assert run("piece", "a.pieces").stdout.startswith("piece 2 is done; 1 part")
    head = read_head(Path("a.pieces"))
    held = claims.take(head.folder, head.key(head.tasks[2]))
    assert held is not None
    with held:
        assert run("piece", "a.pieces").stdout.startswith("piece 5 is done; 1 part"), "at piece 3 somebody is at work"
        assert "others are at work" in run("piece", "a.pieces", "3").stdout
        assert "at work: process" in run("status", "a.pieces").stdout
    assert run("piece", "a.pieces", "3").stdout.startswith("piece 3 is done; 1 part")
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "1000")
    assert "error[E712]" in run("piece", "a.pieces", code=2).stderr


@pytest.mark.usefixtures("small")
def test_of_many_claims_few_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    split(QUEENS, 12)
    head = read_head(Path("a.pieces"))
    for task in head.tasks[3:]:
        assert claims.take(head.folder, head.key(task)) is not None
    read = claims._read
    seen: list[Path] = []
    monkeypatch.setattr(claims, "_read", lambda path: seen.append(path) or read(path))
    assert run("piece", "a.pieces", "2").stdout.startswith("piece 2 is done; 1 part")
    assert seen == []
    assert run("piece", "a.pieces").stdout.startswith("piece 1 is done; 1 part")


@pytest.mark.usefixtures("small")
def test_a_piece_that_is_done_twice_counts_once() -> None:
    """Also if the second finds it in another way: cut, where the first was done, or cut into other parts."""
    split(("count", "queens", "-D", "n=9"), 9)
    head = read_head(Path("a.pieces"))
    first = head.tasks[0]
    run("piece", "a.pieces", "1")
    before = results.read(head, first)
    parts = PieceResult(False, children=(Prefix((0,)), Prefix((1,))), weights=(0.5, 0.5))
    assert not results.write(head, first, parts)
    assert results.read(head, first) == before
    worker = work.FolderWorker(head)
    cut = worker._cut(head.tasks[1], PieceResult(False))
    assert cut is not None
    assert results.write(head, head.tasks[1], cut)
    assert not results.write(head, head.tasks[1], PieceResult(True, count=1000))
    run("piece", "a.pieces", "--all")
    run("merge", "a.pieces", "a.run")
    assert run("resume", "a.run").stdout == "352\n"


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all of its pieces answered, and the run that it is of, with none of them."""
    place = tmp_path_factory.mktemp("answered")
    with (
        pytest.MonkeyPatch.context() as patch,
        constants_of(pieced, ALONE=dict.fromkeys(pieced.ALONE, 0.0), SECONDS=dict.fromkeys(pieced.SECONDS, 0.0),
                     BRIEF=40, BATCH=0.0),
        constants_of(piece_work, BRIEF=10, MOST_PARTS=8, MOST_FIRST=8),
    ):  # fmt: skip
        patch.chdir(place)
        split(("solve", "queens", "-D", "n=6", "--all"), 5, "--cut-after", "0.01")
        run("piece", "a.pieces", "--all")
    return place


@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_is_named_and_mended(answered: Path, data: st.DataObject) -> None:
    place = Path(f"try-{random.randrange(1 << 60):x}")
    shutil.copytree(answered, place)
    folder, file = place / "a.pieces", place / "a.run"
    damaged = folder / RESULTS / data.draw(st.sampled_from(sorted(os.listdir(folder / RESULTS))))
    content = bytearray(damaged.read_bytes())
    kind = data.draw(st.sampled_from(["flip", "cut", "empty", "longer", "another's"]))
    at = data.draw(st.integers(0, len(content) - 1))
    if kind == "flip":
        content[at] ^= data.draw(st.integers(1, 255))
    elif kind == "longer":
        content += b"0"
    elif kind == "another's":
        content = bytearray(next(f for f in (folder / RESULTS).iterdir() if f != damaged).read_bytes())
    else:
        content = content[: at if kind == "cut" else 0]
    damaged.write_bytes(content)
    assert str(damaged) in run("status", str(folder)).stdout
    said = run("merge", str(folder), str(file), code=3)
    assert str(damaged) in said.stderr
    assert damaged.with_name(damaged.name + ".damaged").exists()
    run("piece", str(folder), "--all")
    run("merge", str(folder), str(file))
    assert len(run("answers", str(file), "--format", "line").stdout.splitlines()) == 4
    shutil.rmtree(place)


def test_a_damaged_head_is_an_error(answered: Path) -> None:
    shutil.copytree(answered / "a.pieces", "b.pieces")
    head = Path("b.pieces", HEAD)
    content = bytearray(head.read_bytes())
    content[len(content) // 2] ^= 255
    head.write_bytes(content[: len(content) - 4096])
    for words in (("piece", "b.pieces", "1"), ("status", "b.pieces"), ("merge", "b.pieces", str(answered / "a.run"))):
        assert "error[E704]" in run(*words, code=2).stderr


@pytest.mark.usefixtures("small")
def test_a_better_answer_is_used_by_all_and_only_if_it_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    split(("solve", "queen_domination", "-D", "n=5"), 8)
    head = read_head(Path("a.pieces"))
    problem = work.FolderWorker(head)._compiled.problem
    first, second = Bests(head, problem), Bests(head, problem)
    liar = files.sealed(b"covr best 1\n", json.dumps([1, [0]]).encode())
    Path("a.pieces", "best", "1").write_bytes(liar)
    second.look(at_once=True)
    assert {path.name for path in second.damaged} == {"1"}
    assert second.cost is None or second.cost > 1
    every = tuple(range(problem.options))
    assert first.offer(problem.options, every) or first.cost is not None
    second.look(at_once=True)
    assert second.cost == first.cost
    run("piece", "a.pieces", "--all")
    for outcome in (results.read(head, task) for task in head.tasks):
        assert outcome is not None
        assert outcome.result.best is not None, "what proves a bound is in the same file"
    said = run("merge", "a.pieces", "a.run").stderr
    assert said.count(" is damaged and was renamed") == 1
    assert "damaged" not in run("merge", "a.pieces", "a.run").stderr
    assert run("resume", "a.run").stdout.splitlines()[-1] == "minimum 3, proved"


def test_a_claim_is_lost_with_its_process(constants: Constants, tmp_path: Path) -> None:
    folder = tmp_path / "f"
    (folder / CLAIMS).mkdir(parents=True)
    mine = claims.take(folder, "a")
    assert mine is not None
    assert claims.take(folder, "a") is None, "its process, this one, is alive"
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    told = {"machine": "x", "process": str(gone.pid), "job": "", "where": claims._where()}
    if claims._where():
        mine.path.write_text(json.dumps(told))
        again = claims.take(folder, "a")
        assert again is not None
        assert again.lost == 1
        again.path.unlink()
    for content in (json.dumps({**told, "where": "another machine"}), "", "{"):  # only time tells
        mine.path.write_text(content)
        assert claims.take(folder, "a") is None
    old = time.time() - 2 * claims.STALE
    os.utime(mine.path, (old, old))
    again = claims.take(folder, "a")
    assert again is not None
    assert again.lost == 1
    assert claims.Claims(folder).is_held("a")
    assert not claims.Claims(folder).is_held("b")
    constants(claims, BEAT=0.01)
    os.utime(again.path, (old, old))
    with again:
        while claims.now_of(folder / CLAIMS) - again.path.stat().st_mtime > claims.STALE:
            time.sleep(0.01)
    assert not again.path.exists()


@pytest.mark.usefixtures("small")
def test_a_result_whose_best_answer_is_none_is_not_merged() -> None:
    split(("solve", "queen_domination", "-D", "n=5"), 8)
    head = read_head(Path("a.pieces"))
    assert results.write(head, head.tasks[0], PieceResult(True, best=1, answer=(0,), bound=1))
    assert "is damaged" in run("merge", "a.pieces", "a.run", code=3).stderr
    run("piece", "a.pieces", "--all")
    run("merge", "a.pieces", "a.run")
    assert run("resume", "a.run").stdout.splitlines()[-1] == "minimum 3, proved"


@pytest.mark.usefixtures("small")
def test_a_piece_that_kills_is_cut_and_not_tried_for_ever() -> None:
    split(("count", "queens", "-D", "n=10"), 6)
    head = read_head(Path("a.pieces"))
    key = head.key(head.tasks[0])
    for lost in range(work.LOST):
        claim = claims.take(head.folder, key)
        assert claim is not None
        assert claim.lost == lost
        old = time.time() - 2 * claims.STALE
        os.utime(claim.path, (old, old))
    assert f"{work.LOST} times a process was lost" in run("status", "a.pieces").stdout
    run("piece", "a.pieces", "1")
    outcome = results.read(head, head.tasks[0])
    assert outcome is not None
    assert outcome.result.is_cut
    run("piece", "a.pieces", "--all")
    run("merge", "a.pieces", "a.run")
    assert run("resume", "a.run").stdout == "724\n"


@pytest.mark.usefixtures("small")
def test_a_long_piece_is_cut_for_one_that_waits(constants: Constants) -> None:
    split(("count", "queens", "-D", "n=12"), 1, "--cut-after", "200")
    head = read_head(Path("a.pieces"))
    constants(claims, BEAT=0.01, WAITING=1_000_000)  # what was said is not forgotten on a busy machine
    task = head.tasks[0]
    claim = claims.take(head.folder, head.key(task))
    assert claim is not None
    whole = work.FolderWorker(head)._answer(task, claim)
    assert whole is not None
    assert whole.done, "nobody waits"
    claims.Hungry(head.folder).say()
    with claim:
        while not claim.hungry:
            time.sleep(0.01)
        result = work.FolderWorker(head)._answer(task, claim)
    assert result is not None
    assert result.is_cut
    assert 0 < result.wasted < whole.nodes
    results.write(head, task, result)
    run("piece", "a.pieces", "--all")
    run("merge", "a.pieces", "a.run")
    assert run("resume", "a.run").stdout == "14200\n"


@pytest.mark.parametrize(
    ("words", "code"),
    [(("piece", "nothing"), "E710"), (("status", "."), "E710"), (("merge", "nothing", "a.run"), "E710"),
     (("split", "nothing.run"), "E707"), (("split", "a.run"), "E711"), (("piece", "a.pieces", "99"), "E712"),
     (("merge", "a.pieces", "b.run"), "E713"), (("split", "b.run"), "E714")],
)  # fmt: skip
@pytest.mark.usefixtures("small")
def test_a_wrong_command_is_refused(words: tuple[str, ...], code: str) -> None:
    split(QUEENS, 12)
    run("count", "queens", "-D", "n=6", "--run", "b.run")
    assert f"error[{code}]" in run(*words, code=2).stderr


@pytest.mark.usefixtures("small")
def test_a_run_that_went_on_by_itself_is_merged_all_the_same() -> None:
    split(QUEENS, 12)
    run("piece", "a.pieces", "2")
    assert run("resume", "a.run").stdout == "40\n"
    run("piece", "a.pieces", "--all")
    assert json.loads(run("merge", "a.pieces", "a.run", "--json").stdout)["merged"]["added"] == 0
    assert run("resume", "a.run").stdout == "40\n"


def test_ranges_are_those_of_an_array() -> None:
    assert ranges([1, 4, 5, 6, 9]) == "1,4-6,9"
    assert ranges([]) == ""


# --- kills ---

SMALL = """
import sys
from covr.runs import folder_claims as claims
from covr.runs import folder_work as work
work.POLL = 0.05
claims.BEAT = 0.2
from covr.cli.group import cli
sys.exit(cli.main(sys.argv[1:], standalone_mode=False))
"""

KILLED = {
    "count": ("count", "queens", "-D", "n=12"),
    "list": ("solve", "queens", "-D", "n=12", "--all", "--format", "line"),
    "minimum": ("solve", "queen_domination", "-D", "n=12"),
    "classes": ("solve", "pentominoes", "-D", "h=4", "-D", "w=15", "--all", "--format", "line"),
}


def begin(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SMALL, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def answer_with_kills(folder: str, rng: random.Random, kills: int, crew: int, longest: float) -> int:
    """Let some processes answer everything, while one after another is killed at a random moment; how many were."""
    working = [begin("piece", folder, "--all") for _ in range(crew)]
    hit = 0
    for _ in range(kills):
        time.sleep(rng.uniform(0, longest))
        number = rng.randrange(crew)
        if working[number].poll() is None:
            working[number].send_signal(rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
            working[number].communicate()
            hit += 1
        else:
            assert working[number].communicate()[1] == ""
        working[number] = begin("piece", folder, "--all")
    for process in working:
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        assert out.startswith("everything is done")
    return hit


def killed(kind: str, kills: int, longest: float, stages: float = math.inf) -> int:
    """Kill processes of a run in some of its stages, of which a slow machine needs more; how many were killed."""
    words = KILLED[kind]
    rng, form = random.Random(kind), words[-2:] if "--format" in words else ()
    expected = run(*words).stdout
    hit = stage = 0
    begin_run(words)
    while status("a.run")["state"] != "done":
        folder = f"{stage}.pieces"
        run("split", "a.run", "-n", "20", "-o", folder, "--cut-after", "0.1" if stage < stages else "60")
        hit += answer_with_kills(folder, rng, kills if stage < stages else 0, 2 if kills < 10 else 3, longest)
        # The claim of a process that was killed just after it wrote its result is left, and nobody minds it.
        told = folder_standing(read_head(Path(folder)))
        assert (told.working, told.missing) == ((), ())
        run("merge", folder, "a.run")
        stage += 1
    found = run("resume", "a.run", *form).stdout
    assert (found.splitlines()[-1:] == expected.splitlines()[-1:]) if kind == "minimum" else (found == expected)
    return hit


@pytest.fixture
def killing(constants: Constants) -> None:
    """A split that searches one piece, and of it but the first steps, however fast the machine is: no search ends."""
    constants(pieced, ALONE=dict.fromkeys(pieced.ALONE, 0.0))
    constants(splitting, TRIALS=1)


@pytest.mark.usefixtures("killing")
@pytest.mark.parametrize("kind", ["count", "classes"])
def test_a_run_killed_some_times_ends_as_an_undisturbed_one(kind: str) -> None:
    assert killed(kind, 3, 1.0, stages=2) > 0


@pytest.mark.slow
@pytest.mark.usefixtures("killing")
@pytest.mark.parametrize("kind", list(KILLED))
def test_a_run_killed_forty_times_ends_as_an_undisturbed_one(kind: str) -> None:
    killed(kind, 40, 0.8)


def test_what_a_tree_knows_is_read_once(answered: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head = read_head(answered / "a.pieces")
    tree = PieceTree(head)
    assert not [task for root in head.tasks for task in tree.open_ones(root)]
    monkeypatch.setattr(results, "read", None)
    assert not [task for root in head.tasks for task in tree.open_ones(root)]
    monkeypatch.undo()
    assert folder_standing(head).missing == ()


@pytest.mark.usefixtures("small")
def test_a_folder_says_at_which_of_several_goals_it_is() -> None:
    model = gallery_files()["queen_domination"].read_text(encoding="utf-8")
    lines = [line for line in model.splitlines() if not line.startswith("expect")]
    Path("m.cover").write_text("\n".join([*lines, "then maximize r * c of queen", ""]), encoding="utf-8")
    told = run("solve", "m.cover", "-D", "n=6").stdout.splitlines()[-1]
    assert told.startswith("minimum 3, proved; then maximum ") and told.endswith(", proved")
    split(("solve", "m.cover", "-D", "n=6"), 6)
    begun = run("status", "a.pieces").stdout
    assert "goal 1 of 2: " in begun and "proved; then" not in begun.replace("not proved", "")
    run("piece", "a.pieces", "1")
    begun = run("status", "a.pieces").stdout
    assert "goal 1 of 2: " in begun and "proved; then" not in begun.replace("not proved", "")
    run("piece", "a.pieces", "--all")
    assert f"goal 2 of 2: {told}; " in run("status", "a.pieces").stdout
    first, second = status("a.pieces")["goals"]  # type: ignore[misc]
    assert first == {"goal": "minimize", "value": 3, "bound": 3} and second["goal"] == "maximize"
    assert f"goal 2 of 2: {told}; " in run("merge", "a.pieces", "a.run").stdout
    assert run("resume", "a.run").stdout.splitlines()[-1] == told
