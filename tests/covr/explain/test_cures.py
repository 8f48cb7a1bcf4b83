"""Every cure that a message puts into words is applied, in all faulty models that the tests and the pages of `covr
explain` have: afterwards there is no such fault at that place. What is no text to be put there is a form, with `…`, or
tells more of the reason."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from covr.dsl.diagnostics import Diagnostic
from covr.explain import code_pages
from tests.chunks import read_chunks
from tests.covr.explain.pages import faults

pytestmark = pytest.mark.long

TESTS = Path(__file__).parents[2]
CHUNKS = ("dsl/syntax.chunks", "dsl/names.chunks", "compiler/evaluation.chunks", "covr/cli/check.chunks")
# Faulty models, each with the words after `example` on its page (see pages.py).
MODELS = [
    *(
        (f"{name}:{chunk.line}", chunk.text, "")
        for name in CHUNKS
        for chunk in read_chunks(TESTS / name)
        if not {"E210", "E421"} & {expected.code for expected in chunk.expected}  # those need smaller limits
    ),
    *((page.code, page.example, page.words) for page in code_pages.pages().values() if page.kind == "example"),
]
SAYS = re.compile(r"(?:write|did you mean) (`[^`]+`(?:(?:, or| or|,) `[^`]+`)*)(?=[?,;: ]|$)")


def cures(fault: Diagnostic) -> list[str]:
    """The texts of which the help says that one is to stand in the place of the fault."""
    said = SAYS.match(fault.help)
    if said is None or fault.span is None:
        return [""] if fault.help.startswith("remove it") else []
    found = re.findall("`([^`]*)`", said[1])
    return [text for text in found if "…" not in text and not re.search(r"\b[A-Z]{4,}\b", text)]


def test_a_cure_mends_its_fault() -> None:
    applied: Counter[str] = Counter()
    for name, text, words in MODELS:
        for fault in faults(text, words):
            if not fault.is_error or fault.span is None or fault.span.source.text != text or not cures(fault):
                continue
            start, end = fault.span.start, fault.span.end
            left = []
            for cure in cures(fault):
                after = faults(text[:start] + cure + text[end:], words)
                left.append([d for d in after if d.message == fault.message and d.span and d.span.start == start])
            assert not all(left), (name, fault)
            applied[fault.code] += 1
    assert sum(applied.values()) > 100 and len(applied) >= 10, applied
