"""A word of the language that is taken for a name is one fault, whatever the word and wherever the name stands."""

from __future__ import annotations

import pytest

from covr.dsl import ModelErrors, Source, load_model
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.service.document import Document
from covr.dsl.service.names import reserved
from tests.each import each

# Where names stand → a model with the name in place of `{}`.
PLACES = {
    "choose": 'choose {}(x) for x in 1..3\nexactly one {} per x\nshow "a" of {} at x\n'
    "minimize x of {}\nforbid {}(1)\ngiven {}(2)\n",
    "index": "choose f({}) for {} in 1..3\nexactly one f per {}\nat most one f where {} = 1\n",
    "cells": "cells {} in 1..3\nchoose f({})\nexactly one f per {}\n",
    "cells2": "cells a, {} in 1..3\nchoose f(a, {})\nexactly one f per {}\n",
    "values": "values {} in 1..3\nchoose f({})\nexactly one f per {}\n",
    "param": "param {} = 3\nchoose f(x) for x in 1..{}\nexactly one f\n",
    "let": "let {} = 3\nchoose f(x) for x in 1..{}\nexactly one f\n",
    "function": "let {}(a) = a\nchoose f(x) for x in 1..{}(3)\nexactly one f\n",
    "parameter": "let g({}) = {}\nchoose f(x) for x in 1..g(3)\nexactly one f\n",
    "for": "choose f(x) for x in 1..3\ngiven f({}) for {} in 1..2\nexactly 2 f\n",
    "pattern": "choose f(x) for (x, {}) in {{(1, 2)}}\nexactly one f\n",
    "per in": "choose f(x) for x in 1..3\nexactly one f per {} in 1..3\n",
    "comprehension": "let a = [{} for {} in 1..3]\nchoose f(x) for x in a\nexactly one f\n",
    "needs": "choose {}(x) for x in 1..3\nif {}(x) then {}(x)\n",
    "loop": "choose {}(x) for x in {{(1, 2)}}\nloop {} along x\n",
    "areas": "choose {}(r, c) for r, c in 1..3\nexactly 2 {} per area of {} at r, c\n",
    "stretch": "choose {}(e) for e in edges(box(2, 2))\nloop {} along e\nexactly 2 {} per stretch of {}\n",
    "divide": "choose {}(e) for e in {{((1, 1), (1, 2))}}\ndivide box(1, 2) by {} along e\n",
    "connected": "choose {}(r, c) for r, c in 1..3\nconnected {} at r, c\n",
    "alike": "choose {}(r, c) for r, c in 1..3\nall different r of {} on c\n",
    "agree": "choose {}(r, c) for r, c in 1..3\nagree {} on r = c\n",
    "up to": "choose {}(r, c) for r, c in 1..3\nup to {}(r, c) -> {}(c, r)\nexactly one {}\n",
    "answers by": "choose {}(r, c) for r, c in 1..3\nanswers by {}\nexactly one {}\n",
    "with": "param {} = 3\nchoose f(x) for x in 1..{}\nexactly one f\nexpect 3 solutions with {} = 3\n",
    "total": "choose {}(x) for x in 1..3\nat least 2 total x of {}\n",
    "field": "let {} = record(1)\nchoose f(x) for x in 1..3\nexactly one f per {}.a\n",
    "or": "choose {}(x) for x in 1..3\nchoose g(x) for x in 1..3\nexactly one g or {} per x\n",
    "after good": "choose f(x) for x in 1..3\nexactly one f\n\nchoose {}(x) for x in 1..3\nexactly one {} per x\n",
}


def faults(text: str) -> list[Diagnostic]:
    with pytest.raises(ModelErrors) as caught:
        load_model(Source("m.cover", text), lambda path, source: None)
    return list(caught.value.diagnostics)


@each("place", PLACES)
def test_a_word_that_is_taken_for_a_name_is_one_fault(place: str) -> None:
    for word in sorted(reserved()):
        if place == "per in" and word in ("true", "false"):
            continue  # `per false in SET` is a comparison
        text = PLACES[place].format(*[word] * 9)
        (fault,) = faults(text)
        assert (fault.code, fault.message) == ("E001", f"`{word}` is a word of the language and can't be a name")
        assert fault.span is not None and fault.span.text == word


@each("place", PLACES)
def test_an_editor_is_told_the_same(place: str) -> None:
    for word in ("use", "in", "for", "let", "per", "values"):
        text = PLACES[place].format(*[word] * 9)
        told = Document("m.cover", lambda source: lambda path, user: None).change(text).faults
        assert [(d.message, d.span and d.span.place) for d in told] == [
            (d.message, d.span and d.span.place) for d in faults(text)
        ]


def test_other_faults_are_told_beside_it() -> None:
    text = "choose use(x) for x in 1..3\nexactly one use per x\nlet a =\nlet b = 3 4\n"
    assert [d.message for d in faults(text)] == [
        "`use` is a word of the language and can't be a name",
        "expected an expression after `=`",
        "`4` does not belong here",
    ]
