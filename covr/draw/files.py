"""Writes pictures into files, in the format that the ending of the name implies.

covr itself writes `.svg` and `.html`; `.png` and `.pdf` are converted from SVG by CairoSVG, which `pip install
'covr[pictures]'` installs, and `.xlsx` needs openpyxl (`covr[sheets]`). A picture is written completely or not at all
(covr/whole_file.py).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from covr.draw.html import draw_html
from covr.draw.svg import Shown, draw_svg
from covr.draw.themes import THEMES
from covr.faults import unwritable_file, usage_error
from covr.whole_file import write_whole

# Pixels of a PNG per pixel of the SVG: enough to be sharp on paper and on screens of high resolution.
SCALE = 2.0

Content = Callable[[Sequence[Shown], str, str], bytes]


def _svg(answers: Sequence[Shown], title: str, theme: str) -> bytes:
    return draw_svg(answers, title, theme).encode()


def _html(answers: Sequence[Shown], title: str, theme: str) -> bytes:
    note = f"{len(answers)} solutions" if len(answers) > 1 else ""
    return draw_html(answers, title, theme, note).encode()


def _png(answers: Sequence[Shown], title: str, theme: str) -> bytes:
    return converted(_svg(answers, title, theme), "png")


def _pdf(answers: Sequence[Shown], title: str, theme: str) -> bytes:
    return converted(_svg(answers, title, theme), "pdf")


def _xlsx(answers: Sequence[Shown], title: str, theme: str) -> bytes:
    from covr.draw.book import draw_book

    return draw_book(answers, title, theme)


def converted(svg: bytes, form: str) -> bytes:
    """An SVG that covr has drawn as `png` or `pdf`. Raises ModelErrors E521 if what does that is missing."""
    cairo = _cairo(form)
    made: bytes = cairo.svg2pdf(bytestring=svg) if form == "pdf" else cairo.svg2png(bytestring=svg, scale=SCALE)
    return made


FORMATS: Mapping[str, Content] = {".svg": _svg, ".png": _png, ".html": _html, ".pdf": _pdf, ".xlsx": _xlsx}
NEEDS_CAIRO = frozenset({".png", ".pdf"})


def check_target(path: str | os.PathLike[str], theme: str) -> None:
    """Check, before a long search, that a picture can be written. Raises ModelErrors E520 for an unknown ending, E521
    if the package for the format is not installed, E505 for an unknown theme, E508 for a folder that can't be written
    to."""
    if theme not in THEMES:
        raise usage_error("E505", f"there is no theme `{theme}`", word=theme, known=list(THEMES))
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        what = f"a picture ends in {', '.join(FORMATS)}"
        raise usage_error("E520", f"`{os.fspath(path)}` does not say which format is meant", help=what)
    folder = Path(path).parent
    if not os.access(folder, os.W_OK):
        why = "its folder can't be written to" if folder.is_dir() else "there is no such folder"
        raise usage_error("E508", f"`{os.fspath(path)}` can't be written: {why}")
    if ending in NEEDS_CAIRO:
        _cairo(ending.removeprefix("."))
    if ending == ".xlsx":
        _check_openpyxl()


def content_of(path: str | os.PathLike[str], answers: Sequence[Shown], title: str, theme: str) -> bytes:
    """What `save` writes into a file of such a name."""
    return FORMATS[Path(path).suffix.lower()](answers, title, theme)


def save(path: str | os.PathLike[str], answers: Sequence[Shown], title: str = "", theme: str = "light") -> None:
    """Draw answers into a file. Raises ModelErrors like `check_target`, and E508 if the file can't be written."""
    check_target(path, theme)
    content = content_of(path, answers, title, theme)
    try:
        write_whole(path, content)
    except (OSError, ValueError) as error:
        raise unwritable_file(path, error) from None


def save_pages(path: str | os.PathLike[str], pages: Iterable[str]) -> None:
    """Write SVG documents as the pages of a PDF. Raises ModelErrors E521 if the package for it is not installed, E508
    if the file can't be written."""
    content = _paged(pages)
    try:
        write_whole(path, content)
    except (OSError, ValueError) as error:
        raise unwritable_file(path, error) from None


def _paged(pages: Iterable[str]) -> bytes:
    """CairoSVG makes a file for each document; so every document is drawn on a surface of its own size that goes on to
    the next page instead of being closed."""
    _cairo("pdf")
    from cairosvg.parser import Tree
    from cairosvg.surface import PDFSurface, cairo

    file = BytesIO()
    whole = cairo.PDFSurface(file, 1, 1)

    class PageSurface(PDFSurface):  # type: ignore[misc]
        def _create_surface(self, width: float, height: float) -> tuple[Any, float, float]:
            whole.set_size(width, height)
            return whole, width, height

    for page in pages:
        PageSurface(Tree(bytestring=page.encode()), None, 96)
        whole.show_page()
    whole.finish()
    return file.getvalue()


def _cairo(format: str) -> Any:
    try:
        import cairosvg
    except ImportError:
        raise usage_error(
            "E521", f"a .{format} needs CairoSVG, which is not installed", help="pip install 'covr[pictures]'"
        ) from None
    except OSError:
        raise usage_error(
            "E521",
            f"a .{format} needs the cairo library, which is not installed",
            help="install it (Debian: apt install libcairo2; macOS: brew install cairo), or write .svg or .html",
        ) from None
    return cairosvg


def _check_openpyxl() -> None:
    try:
        import openpyxl  # type: ignore[import-untyped, import-not-found, unused-ignore]  # noqa: F401
    except ImportError:
        what = "a .xlsx needs openpyxl, which is not installed"
        raise usage_error("E521", what, help="pip install 'covr[sheets]'") from None
