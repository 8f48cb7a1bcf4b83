"""The parts of a search for one answer of each class (engine/pieces/class_pieces.py), as a run file keeps them.

What a finished piece has passed on depends on the parts, which another version of covr might choose differently. So
they are written down when the run begins, together with a checksum of the group, and read again in every later
session. A run file of an earlier version has none; its pieces contain all answers, which are then sorted out one by
one.
"""

from __future__ import annotations

import json
from base64 import b85decode, b85encode
from collections.abc import Sequence
from pathlib import Path

from covr.engine.pieces.chain_pieces import ChainPieces, digest_of_chain
from covr.engine.pieces.class_cut import ClassPart, Permutation
from covr.engine.pieces.class_pieces import ClassPieces, digest_of_group
from covr.engine.problem import Problem
from covr.engine.symmetries.chain import ChainGroup
from covr.faults import usage_error
from covr.runs import schema

KEY = "classes"  # the key in the table `about`


def text_of(classes: ClassPieces) -> str:
    """The value that the table `about` keeps for the parts."""
    parts = [
        [part.sort, part.alone, b85encode(schema.prefix_bytes(part.prefix)).decode("ascii")] for part in classes.parts
    ]
    return json.dumps({"group": classes.digest, "parts": parts})


def classes_of(text: str, group: Sequence[Permutation] | ChainGroup, problem: Problem, file: Path) -> ClassPieces:
    """The parts that a value of the table `about` stands for.

    group: that of the model, listed or not. Raises ModelErrors E709 if it is not the one for which the parts were made.
    """
    kept = json.loads(text)
    digest = digest_of_chain(group) if isinstance(group, ChainGroup) else digest_of_group(group)
    if kept["group"] != digest:
        raise usage_error("E709", f"this covr finds other symmetries of the model in `{file}`")
    parts = tuple(ClassPart(schema.prefix_of(b85decode(data)), sort, alone) for sort, alone, data in kept["parts"])
    if isinstance(group, ChainGroup):
        return ChainPieces((), parts, group=group, given=problem.given)
    return ClassPieces(group, parts, problem.given)
