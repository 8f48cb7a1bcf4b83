"""The layout of models: the laws that it keeps, and one model laid out in full."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from covr.dsl import ModelErrors, Source, parse
from covr.dsl.format import comments, format_model
from tests.dsl.models import MODELS
from tests.dsl.spread import spread
from tests.each import each

UNTIDY = '''

title   "Untidy"


# a comment of its own
  param n=3   where n>0 # at the end
param   grid0=grid(n,n)"""
    12.
      .3  # no comment
    """      # after a picture
let f( a,b )=a*b+2 *a-(-b)^2
let g(x) = x*2
let s = { x for x in 1 .. 2*n where x  not
   in {2 , 3,} }
cells r,c in 1..n values d in 1..n



choose put(r,c,d)
exactly one put per r,c "a"
exactly   one put per  r , d where r=d "b"
at   most one put per r+c
exactly one put per r, c, d where r = 1 and c = 2 and d = 3 and n = 3 and f(1, 2) = 4 and 1 = 1 "far out {r}"
# between
given put(1,
    2,3) # first
      # inside
      for x in 1..1 "given"
show d of put at r,c else "." as outline
up to put(r,c,d)->put(c,r,d)
expect 3 solutions with n=2 # one
expect unique # two
'''

TIDY = '''\
title "Untidy"

# a comment of its own
param n = 3 where n > 0   # at the end
param grid0 = grid(n, n) """
    12.
      .3  # no comment
    """   # after a picture
let f(a, b) = a*b + 2 * a - (-b)^2
let g(x) = x*2
let s = {x for x in 1..2*n where x not in {2, 3,}}
cells  r, c in 1..n
values d in 1..n

choose put(r, c, d)
exactly one put per r, c               "a"
exactly one put per r, d where r = d   "b"
at most one put per r + c
exactly one put per r, c, d where r = 1 and c = 2 and d = 3 and n = 3 and f(1, 2) = 4 and 1 = 1   "far out {r}"
# between
given put(1,
    2, 3)   # first
      # inside
      for x in 1..1   "given"
show d of put at r, c else "." as outline
up to put(r, c, d) -> put(c, r, d)
expect 3 solutions with n = 2   # one
expect unique                   # two
'''


def laid(text: str) -> str:
    return format_model(Source("m.cover", text))


def test_an_untidy_model_becomes_tidy() -> None:
    assert laid(UNTIDY) == TIDY
    assert laid(TIDY) == TIDY


@each("path", MODELS)
def test_the_gallery_is_laid_out(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert laid(text) == text


@pytest.mark.parametrize(("text", "wanted"), [
    ("", ""), ("\n\n", ""), ("# x", "# x\n"), ("\ufefftitle \"x\"", 'title "x"\n'),
    ("# a\n\n\n\n# b\n", "# a\n\n# b\n"),
    ("all  different r,c of f on d per x\"l\"", 'all different r, c of f on d per x   "l"\n'),
    ("all\nalike r of f", "all alike r of f\n"),
    ("if f(1) then  exactly 2 g(y)or h(y)and at  most 1 total 2*y of g(y)for y in s",
     "if f(1) then exactly 2 g(y) or h(y) and at most 1 total 2*y of g(y) for y in s\n"),
    ("let a=-1", "let a = -1\n"), ("let a=1--1", "let a = 1 - -1\n"), ("let a=[-1,- 2]", "let a = [-1, -2]\n"),
    ("let a=f (1) [2]  .x", "let a = f(1)[2].x\n"), ("let a = cells (g)", "let a = cells(g)\n"),
    ("let a = e . title", "let a = e.title\n"), ("let a = not(b)", "let a = not (b)\n"),
    ("let a = 1 in(2,)", "let a = 1 in (2,)\n"), ("cells(r,c) in s", "cells (r, c) in s\n"),
    ("let at(x) = x let b = at (1)", "let at(x) = x\nlet b = at(1)\n"),
    ('show "x" of f at(1)', 'show "x" of f at (1)\n'), ('assert 1=1"ok"', 'assert 1 = 1   "ok"\n'),
    ("let a = 2 * 3*4", "let a = 2 * 3*4\n"), ("let a = 2* 3", "let a = 2 * 3\n"),
    ("minimize -x of f", "minimize -x of f\n"), ("expect  - 1 solutions", "expect -1 solutions\n"),
    ("let a = 1 +\n\n\n 2", "let a = 1 +\n  2\n"), ("  let a = 1 +\n      2", "let a = 1 +\n    2\n"),
    ("up\nto f(x)->f(x)", "up to f(x) -> f(x)\n"), ("answers \n by f,g", "answers by f, g\n"),
    ("agree f on a=b,g on(a,b)=c \"l\"", "agree f on a = b, g on (a, b) = c   \"l\"\n"),
    ("let a = 1 # x\n   # y", "let a = 1   # x\n# y\n"),
])  # fmt: skip
def test_small_things_are_laid_out(text: str, wanted: str) -> None:
    assert laid(text) == wanted
    assert laid(wanted) == wanted


HOLES = next(path for path in MODELS if path.stem == "holes")


@given(st.integers(0, 2**32), st.sampled_from(MODELS))
@example(11575, HOLES)
def test_formatting_twice_is_formatting_once(seed: int, path: Path) -> None:
    """Formatting twice is formatting once; what is said, comments and pictures included, stays."""
    source = Source("m.cover", spread(path.read_text(encoding="utf-8"), random.Random(seed)))
    once = laid(source.text)
    assert laid(once) == once
    result = Source("m.cover", once)
    assert parse(result).statements == parse(source).statements
    assert [c.span.text.rstrip() for c in comments(result)] == [c.span.text.rstrip() for c in comments(source)]


def test_a_model_with_errors_is_not_laid_out() -> None:
    with pytest.raises(ModelErrors):
        laid("let = 3")
