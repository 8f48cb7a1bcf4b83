"""Patterns that were made quicker find what they found before."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from covr.compiler.grids.symbols import BEHIND
from covr.links.fpuzzles import _TOKEN, unzipped


@given(st.text(" \t#ab\n\x1c\u3000", max_size=30))
def test_what_stands_behind_a_record_is_what_it_was(line: str) -> None:
    assert BEHIND.sub("", line) == re.sub(r"\s+#.*$", "", line)


@given(st.text("'\\{}[],:ab1 \n", max_size=30))
def test_the_tokens_of_a_whole_text_are_what_they_were(text: str) -> None:
    before = re.findall(r"""'(?:\\.|[^'\\])*'|[{}\[\],:]|[^{}\[\],:']+|'""", text, re.DOTALL)
    found = _TOKEN.findall(text)
    assert "".join(found) == text
    if "'" not in before:
        assert found == before


def test_an_unclosed_text_is_one_token() -> None:
    assert len(_TOKEN.findall("{a:" + "'\\" * 100_000)) < 6 and len(_TOKEN.findall("'" + "\\'" * 500_000)) == 1
    assert unzipped("{a:'it\\'s',b:[,'']}") == {"a": "it's", "b": [{}, ""]}
