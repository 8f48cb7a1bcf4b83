"""`--puzzle`: the puzzle without its answer, as text or in a picture file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from covr.output.exits import FOUND

if TYPE_CHECKING:
    from covr.compiler import Compiled

puzzle_option = click.option("--puzzle", is_flag=True, help="Show the unsolved puzzle instead of an answer.")


def show_puzzle(compiled: Compiled, output: str | None, theme: str) -> int:
    """Draw a model as it is before it is solved. Returns the exit code."""
    from covr.compiler.unsolved import unsolved

    if output is not None:
        from covr.draw.files import check_target
        from covr.draw.svg import Shown
        from covr.output.pictures import save_pictures
        from covr.questions.own_files import spare_own_files

        spare_own_files(compiled, output)
        check_target(output, theme)
        save_pictures(output, [Shown(unsolved(compiled))], compiled.title, theme)
        return FOUND
    from covr.draw.styled import Part, clean
    from covr.draw.surface import surface_of, write
    from covr.draw.text import draw

    surface = surface_of(sys.stdout)
    lines = draw(unsolved(compiled), surface)
    title = clean(compiled.title)
    write([(Part(title, "title"),), (), *lines] if title else lines, surface)
    return FOUND
