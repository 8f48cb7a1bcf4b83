"""What others write, damaged on the way: each form is cut at every byte, doubled, and saved as other systems save it.
It is one fault with a place, or it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from covr.compiler.formats import FORMATS
from covr.dsl import ModelErrors
from covr.engine import Problem, build
from covr.inputs.library import find_source
from covr.inputs.matrices import read_problem

pytestmark = pytest.mark.long

WRITTEN = "".join(
    FORMATS["dlx"].writer(
        build(
            [(1, 1), (1, 2), (0, 1), (0, 0)],
            [[0, (2, 11)], [1, (2, 11)], [(2, 1)], [1, 3], [0, 1]],
            given=[1],
            costs=[0, 1, 0, 0, 0],
        )
    )
)
FORMS = {
    "written.dlx": WRITTEN,
    "painted.dlx": "A :2|B | X\nA X:r\nB X:r\nA:q B |3\n",
    "fixed.mps": (
        "NAME          t\nOBJNAME\n    cost\nROWS\n N  free\n N  cost\n G  r1\nLAZYCONS\n L  r2\nCOLUMNS\n"
        "    z         r1                   1   $ fixed\n    M1        'MARKER'                 'INTORG'\n"
        "    x         cost                 3   r1                   2\n"
        "    y         r1                   1   r2                   1\n"
        "    M2        'MARKER'                 'INTEND'\n"
        "RHS\n    RHS       r1                   1   cost                -7\n"
        "BOUNDS\n FX BND       z                    1\nINDICATORS\n IF r2        x         1\nENDATA\n"
    ),
    "lazy.lp": (
        "Minimize\n cost: 3 x + y\nSubject To\n r: x + y + z >= 1\n r: x = 1 -> y + z >= 1\nLazy Constraints\n"
        " l: x + y <= 1\nBounds\n z = 1\nBinary\n x y\n"
    ),
    "secondary.csv": "4 1\n1 1 0 0\n0 0 1 1\n1 0 1 0\n0 1 0 1\n",
    "stops.xcc": "< a b:1;2 > [ x ]\na x:red .\nb x:red ;\nb .\n",
    "comment.xmpuzzle": (
        '<?xml version="1.0"?>\n<puzzle version="2"><gridType type="0"/><shapes><voxel x="2" y="1" z="1">##</voxel>'
        '<voxel x="1" y="1" z="1">#</voxel></shapes>\n<problems><problem><shapes><shape id="1" count="2"/></shapes>'
        '<result id="0"/></problem></problems><comment>a stick</comment></puzzle>\n'
    ),
}  # fmt: skip


def opened(file: Path) -> Problem | str | None:
    """What is in a file, or None for one fault with a place."""
    form = next((f for f in FORMATS.values() if file.suffix in f.suffixes), None)
    try:
        return find_source(str(file)).text if form is None else read_problem(str(file), form)
    except ModelErrors as errors:
        (fault,) = errors.diagnostics
        assert fault.code in ("E602", "E503"), fault
        assert fault.span is not None or "line" in fault.message or form is None, fault
        return None


@pytest.mark.parametrize("name", FORMS)
def test_a_file_cut_at_any_byte_is_one_fault_or_read(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    whole = FORMS[name].encode()
    read = 0
    for at in range(len(whole)):
        file.write_bytes(whole[:at])
        read += opened(file) is not None
    assert read < len(whole)
    file.write_bytes(whole)
    assert opened(file) is not None


@pytest.mark.parametrize("name", FORMS)
def test_a_file_is_read_as_other_systems_save_it(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    text = FORMS[name]
    file.write_text(text)
    wanted = opened(file)
    assert wanted is not None
    for data in (b"\xef\xbb\xbf" + text.encode(), text.replace("\n", "\r\n").encode(), text.encode("utf-16")):
        file.write_bytes(data)
        assert opened(file) == wanted, data[:40]


@pytest.mark.parametrize("name", FORMS)
def test_a_file_doubled_or_in_another_encoding_is_one_fault_or_read(name: str, tmp_path: Path) -> None:
    """Also with a megabyte on one line, as one word."""
    file = tmp_path / name
    text = FORMS[name]
    first, rest = text.split("\n", 1)
    long = "x" * 10**6
    for other in (
        text + text, text.replace("a", "ä"), text.replace("\n", " "), first + long + "\n" + rest,
        long, text + long, f"{first} {long}\n{rest}",
    ):  # fmt: skip
        file.write_bytes(other.encode("iso-8859-1"))
        opened(file)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
def test_a_megabyte_of_words_on_one_line_is_one_fault_or_read(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    first, rest = FORMS[name].split("\n", 1)
    many = "x " * (5 * 10**5)
    for other in (first + many + "\n" + rest, f"{first}\n{many}", FORMS[name] + many):
        file.write_text(other)
        opened(file)
