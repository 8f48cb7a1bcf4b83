"""Every line of `--json` is as docs/json.schema.json says, and every kind of line is met."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.covr.command import Covr, covr, write

__all__ = ["covr"]

SCHEMA: dict[str, Any] = json.loads((Path(__file__).parents[3] / "docs" / "json.schema.json").read_text("utf-8"))
KINDS = {
    "string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None), "array": list,
    "object": dict,
}  # fmt: skip
KNOWN = {
    "type", "properties", "required", "additionalProperties", "items", "enum", "const", "oneOf", "$ref", "pattern",
    "minimum", "maximum", "description",
}  # fmt: skip


def is_a(value: object, kind: str) -> bool:
    return isinstance(value, KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))  # type: ignore[arg-type]


def faults(value: Any, schema: dict[str, Any], where: str = "") -> list[str]:
    """What is wrong with a value, for as much of JSON Schema as ours uses."""
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    if "$ref" in schema:
        return faults(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")], where)
    found = []
    if "oneOf" in schema and sum(not faults(value, s, where) for s in schema["oneOf"]) != 1:
        found.append(f"{where}: {value!r} fits not one of the kinds")
    if "const" in schema and value != schema["const"]:
        found.append(f"{where}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{where}: {value!r} is none of {schema['enum']}")
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_a(value, kind) for kind in kinds):
        return [*found, f"{where}: {value!r} is no {kinds}"]
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        found.append(f"{where}: {value!r} does not match")
    if is_a(value, "number") and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        found.append(f"{where}: {value!r} is out of bounds")
    for number, entry in enumerate(value if isinstance(value, list) else []):
        found += faults(entry, schema.get("items", {}), f"{where}[{number}]")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        found += [f"{where}: there is no {name}" for name in schema.get("required", []) if name not in value]
        for name, entry in value.items():
            if name in known:
                found += faults(entry, known[name], f"{where}.{name}")
            elif not schema.get("additionalProperties", True):
                found.append(f"{where}: {name} is not in the schema")
    return found


def line_faults(line: str) -> list[str]:
    entry = json.loads(line)
    assert entry["type"] in SCHEMA["$defs"], f"the schema does not know {entry['type']}"
    return faults(entry, SCHEMA["$defs"][entry["type"]], entry["type"])


FAULTY = "cells i in 1..3\nchoose f(i)\nexactly one g per i\n"
ODD = 'choose f(i) for i in 1..3\nchoose g(i) for i in 1..2\nexactly one f per i "{i}"\n'
EMPTY = 'cells i in 1..3\nchoose f(i) where i < 3\nexactly one f per i "{i} is met"\n'
VALUES = 'choose f(v) for v in {(1, {2, 3}), [true], "t", {}}\nexactly one f\n'
GRID = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

CASES = {
    "solve": (("solve", "queens"), ""),
    "all": (("solve", "queens", "--all", "--format", "json"), ""),
    "none": (("solve", "queens", "-D", "n=3"), ""),
    "why there is none": (("solve", "-"), EMPTY),
    "unique": (("solve", "sudoku", "--unique"), ""),
    "not unique": (("solve", "queens", "--unique"), ""),
    "a limit": (("solve", "queens", "-D", "n=30", "--limit-nodes", "3"), ""),
    "minimum": (("solve", "experts"), ""),
    "warnings": (("solve", "-"), ODD),
    "errors": (("solve", "-"), FAULTY),
    "usage": (("solve", "nothing"), ""),
    "values": (("solve", "-", "--all"), VALUES),
    "each": (("solve", "sudoku", "--each", "clue=-"), GRID + "\nrubbish\n" + GRID.replace("5", "3", 1) + "\n"),
    "each with solutions": (("solve", "sudoku", "--each", "clue=-"), f"{GRID},{GRID.replace('.', '1')}\n" * 2),
    "why of a matrix": (("why", "-"), "a b c d e\na b e\na c e\nb c d\nd e a\n"),
    "each unique": (("solve", "sudoku", "--each", "clue=-", "--unique"), GRID + "\n" + "." * 81 + "\n"),
    "count": (("count", "queens"), ""),
    "check": (("check", "queens"), ""),
    "check a fault": (("check", "-"), FAULTY),
    "check a drawn answer": (("check", "pzprv3/kurodoko/2/2/. . /. . /# . /# . /"), ""),
    "why": (("why", "queens", "-D", "n=3"), ""),
    "why a choice": (("why", "queens", "queen(1, 1)"), ""),
    "why by counting": (
        ("why", "-"),
        "choose f(a, b) for a in 1..3, b in 1..2\nexactly one f per a\nat most one f per b\n",
    ),
    "spare": (("spare", "toy"), ""),
    "spare by a limit": (("spare", "queens", "--limit-nodes", "0"), ""),
    "spare of a matrix": (("spare", "-"), "a b c d e\na b e\na c e\nb c d\nd e a\n"),
    "trace": (("trace", "toy"), ""),
    "params": (("params", "kirkman"), ""),
    "gallery": (("gallery",), ""),
    "symmetries": (("show", "scott", "--symmetries"), ""),
    "plan": (("show", "scott", "--plan"), ""),
    "plan of a minimum": (("show", "rota", "--plan", "--jobs", "1"), ""),
    "sample": (("sample", "queens", "--seed", "1"), ""),
    "sample of none": (("sample", "queens", "-D", "n=3"), ""),
    "candidates": (("candidates", "queens", "-D", "n=5", "--count", "3"), ""),
    "candidates of none": (("candidates", "queens", "-D", "n=3"), ""),
    "hint": (("hint", "toy"), ""),
    "all hints": (("hint", "sudoku", "--all"), ""),
    "hint of none": (("hint", "queens", "-D", "n=3"), ""),
    "grade": (("grade", "sudoku"), ""),
    "grade of none": (("grade", "queens", "-D", "n=3"), ""),
    "grade each": (("grade", "sudoku", "--each", "clue=-"), GRID + "\nrubbish\n" + "." * 81 + "\n"),
    "make": (("make", "queens", "-D", "n=5", "--fewest", "-n", "2"), ""),
    "make none": (("make", "queens", "-D", "n=3"), ""),
    "size": (("size", "queens", "--probes", "50"), ""),
    "size by its old name": (("estimate", "queens", "--probes", "50"), ""),
    "size of a minimum": (("size", "experts", "--probes", "1"), ""),
}


@pytest.mark.parametrize("case", CASES)
def test_every_line_is_as_the_schema_says(covr: Covr, case: str) -> None:
    args, text = CASES[case]
    result = covr(*args, *([] if "json" in args else ["--json"]), input=text)
    lines = result.stdout.splitlines()
    assert lines
    assert [fault for line in lines for fault in line_faults(line)] == []
    if case not in ("params", "gallery", "symmetries"):
        assert json.loads(lines[-1])["type"] == "end"


def test_progress_is_as_the_schema_says(covr: Covr) -> None:
    """A count of more than a second."""
    result = covr("count", "queens", "-D", "n=17", "--limit-time", "1.6", "--json", "--progress")
    lines = [line for line in result.stdout.splitlines() if '"progress"' in line]
    assert lines
    assert [fault for line in lines for fault in line_faults(line)] == []
    assert json.loads(lines[0])["nodes"] > 0


def test_a_run_that_is_kept_is_as_the_schema_says(covr: Covr) -> None:
    for limit in ("300", "1000"):
        lines = covr("count", "queens", "--run", "a.run", "--json", "--limit-nodes", limit).stdout.splitlines()
        lines += covr("status", "a.run", "--json").stdout.splitlines()
        assert [fault for line in lines for fault in line_faults(line)] == []
        assert json.loads(lines[-1])["type"] == "run"


END = {
    "type", "status", "exit", "answers", "complete", "limit", "fraction", "cost", "bound", "nodes", "updates",
    "seconds", "engine",
}  # fmt: skip


@pytest.mark.parametrize(
    ("args", "status", "code"),
    [
        (("solve", "sudoku", "--unique"), "unique", 0),
        (("solve", "queens", "--unique"), "not unique", 1),
        (("solve", "queens", "-D", "n=3", "--unique"), "none", 1),
        (("solve", "queens", "-D", "n=30", "--unique", "--limit-nodes", "3"), "unknown", 3),
        (("solve", "sudoku"), "found", 0),
        (("solve", "nothing", "--unique"), "fault", 2),
        (("count", "nothing"), "fault", 2),
        (("sample", "nothing"), "fault", 2),
        (("solve", "queens", "-o", "queens.gif"), "fault", 2),
        (("resume", "nothing.run"), "fault", 2),
    ],
)
def test_every_end_has_the_same_fields(covr: Covr, args: tuple[str, ...], status: str, code: int) -> None:
    result = covr(*args, "--json")
    end = json.loads(result.stdout.splitlines()[-1])
    assert (end["status"], end["exit"], result.exit_code) == (status, code, code)
    assert set(end) == END


@pytest.mark.parametrize(("model", "status"), [("sudoku", "unique"), ("queens", "not unique")])
def test_a_file_of_lines_ends_likewise(covr: Covr, model: str, status: str) -> None:
    covr("solve", model, "--unique", "-o", "a.jsonl")
    assert json.loads(Path("a.jsonl").read_text().splitlines()[-1])["status"] == status


def test_every_kind_of_line_is_met(covr: Covr) -> None:
    met = {"progress", "run"}
    for args, text in CASES.values():
        result = covr(*args, *([] if "json" in args else ["--json"]), input=text)
        met |= {json.loads(line)["type"] for line in result.stdout.splitlines()}
    assert met == set(SCHEMA["$defs"])


def test_a_fault_has_its_span(covr: Covr) -> None:
    write("m.cover", FAULTY)
    error = json.loads(covr("solve", "m.cover", "--json").stdout.splitlines()[0])
    assert error | {"message": "", "help": "", "notes": []} == {
        "type": "error", "code": "E102", "message": "", "help": "", "notes": [],
        "file": "m.cover", "line": 3, "column": 13, "end_line": 3, "end_column": 14,
    }  # fmt: skip


@pytest.mark.parametrize(
    "line", ['{"type": "end", "status": "perhaps"}', '{"type": "start"}', '{"type": "end", "x": 1}']
)
def test_the_schema_finds_faults(line: str) -> None:
    assert line_faults(line)
