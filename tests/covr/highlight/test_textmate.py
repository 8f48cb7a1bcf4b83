"""The grammar for TextMate, run as VS Code runs it. Skipped where node or its packages are missing."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.covr.highlight.kinds import (
    HOLE,
    TEXTMATE,
    WORDY,
    broken_texts,
    check_model,
    check_quoted,
    check_wordy,
    spread,
)
from tests.covr.highlight.node import node_modules
from tests.dsl.models import MODELS

RUNNER = Path(__file__).parent / "textmate.js"
KINDS = {
    "comment": "comment", "string": "text", "keyword": "keyword", "constant.language": "keyword",
    "constant.numeric": "number",
}  # fmt: skip
pytestmark = pytest.mark.slow


def kind(scopes: list[str]) -> str:
    """The kind of a token, by the scopes that it is in."""
    if any(scope.startswith("meta.interpolation") for scope in scopes):
        return HOLE
    for name, found in KINDS.items():
        within = scopes if name in ("comment", "string") else scopes[-1:]
        if any(scope.startswith(name) for scope in within):
            return found
    return ""


def coloured(texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """The kind of each character of each text."""
    command = ["node", str(RUNNER), str(TEXTMATE), str(node_modules(tmp_path_factory))]
    assert max("".join(texts)) < "\U00010000"  # offsets are counted in UTF-16 there
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return [
        spread(text, ((start, length, kind(scopes)) for start, length, scopes in tokens))
        for text, tokens in zip(texts, found, strict=True)
    ]


def test_models_are_coloured_as_the_language_service_does(tmp_path_factory: pytest.TempPathFactory) -> None:
    texts = [path.read_text(encoding="utf-8") for path in MODELS]
    for path, found in zip(MODELS, coloured(texts, tmp_path_factory), strict=True):
        check_model(path, found)


def test_words_of_clauses_are_names_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> None:
    check_wordy(*coloured([WORDY], tmp_path_factory))


def test_broken_texts_are_coloured(tmp_path_factory: pytest.TempPathFactory) -> None:
    texts = broken_texts(18, 1000)
    for text, found in zip(texts, coloured(texts, tmp_path_factory), strict=True):
        check_quoted(text, found)
