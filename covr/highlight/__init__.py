"""The words of the language, for programs that colour it.

Colours need no parsing, in any state of a text. Importing this file imports nothing else. `cover.lark` says what the
words mean; a test compares these lists, and the grammars in `editors/`, with it and with the names that covr defines.

Reading order: pygments_lexer.py (a text cut into words and signs, and what each is, as Pygments wants it).
"""

# Words that begin a statement. Where two belong together, only blanks stand between them.
STATEMENTS = (
    "title", "use", "param", "let", "assert", "cells", "values", "choose", "exactly", "at least", "at most", "if",
    "if and only if",
    "divide", "connected", "loop", "tree", "forest", "path", "paths", "loops",
    "prefer", "agree", "all different", "all alike", "given", "forbid", "clue",
    "minimize", "maximize", "then minimize", "then maximize", "up to", "answers by", "show", "print", "outline",
    "expect",
)  # fmt: skip
# The other words that are never names.
CONNECTING = ("per", "where", "for", "then", "else")
OPERATORS = ("and", "or", "not", "in", "div", "mod")
TRUTH = ("true", "false")
SHAPES = ("tree", "forest", "path", "paths", "loops")
ALIKE = ("all different", "all alike")
COUNTING = ("exactly", "at least", "at most")
CONDITIONAL = ("if", "if and only if")
GOALS = ("minimize", "maximize", "then minimize", "then maximize")
# Words that are names except in certain statements, with the first words of these.
CLAUSES = {
    "total": (*COUNTING, *CONDITIONAL, "clue"),
    "of": (*COUNTING, *CONDITIONAL, *GOALS, *ALIKE, "clue", "show", "outline"),
    "on": ("agree", *ALIKE),
    "per area of": COUNTING,
    "per area by": COUNTING,
    "per stretch of": COUNTING,
    "per straight stretch of": COUNTING,
    "by": ("divide",),
    "holding": COUNTING,
    "touching": COUNTING,
    "at": (*COUNTING, "connected", "loop", *SHAPES, "show", "print", "outline"),
    "cost": ("prefer",),
    "along": (*COUNTING, "divide", "connected", "loop", *SHAPES),
    "from": SHAPES,
    "to": SHAPES,
    "through": SHAPES,
    "between": SHAPES,
    "crossing": ("loop", *SHAPES),
    "corners": ("connected", *SHAPES),
    "as": ("show", "print"),
    "with": ("expect", "connected", *SHAPES),
    "solution": ("expect",),
    "solutions": ("expect",),
    "answer": ("expect",),
    "answers": ("expect",),
}
PROMISES = ("unique", "no", "minimum", "maximum")  # words only directly after `expect`
MEANT = ("all", "some", "no")  # words only directly after `then`, or `and` after it, and not before a parenthesis
STYLES = (  # words only directly after `as`
    "outline", "plain", "dark", "line", "lines", "circle", "square", "diamond", "arrow", "bulb",
)  # fmt: skip
COUNTED = ("solution", "solutions", "answer", "answers")  # words after `no`, too

CONSTANTS = ("one", "fixed", "onesided", "free")
FUNCTIONS = (
    "abs", "min", "max", "sum", "size", "sorted", "position", "subsets", "tuples", "permutations", "box", "cells",
    "hex", "triangle", "sticks", "balls", "hexagon", "neighbours", "rotate", "reflect", "translate", "orientations",
    "shape", "placements", "symmetries", "rotations", "frame", "runs", "edges", "windows", "regions", "rectangles",
    "border", "parts", "between", "touches", "meets", "some", "no", "map", "columns", "split",
    "days", "weekday", "file", "section",
)  # fmt: skip
READERS = ("grid", "area", "pieces", "solids", "table", "csv", "list", "text")
