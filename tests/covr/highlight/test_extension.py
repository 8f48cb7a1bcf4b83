"""The extension for VS Code: what its files say, and what is in the file that it is packaged into."""

from __future__ import annotations

import json
import re
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from covr import highlight as keywords
from covr.dsl import ModelErrors, Source, parse
from tests.covr.highlight.node import EXTENSION, node_modules, packaged

ROOT = EXTENSION.parents[1]
HOLE = re.compile(r"\$\{\d+:((?:[^}\\]|\\.)*)\}|\$\{\d+\|([^,|]*)[^}]*\|\}")
COVR = re.compile(r"'(covr\.[a-z.]+)'")


def read(name: str) -> Any:
    return json.loads((EXTENSION / name).read_text(encoding="utf-8"))


def filled(body: list[str]) -> str:
    """The text of a snippet with what it proposes."""
    return HOLE.sub(lambda hole: re.sub(r"\\(.)", r"\1", hole[1] or hole[2] or ""), "\n".join(body))


def test_there_is_a_snippet_for_every_statement_and_each_is_one() -> None:
    texts = {name: filled(snippet["body"]) for name, snippet in read("snippets/cover.json").items()}
    for name, text in texts.items():
        assert "$" not in text, name
        try:
            statements = parse(Source("snippet", text)).statements
        except ModelErrors as errors:
            raise AssertionError((name, text)) from errors
        assert len(statements) == 1, name
    begun = [statement for statement in keywords.STATEMENTS if any(t.startswith(statement) for t in texts.values())]
    assert begun == list(keywords.STATEMENTS)
    prefixes = [snippet["prefix"] for snippet in read("snippets/cover.json").values()]
    assert len(set(prefixes)) == len(prefixes)


def test_commands_are_declared_as_they_are_registered() -> None:
    package = read("package.json")
    declared = {command["command"] for command in package["contributes"]["commands"]}
    code = (EXTENSION / "extension.js").read_text(encoding="utf-8")
    registered = set(re.findall(r"^    '(covr\.[a-z.]+)': ", code, re.MULTILINE))
    assert registered == declared
    server = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "covr" / "lsp").glob("*.py"))
    of_server = set(re.findall(r'server\.command\("(covr\.\w+)"\)', server))
    assert not of_server & declared  # the client registers those of the server by itself
    assert set(COVR.findall(code)) - declared <= of_server | {"covr.picture", "covr.command", "covr.limit"}
    menus = [entry["command"] for menu in package["contributes"]["menus"].values() for entry in menu]
    assert set(menus) <= declared


def test_settings_are_declared_as_they_are_read() -> None:
    declared = {
        name.removeprefix("covr.") for name in read("package.json")["contributes"]["configuration"]["properties"]
    }
    code = (EXTENSION / "extension.js").read_text(encoding="utf-8")
    assert set(re.findall(r"settings\(\)\.get\('(\w+)'\)", code)) == declared - {"trace.server"}


def test_files_that_the_manifest_names_are_there() -> None:
    contributes = read("package.json")["contributes"]
    for part in ("grammars", "snippets"):
        for entry in contributes[part]:
            assert read(entry["path"])
    assert read(contributes["languages"][0]["configuration"])
    assert contributes["grammars"][0]["scopeName"] == read("syntaxes/cover.tmLanguage.json")["scopeName"]


def test_the_extension_for_zed_names_the_grammar() -> None:
    zed = EXTENSION.parent / "zed"
    extension = tomllib.loads((zed / "extension.toml").read_text(encoding="utf-8"))
    language = tomllib.loads((zed / "languages" / "cover" / "config.toml").read_text(encoding="utf-8"))
    assert extension["schema_version"] == 1 and [*extension["grammars"]] == [language["grammar"]] == ["cover"]
    assert extension["language_servers"]["covr"]["languages"] == [language["name"]]
    assert language["path_suffixes"] == ["cover"] and language["line_comments"] == ["# "]
    assert tomllib.loads((zed / "Cargo.toml").read_text(encoding="utf-8"))["lib"]["crate-type"] == ["cdylib"]
    grammar = (EXTENSION.parent / "tree-sitter-cover" / "grammar.js").read_text(encoding="utf-8")
    assert f"name: '{language['grammar']}'" in grammar


def test_lines_are_indented_after_what_opens() -> None:
    rules = read("language-configuration.json")["indentationRules"]
    opens, closes = (re.compile(rules[f"{kind}IndentPattern"]) for kind in ("increase", "decrease"))
    for line in ('let a = grid """', "let b = [", "  cells r in 1..2,", "let c ="):
        assert opens.search(line), line
    for line in ("let a = 1", "# a list:", "choose f(i)", 'exactly one f "x ["'):
        assert not opens.search(line), line
    assert closes.search('  """') and closes.search("]") and not closes.search("let a = [1]")


@pytest.mark.slow
def test_the_extension_is_packaged_by_one_command(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    with zipfile.ZipFile(packaged(tmp_path / "made", node_modules(tmp_path_factory))) as packed:
        names = {name.removeprefix("extension/").lower() for name in packed.namelist() if name.startswith("extension/")}
        assert names == {
            "package.json", "readme.md", "license.txt", "icon.png", "icon.svg", "language-configuration.json",
            "out/extension.js", "snippets/cover.json", "syntaxes/cover.tmlanguage.json", "syntaxes/markdown.json",
        }  # fmt: skip
        assert packed.read("extension/icon.png").startswith(b"\x89PNG\r\n\x1a\n")
        code = packed.read("extension/out/extension.js").decode()
        assert "LanguageClient" in code and "covr/picture" in code
        assert set(re.findall(r'require\("(\w+)"\)', code)) <= {
            "vscode", "child_process", "fs", "path", "net", "os", "util", "crypto", "url", "events", "assert",
        }  # fmt: skip
        assert json.loads(packed.read("extension/package.json"))["main"] == "./out/extension.js"
