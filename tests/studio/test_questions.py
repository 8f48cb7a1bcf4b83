"""Every question that a page may ask about a model, asked of a running studio; answers are checked independently."""

from __future__ import annotations

import gzip
import json
from base64 import b64decode
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("starlette", reason="needs covr[studio]")
pytest.importorskip("uvicorn", reason="needs covr[studio]")
pytest.importorskip("httpx", reason="needs httpx")

from covr import loads
from covr.engine import check
from covr.inputs.library import find_source
from covr.studio.asking import KINDS, LIVE, StudioLimits, asked_of
from covr.studio.body import Body
from covr.studio.folder import StudioFolder
from covr.studio.work import kinds
from covr.studio.work.asked import StudioQuestion
from covr.verify.checker import read_opb, verify

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from tests.studio.client import StudioPage

SUDOKU = find_source("sudoku").text
QUEENS = find_source("queens").text
HARMFUL = "<script>alert(1)</script>&\"'"


def holds(text: str, answer: Any, **params: int) -> bool:
    """Whether an answer that was told meets every rule, by the engine's verifier."""
    problem = loads(text, **params).problem
    numbers = {name: option for option, name in enumerate(problem.option_names)}
    return check(problem, sorted(numbers[name] for name in answer["choices"])) is None


def test_the_kinds_that_may_be_asked_are_those_that_are_answered() -> None:
    assert set(KINDS) == {*kinds.KINDS, "from link"} and set(LIVE) <= set(KINDS)
    assert set(kinds.SHELF) & set(KINDS) == {"from link"}, "no page may ask what the server asks itself"


@pytest.mark.parametrize("wanted", [None, 0.5, 10, 10**9, -1, 0, True, "x", float("inf"), float("nan")])
def test_a_page_can_only_lower_the_limits(wanted: object) -> None:
    """Those of the search, and of the process that searches."""
    body = Body({"kind": "count", "text": "", "options": {"seconds": wanted, "seed": "x", "nodes": wanted}})
    asked = StudioQuestion(**asked_of(body, StudioFolder(Path()), StudioLimits(seconds=60.0, memory=2**30)))
    limits = asked.limits
    assert limits.limit_time == {0.5: 0.5, 10: 10.0}.get(wanted if type(wanted) in (float, int) else None, 60.0)
    assert limits.limit_memory in (None, 2**29) and limits.seed is None
    assert 1 <= asked.number("nodes", 2000, 2000) <= 2000


def test_the_puzzle_is_drawn_and_what_compiling_says_is_told(shared_studio: StudioPage) -> None:
    events = shared_studio.ask("puzzle", SUDOKU)
    assert [name for name, _ in events] == ["picture", "params", "geometry", "fault", "size", "signs", "end"]
    found = dict(events)
    ElementTree.fromstring(found["picture"]["svg"])
    assert "| 5 3 . | . 7 . | . . . |" in found["picture"]["text"]
    assert found["size"]["whole"] == "324 items, 729 options" and found["fault"]["faults"] == []
    clue = next(p for p in found["params"]["params"] if p["name"] == "clue")
    assert (clue["grid"]["rows"], clue["grid"]["cols"], clue["grid"]["cells"][0][:2]) == (9, 9, ["5", "3"])
    assert found["end"]["figures"]["families"] == [["place", ["r", "c", "d"]]]


def test_data_are_taken_as_a_reader_takes_them(shared_studio: StudioPage) -> None:
    line = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
    found = dict(shared_studio.ask("puzzle", SUDOKU, data={"clue": line}))
    clue = next(p for p in found["params"]["params"] if p["name"] == "clue")
    assert "".join("".join(row) for row in clue["grid"]["cells"]) == line
    (answer,) = [d for n, d in shared_studio.ask("solve", SUDOKU, data={"clue": line}, more=1) if n == "answer"]
    rows = {(r, c): d for r, c, d in answer["values"]["place"]}
    assert all(rows[k // 9 + 1, k % 9 + 1] == int(sign) for k, sign in enumerate(line) if sign != ".")
    small = dict(shared_studio.ask("puzzle", SUDOKU, data={"clue": "." * 16, "box": "2"}))
    assert next(p for p in small["params"]["params"] if p["name"] == "clue")["grid"]["rows"] == 4
    found = dict(shared_studio.ask("puzzle", SUDOKU, data={"clue": "53..7\n...."}))
    assert found["end"]["status"] == "fault" and found["fault"]["faults"][0]["data"]["param"] == "clue"


def test_answers_come_one_by_one_and_no_more_than_are_wanted(shared_studio: StudioPage) -> None:
    asked = shared_studio.ask("solve", QUEENS)
    assert [name for name, _ in asked if name != "progress"] == ["answer", "pause", "end"]
    assert asked[-1][1]["status"] == "stopped" and holds(QUEENS, asked[0][1])
    events = shared_studio.ask("all", QUEENS, more=7, options={"window": 10})
    answers = [data for name, data in events if name == "answer"]
    assert [a["number"] for a in answers] == list(range(1, 93)) and events[-1][1]["status"] == "done"
    assert len({json.dumps(a["values"], sort_keys=True) for a in answers}) == 92
    assert all(holds(QUEENS, answer) for answer in answers[::10])
    assert sum(name == "pause" for name, _ in events) == 12


def test_answers_are_counted_and_known_to_be_unique(shared_studio: StudioPage) -> None:
    end = shared_studio.end("count", QUEENS)
    assert (end["status"], end["figures"]["count"], end["figures"]["complete"]) == ("done", 92, True)
    assert shared_studio.end("count", QUEENS, data={"n": "3"})["status"] == "none"
    assert shared_studio.end("unique", SUDOKU)["figures"]["unique"] is True
    events = shared_studio.ask("unique", QUEENS)
    assert events[-1][1]["figures"]["unique"] is False and sum(n == "answer" for n, _ in events) == 2
    assert shared_studio.end("unique", QUEENS, data={"n": "3"})["figures"]["unique"] is False
    many = "cells r, c in 1..40\nchoose rook(r, c)\nexactly one rook per r\n"
    figures = shared_studio.end("count", many)["figures"]
    assert figures["count"] == str(40**40) and figures["complete"], "JavaScript would round it"


def test_a_best_answer_comes_after_those_on_the_way(shared_studio: StudioPage) -> None:
    text = find_source("knapsack").text
    best = loads(text).solve()
    assert best is not None
    events = shared_studio.ask("best", text)
    answer = next(data for name, data in events if name == "answer")
    assert (answer["cost"], answer["proved"]) == (best.cost, True) and holds(text, answer)
    assert all(data["number"] == 0 for name, data in events if name == "better")


def test_candidates_say_whether_there_is_exactly_one_answer(shared_studio: StudioPage) -> None:
    def figures(clue: str) -> Any:
        return shared_studio.end("candidates", SUDOKU, data={"clue": clue}, options={"cap": 20})["figures"]

    one = "".join(SUDOKU.split('"""')[1].split())
    assert (figures(one)["answers"], figures(one)["exact"]) == (1, True)
    assert (figures("55" + one[2:])["answers"], figures("55" + one[2:])["exact"]) == (0, True)
    assert (figures("." * 81)["answers"], figures("." * 81)["exact"]) == (20, False)
    found = dict(shared_studio.ask("candidates", QUEENS, data={"n": "4"}, options={"counts": True}))
    assert found["end"]["figures"]["answers"] == 2
    assert {c["name"]: c["count"] for c in found["candidates"]["candidates"]} == {
        f"queen({r}, {c})": 1 for r, c in [(1, 2), (2, 4), (3, 1), (4, 3), (1, 3), (2, 1), (3, 4), (4, 2)]
    }
    ElementTree.fromstring(found["picture"]["svg"])


def test_a_question_that_does_not_fit_the_model_is_refused_and_is_no_fault(shared_studio: StudioPage) -> None:
    events = shared_studio.ask("candidates", QUEENS + "minimize count of queen\n")
    assert [name for name, _ in events] == ["end"] and events[0][1]["status"] == "refused"
    assert "minimize" in events[0][1]["words"]


def test_why_there_is_none_and_why_not_this_choice(shared_studio: StudioPage) -> None:
    why = shared_studio.one("why", "why", QUEENS, data={"n": "3"})
    assert why["verdict"] == "conflict" and len(why["members"]) == 9
    line = QUEENS.split("\n")[why["members"][0]["line"] - 1]
    start = why["members"][0]["start"]
    assert QUEENS[start : why["members"][0]["end"]].startswith(line[:20])
    excluded = shared_studio.one("why", "why", SUDOKU, options={"at": {"family": "place", "key": [1, 3, 5]}})
    assert excluded["verdict"] == "excluded" and excluded["choice"] == "place(1, 3, 5)"
    both = shared_studio.one("why", "why", QUEENS, options={"at": "queen(1, 1)"})
    assert both["verdict"] == "free" and len(both["answers"]) == 2 and all(holds(QUEENS, a) for a in both["answers"])
    assert shared_studio.end("why", QUEENS, options={"at": "bishop(1, 1)"})["status"] == "refused"


def test_what_could_be_left_out(shared_studio: StudioPage) -> None:
    text = 'cells i in 1..3\nchoose f(i)\nexactly one f "one"\nat most 2 f "few"\ngiven f(2)\n'
    found = shared_studio.one("spare", "spare", text)
    assert [m["name"] for m in found["alone"]] == ["few"] and found["minimal"] and not found["open"]
    assert text[found["alone"][0]["start"] :].startswith("at most 2 f")
    assert found["head"].startswith("1 rule could be left out") and found["needed"] == "1 given and 1 rule are needed"
    clues = shared_studio.one("spare", "spare", text, options={"only": "givens"})
    assert clues["alone"] == [] and clues["head"] == "nothing can be left out: 1 given is needed"
    assert shared_studio.end("spare", text)["status"] == "done"


def test_hints_come_one_at_a_time(shared_studio: StudioPage) -> None:
    events = shared_studio.ask("hint", SUDOKU, more=1)
    hints = [data for name, data in events if name == "hint"]
    assert [h["number"] for h in hints] == list(range(1, len(hints) + 1)) and events[-1][1]["status"] == "done"
    assert hints[0]["taken"] and hints[0]["reasons"][0]["rules"][0]["start"] is not None
    ElementTree.fromstring(hints[0]["svg"])
    assert len([1 for name, _ in shared_studio.ask("hint", SUDOKU) if name == "hint"]) == 1


def test_the_matrix_is_shown_with_the_places_of_the_picture(shared_studio: StudioPage) -> None:
    matrix = shared_studio.one("matrix", "matrix", QUEENS, data={"n": "4"})
    problem = loads(QUEENS, n=4).problem
    assert [o["items"] for o in matrix["options"]] == [list(problem.option(o)) for o in range(problem.options)]
    assert [i["name"] for i in matrix["items"]] == list(problem.item_names) and not matrix["cut"]
    assert all(i["size"] == sum(n in o["items"] for o in matrix["options"]) for n, i in enumerate(matrix["items"]))
    large = shared_studio.one("matrix", "matrix", QUEENS, data={"n": "60"})
    assert large["cut"] and large["whole"]["options"] == 3600 and len(large["options"]) == 2000
    places = shared_studio.one("places", "places", SUDOKU)["places"]
    assert len(places) == 81 and places["0:1,3"] == [f"place(1, 3, {d})" for d in range(1, 10)]
    for name, given in {"nurikabe": 5, "hitori": 0, "heyawake": 0}.items():  # numbers on squares that are shaded or not
        told = shared_studio.one("places", "places", find_source(name).text)
        assert len(told["given"]) == given and set(told["given"]) <= set(told["places"])


def test_the_dance_is_the_trace(shared_studio: StudioPage) -> None:
    events = shared_studio.ask("dance", QUEENS, data={"n": "5"})
    steps = [step for name, data in events if name == "steps" for step in data["steps"]]
    names = {int(k): v for name, data in events if name == "steps" for k, v in data["options"].items()}
    answers = [step["answer"] for step in steps if step["kind"] == "answer"]
    problem = loads(QUEENS, n=5).problem
    assert len(answers) == 10 and all(check(problem, answer) is None for answer in answers)
    assert names == {o: problem.option_names[o] for o in names} and set(names) == set(range(25))
    for step in steps:
        if step["kind"] == "take":
            assert set(step["covers"]) <= set(problem.option(step["option"])) and step["option"] not in step["removes"]
    end = events[-1][1]
    assert end["status"] == "done" and end["figures"] == {"nodes": 52, "answers": 10, "complete": True}
    end = shared_studio.end("dance", QUEENS, data={"n": "12"}, options={"nodes": 10**9})
    assert end["status"] == "limit" and end["figures"]["nodes"] == 2000


def test_promises_are_held_against_what_is_found(shared_studio: StudioPage) -> None:
    events = shared_studio.ask("test", QUEENS + "expect unique\n")
    kept = [data["kept"] for name, data in events if name == "verdict"]
    assert kept == [True, True, True, False] and events[-1][1]["figures"]["broken"] == 1


def test_a_proof_is_checked_before_it_is_told(shared_studio: StudioPage) -> None:
    best = QUEENS + "maximize r of queen where c = 1\n"
    for text, said in ((QUEENS, "exactly 92 answers"), (best, "maximised is 8")):
        events = shared_studio.ask("proof", text)
        proof = next(data for name, data in events if name == "proof")
        assert said in events[-1][1]["words"] and events[-1][1]["status"] == "done"
        lines = gzip.decompress(b64decode(proof["proof"])).decode().split("\n")
        problem = read_opb(gzip.decompress(b64decode(proof["problem"])).decode().split("\n"))
        assert verify(problem, lines).kind in ("all", "bounds")
    end = shared_studio.end("proof", QUEENS, data={"n": "2"})
    assert end["status"] == "done" and "there is no answer" in end["words"]
    end = shared_studio.end("proof", find_source("scott").text)
    assert end["status"] == "fault" and "`up to`" in end["words"]
    end = shared_studio.end("proof", QUEENS, data={"n": "14"}, options={"seconds": 0.2})
    assert end["status"] == "limit" and "no proof within " in end["words"]


def test_each_record_of_a_collection_is_solved(shared_studio: StudioPage) -> None:
    one = "".join(SUDOKU.split('"""')[1].split())
    records = "\n".join([one, "55" + one[2:], "." * 81]) + "\n"
    found = shared_studio.ask("each", SUDOKU, more=1, options={"param": "clue", "records": records})
    told = [data for name, data in found if name == "record"]
    assert [bool(data["answer"]) for data in told] == [True, False, True]
    assert found[-1][1]["figures"] == {"records": 3, "solved": 2}


def test_every_text_of_a_model_is_escaped_in_pictures(shared_studio: StudioPage) -> None:
    said = HARMFUL.replace('"', "")
    text = (
        f'title "{said}"\nvalues d in {{"{said}"}}\ncells r, c in 1..2\nchoose put(r, c, d)\n'
        f'exactly one put per r, c "{said}"\nprint "{said}" at 1, 1\nshow d of put at r, c\n'
    )
    for kind, event in (("puzzle", "picture"), ("solve", "answer"), ("candidates", "picture"), ("hint", "hint")):
        for name, data in shared_studio.ask(kind, text):
            if name == event:
                assert "<script" not in data["svg"] and "alert(1)" in data["svg"]
                tree = ElementTree.fromstring(data["svg"])
                assert not [
                    e for e in tree.iter() if e.tag.endswith("script") or any(a.startswith("on") for a in e.attrib)
                ]


@pytest.mark.parametrize(
    "text",
    ["", "choose", "cells r in 1..3", "# nothing", "title 5", 'use "nowhere"', "exactly one x", "\ufeffcells a in"],
)
@pytest.mark.parametrize("kind", KINDS)
def test_no_text_is_too_wrong_for_any_question(shared_studio: StudioPage, kind: str, text: str) -> None:
    end = shared_studio.end(kind, text, more=1)
    assert end["status"] in ("fault", "done", "none", "refused") and end["words"] is not None


def test_the_gallery_is_served_with_its_pictures(shared_studio: StudioPage) -> None:
    shelf = shared_studio.http.get("/api/gallery").json()
    models = {model["name"]: model for kind in shelf for model in kind["models"]}
    assert models["sudoku"]["title"] == "Sudoku" and models["sudoku"]["line"]
    assert shared_studio.http.get("/api/gallery/sudoku").json()["text"] == SUDOKU
    svg = shared_studio.http.get("/api/gallery/sudoku.svg")
    assert svg.headers["content-type"] == "image/svg+xml"
    ElementTree.fromstring(svg.text)
    assert shared_studio.http.get("/api/gallery/..%2f..%2fREADME").status_code == 404
    assert shared_studio.http.get("/api/gallery/nothing.svg").status_code == 404
    found = shared_studio.http.post("/api/picture", json={"svg": svg.text, "format": "svg"})
    assert found.text == svg.text and "attachment" in found.headers["content-disposition"]
    pytest.importorskip("cairosvg", reason="needs covr[pictures]")
    for form, begin in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
        found = shared_studio.http.post("/api/picture", json={"svg": svg.text, "format": form})
        assert found.status_code == 200 and found.content.startswith(begin)
    bad = svg.text.replace("</svg>", '<image href="file:///etc/passwd"/></svg>')
    assert shared_studio.http.post("/api/picture", json={"svg": bad, "format": "png"}).status_code == 403


def test_compiling_a_model_that_is_half_typed_asks_for_no_promise(shared_studio: StudioPage) -> None:
    """Only `covr test` says W103."""
    found = dict(shared_studio.ask("puzzle", "choose f(x) for x in 1..3\n"))
    assert "W103" not in {fault["code"] for fault in found["fault"]["faults"]}
    found = dict(shared_studio.ask("puzzle", "choose f(x) for x in 1..3\nexactly one f\n"))
    assert "W103" not in {fault["code"] for fault in found["fault"]["faults"]}


def test_candidates_of_a_model_with_up_to_are_those_without_it(shared_studio: StudioPage) -> None:
    squares = "{(r, c) for r in 1..6, c in 1..6}"
    text = f"cells x in {squares}\nchoose queen(x)\nexactly one queen per x[1]\nexactly one queen per x[2]\n"
    text += "at most one queen per x[1] + x[2]\nat most one queen per x[1] - x[2]\n"
    alike = f"{text}up to symmetries({squares})\n"
    assert (loads(text).count(), loads(alike).count()) == (4, 1)
    found, plain = (dict(shared_studio.ask("candidates", one, options={"counts": True})) for one in (alike, text))
    assert found["candidates"] == plain["candidates"] and found["end"]["figures"]["answers"] == 4
    assert found["end"]["figures"]["alike"] and not plain["end"]["figures"]["alike"]


def test_givens_that_clash_are_told_beside_the_candidates(shared_studio: StudioPage) -> None:
    one = "".join(SUDOKU.split('"""')[1].split())
    found = dict(shared_studio.ask("candidates", SUDOKU, data={"clue": "55" + one[2:]}))
    assert set(found["clash"]["choices"]) == {"place(1, 1, 5)", "place(1, 2, 5)"}
    assert len(found["clash"]["rules"]) == 1 and "contains 5" in found["clash"]["rules"][0]
    assert "clash" not in dict(shared_studio.ask("candidates", SUDOKU))


def test_an_answer_is_drawn_again_in_another_theme(shared_studio: StudioPage) -> None:
    light = shared_studio.one("answer", "solve", SUDOKU)
    dark = shared_studio.one("answer", "solve", SUDOKU, options={"theme": "dark"})
    again = shared_studio.one("picture", "drawn", SUDOKU, options={"theme": "dark", "choices": light["choices"]})
    assert light["svg"] != dark["svg"] == again["svg"]
    for strange in (["place(1, 1)"], "place(1, 1, 5)", None):  # what is no answer of this model has no picture
        events = shared_studio.ask("drawn", SUDOKU, options={"choices": strange})
        assert [name for name, _ in events] == (["end"] if isinstance(strange, list) else ["picture", "end"])


LINK = "https://puzz.link/p?slither/5/5/cbcbcddad"


def test_a_link_is_a_model_and_the_model_is_the_link(shared_studio: StudioPage) -> None:
    model = shared_studio.one("model", "from link", LINK)
    assert model["name"] == "slitherlink.cover" and loads(model["text"]).count() == 1
    assert shared_studio.one("link", "as link", model["text"])["link"] == LINK
    assert shared_studio.one("link", "as link", find_source("heyawake").text)["link"].startswith(
        "https://puzz.link/p?heyawake/"
    )
    file = "pzprv3\nslither\n2\n2\n. 3 \n. . \n"
    assert loads(shared_studio.one("model", "from link", file)["text"]).count() == 4


@pytest.mark.parametrize(
    ("text", "as_", "code", "said"),
    [
        ("https://puzz.link/p?slitehr/5/5/cbcb", "", "E606", "slither"),
        ("https://puzz.link/p?slither/5/5/cb!", "", "E606", "!"),
        ("hello", "", "E606", "no"),
        ("", "", "E606", ""),
    ],
)
def test_a_link_that_cannot_be_read_is_told(
    shared_studio: StudioPage, text: str, as_: str, code: str, said: str
) -> None:
    (fault,) = shared_studio.one("fault", "from link", text, options={"as": as_})["faults"]
    assert fault["code"] == code and said in f"{fault['message']} {fault['help']}"


def test_a_model_that_is_no_published_puzzle_is_no_link(shared_studio: StudioPage) -> None:
    end = shared_studio.end("as link", QUEENS, data={"n": "4"})
    assert end["status"] != "done" and "rules" in end["words"]


def test_titles_of_the_gallery_are_filled_in() -> None:
    from covr.studio.shelves import shelf

    titles = [model["title"] for kind in shelf() for model in kind["models"]]
    assert not [title for title in titles if "{" in title]
    assert "Queens on a board of 8 × 8" in titles or any("8" in title for title in titles)
