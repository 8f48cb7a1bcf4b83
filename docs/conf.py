"""The documentation site: `sphinx-build -W -b html docs build/site`, with the extra `covr[docs]`.

The pages are the Markdown files of this folder as they are, readable in the repository, too. What the site makes of
them beyond that stands in `_site/`: links.py (links to files of the repository and from addresses of earlier releases),
made.py (the pages of the gallery and of the messages), pictures.py (the gallery's pictures, light and dark), studio.py
(links that open models in the studio), docstrings.py (the docstrings, for the reference). Nothing is loaded from other
places, neither while the site is built nor while it is read.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from _site import docstrings, links, made, pictures, studio  # noqa: E402  (found beside this file)
from pygments.lexers.special import TextLexer  # noqa: E402

from covr import __version__  # noqa: E402
from covr.highlight.pygments_lexer import ModelLexer  # noqa: E402

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "covr"
author = "The covr developers"
release = version = __version__
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_site", "_static"]
nitpicky = True
nitpick_ignore_regex = docstrings.ELSEWHERE

myst_heading_anchors = 4  # links to headings, made as GitHub makes them
myst_linkify_fuzzy_links = False
suppress_warnings = ["myst.header"]  # CHANGELOG.md skips a level where a section has no parts

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 80
python_use_unqualified_type_names = True
add_module_names = False

html_theme = "furo"
html_title = f"covr {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {"light_css_variables": {"color-code-background": "#f5f6f8"}}
pygments_style = "github-light"  # these two are of accessible-pygments, which comes with furo
pygments_dark_style = "github-dark"


def setup(app: Sphinx) -> None:
    """Called by Sphinx. The lexer is registered here because an old editable installation may not declare it."""
    app.add_lexer("cover", ModelLexer)
    app.add_lexer("clingo", TextLexer)  # these two stand uncoloured
    app.add_lexer("minizinc", TextLexer)
    app.connect("builder-inited", made.write)
    app.connect("source-read", links.rewrite)
    app.connect("source-read", made.insert)
    app.connect("source-read", pictures.insert)
    app.connect("doctree-read", studio.insert)
    app.connect("build-finished", studio.add_playground)
    app.add_js_file(None, body=links.script())  # type: ignore[arg-type]  # None: the text itself
    app.connect("build-finished", links.lead_on)
    app.connect("autodoc-process-docstring", docstrings.rewrite)
