"""The arrays of compiled kernels: values of every size come through, and what does not fit is refused."""

from __future__ import annotations

from array import array

import pytest

from covr.engine import Settings, count
from covr.engine.kernels.loading import load
from tests.engine.problems import queens

compiled_only = pytest.mark.skipif(not load("_spell").COMPILED, reason="interpreted kernels have lists")
TABLE = array("i", [-2] * 128)
TABLE[ord("1")] = 7


def test_a_callers_array_is_used_and_no_other_kind() -> None:
    assert list(load("_spell").read(b"11", 1, TABLE)[0]) == [7, 7]
    if load("_spell").COMPILED:
        with pytest.raises(TypeError, match="an array of 'i' was expected, not of 'q'"):
            load("_spell").read(b"11", 1, array("q", TABLE))
        with pytest.raises(AttributeError, match="typecode"):
            load("_spell").read(b"11", 1, list(TABLE))
        with pytest.raises(BufferError):
            load("_spell").read(b"11", 1, ReadOnly(bytes(512)))


class ReadOnly(bytes):
    """What says that it is an array, and may not be written to."""

    typecode = "i"


@compiled_only
def test_values_come_through_and_a_number_that_32_bits_do_not_hold_is_refused() -> None:
    """Whatever holds them: a list, a tuple, or something that is only passed over."""
    chain = load("_chain").Chain
    alone = chain(4, (0, 1, 2))
    alone.aim(0)
    for points in ([3, 0], (3, 0), range(3, -1, -3)):
        assert alone.carried(points, 0) == [3, 0]
    for number, fault in (
        (2**31, OverflowError),
        (-(2**31) - 1, OverflowError),
        (2**70, OverflowError),
        ("1", TypeError),
    ):
        with pytest.raises(fault):
            chain(4, [number])


@pytest.mark.parametrize("memory", [0, 1 << 16, 1 << 22, 1 << 23, 1 << 25])
def test_memory_in_pages_of_its_own_is_all_0(memory: int) -> None:
    """Beyond four million bytes it comes from the system: a table that is not empty at first would count wrongly."""
    assert count(queens(7), settings=Settings(engine="memo", memory=memory)).value == 40
