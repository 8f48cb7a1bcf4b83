"""covr: answers of puzzles and plans, which are cover problems, from their rules alone, by dancing links.

A model comes in, by its path or by its name in the gallery, and answers go out:

    import covr

    model = covr.load("sudoku")
    print(model.solve())

Only the names in `__all__` are public. Reading order: frozen.py (how values are made), text.py (phrases of messages),
faults.py (faults in how covr is called, and files that are written whole),
highlight/ (colours for texts), links/ (puzzles as other programs share them), inputs/ (where models come from), draw/
(pictures as text and images), questions/ (what a question means), puzzles/ (puzzles that are made), verify/ (whether a
proof is right), explain/ (why there is no answer), output/ (writing answers), runs/ (searches that are kept in files),
api/ (the Python API), live/ (a text that is being edited), lsp/ (the server for editors), studio/ (the page in the
browser), cli/ (the command), dsl/, compiler/, engine/.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # importing `typing` takes ten milliseconds, during which covr could not handle Ctrl-C
if TYPE_CHECKING:
    from typing import Any

    from covr.api.answer_diagram import AnswerDiagram, load_answers
    from covr.api.model import Link, Model, Solutions, gallery, link, load, loads, sheet
    from covr.api.problem import Problem, RowAnswer, Unfinished
    from covr.dsl.diagnostics import Diagnostic, ModelErrors
    from covr.questions.answer import Answer
    from covr.questions.options import Options

__version__ = "0.3.0"

__all__ = [
    "Answer",
    "AnswerDiagram",
    "Diagnostic",
    "Link",
    "Model",
    "ModelErrors",
    "Options",
    "Problem",
    "RowAnswer",
    "Solutions",
    "Unfinished",
    "__version__",
    "gallery",
    "link",
    "load",
    "load_answers",
    "loads",
    "sheet",
]

# The module that each public name comes from. Names are imported on first use, so that `import covr` alone takes no
# time, and `import covr.engine` does not load the language.
_HOMES = {
    "Answer": "covr.questions.answer",
    "AnswerDiagram": "covr.api.answer_diagram",
    "Diagnostic": "covr.dsl.diagnostics",
    "Link": "covr.api.model",
    "Model": "covr.api.model",
    "ModelErrors": "covr.dsl.diagnostics",
    "Options": "covr.questions.options",
    "Problem": "covr.api.problem",
    "RowAnswer": "covr.api.problem",
    "Solutions": "covr.api.model",
    "Unfinished": "covr.api.problem",
    "gallery": "covr.api.model",
    "link": "covr.api.model",
    "load": "covr.api.model",
    "load_answers": "covr.api.answer_diagram",
    "loads": "covr.api.model",
    "sheet": "covr.api.model",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'covr' has no attribute '{name}'")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext covr`: the `%%cover` magic for notebooks."""
    from covr.api.notebook import register

    register(shell)


def __dir__() -> list[str]:
    return sorted(__all__)
