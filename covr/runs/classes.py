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

from covr.engine.pieces.class_cut import ClassPart, Permutation
from covr.engine.pieces.class_pieces import ClassPieces, digest_of_group
from covr.faults import usage_error
from covr.runs import rows

KEY = "classes"  # the key in the table `about`


def text_of(classes: ClassPieces) -> str:
    """The value that the table `about` keeps for the parts."""
    parts = [
        [part.sort, part.alone, b85encode(rows.prefix_bytes(part.prefix)).decode("ascii")] for part in classes.parts
    ]
    return json.dumps({"group": digest_of_group(classes.images), "parts": parts})


def classes_of(text: str, images: Sequence[Permutation], file: Path) -> ClassPieces:
    """The parts that a value of the table `about` stands for.

    images: the group of the model. Raises ModelErrors E709 if it is not the one for which the parts were made.
    """
    kept = json.loads(text)
    if kept["group"] != digest_of_group(images):
        raise usage_error("E709", f"this covr finds other symmetries of the model in `{file}`")
    return ClassPieces(
        images, tuple(ClassPart(rows.prefix_of(b85decode(data)), sort, alone) for sort, alone, data in kept["parts"])
    )
