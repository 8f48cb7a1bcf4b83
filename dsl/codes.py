"""Every code of covr's diagnostics, with its meaning in one line."""

from __future__ import annotations

from collections.abc import Mapping

# Text to tree: syntax and files (dsl).
SYNTAX = {
    "E001": "the text does not follow the grammar",
    "E002": "something that was opened is not closed",
    "E003": "a character that has no meaning outside texts and comments",
    "E004": "an escape or a brace that has no meaning in a text between quotes",
    "E005": "a number is too long",
    "E006": "expressions nest too deeply",
    "E007": "a model that is not text, or is too large",
    "E008": "a symmetry is neither a call nor a map from choices to choices",
    "E009": "a library is not found",
    "E010": "a library uses itself",
    "E011": "too many libraries, or too much text in them",
    "E012": "a statement with too many parts, or too many statements of a kind",
}

# Names (dsl).
NAMES = {
    "E101": "a name that is not defined",
    "E102": "a family of choices that does not exist",
    "E103": "a function or reader that does not exist",
    "E104": "something is defined twice",
    "E105": "a wrong number of values",
    "E106": "an index of a family without a set to range over",
    "E107": "a name that has no value at this place",
    "E108": "a definition uses a later one",
    "E109": "a definition uses itself",
    "E111": "both `minimize` and `maximize`",
    "E112": "a predefined name is redefined",
    "E113": "a function where a value is needed, or a value where a function is needed",
    "E114": "`expect` sets something that is not a param",
    "E115": "a name is bound, and the set it ranges over uses it for something else",
    "E116": "`expect maximum` in a model that minimizes",
    "E117": "`then all` with `or`",
    "E118": "`prefer` with `connected`, `loop` or areas",
    "E119": "`then minimize` without a goal before it",
    "E120": "`and` and `or` after `then` that do not say what belongs together",
    "E121": "`all different` or `all alike` without what is compared",
    "E122": "a `tree`, `forest`, `path`, `paths` or `loops` with a clause too few or too many",
    "E123": "`area by` a family of walls that no `divide` names",
    "E124": "a stretch of lines that no `loop` or `path` draws, or that counts something else",
}

# Evaluation (compiler).
EVALUATION = {
    "E201": "an operator or a look-up on a kind of value that it does not apply to",
    "E202": "a condition that is neither true nor false",
    "E203": "arithmetic without a result",
    "E204": "a look-up of something that is not there",
    "E205": "a field that a record does not have",
    "E206": "an argument that a function cannot use",
    "E207": "a pattern that does not fit a member",
    "E208": "a call that does not fit its function or reader",
    "E209": "a value without members where a set or list is needed",
    "E210": "too many values",
    "E211": "too many steps",
    "E212": "a number that is too large",
    "E213": "a text that is too long",
    "E214": "a function that calls itself without end",
    "E215": "an expression that nests too deeply",
    "E216": "a definition that uses itself",
    "E217": "a value that nests too deeply, or has too many parts",
    "E220": "an `assert` that is false",
}

# Data: readers, params, files (compiler).
DATA = {
    "E301": "a grid with a wrong number of rows",
    "E302": "a row of a grid with a wrong number of places",
    "E303": "a tab in a picture",
    "E304": "a picture with nothing in it",
    "E305": "a letter or sign that does not belong there in a picture of pieces",
    "E306": "lines of a solid with different numbers of layers",
    "E307": "a file with several grids where one is wanted",
    "E308": "a character where the lattice of a picture has no cell",
    "E310": "a line of a table with a wrong number of fields",
    "E311": "a line of a csv with a wrong number of fields",
    "E312": "text that is not csv, or has no usable header",
    "E313": "a section of data that is not there, stands there twice, or can't be read",
    "E320": "a param that the model does not have",
    "E321": "a param that breaks its condition",
    "E322": "a param that is given a value of another kind",
    "E323": "text for a param that is not a value",
    "E324": "a Python value of a kind that the language does not have",
    "E330": "a file that cannot be read",
    "E331": "data that is too large",
    "E332": "a file that is not UTF-8 text",
    "E333": "a file outside the folder of the model",
    "E334": "a book of sheets that cannot be read as a table",
}

# From choices and rules to the matrix (compiler).
LOWERING = {
    "E401": "a given choice that does not exist",
    "E402": "a given choice that is forbidden, or that no answer can hold",
    "E410": "a rule whose number of choices is not a whole number",
    "E411": "a rule that asks for a negative number of choices",
    "E412": "a range or a set after `at least` or `at most`",
    "E413": "a rule with an empty range or set",
    "E414": "an index is used where it has no value: it is neither bound there nor a key",
    "E415": "a cost that is not a whole number",
    "E416": "costs that are too large",
    "E417": "`expect` with something that is not a whole number",
    "E418": "a total of something that is not a whole number",
    "E419": "a total that is too large",
    "E420": "too many choices",
    "E421": "too many items",
    "E422": "a matrix that is too large",
    "E423": "places of a `connected` or of areas that are not on a board, without `along`",
    "E424": "a choice of a `loop` that does not join two ends",
    "E425": "`along` with something that is not a pair of places",
    "E426": "`along` with a place that the `connected` or the areas do not have",
    "E427": "both `answers by` and `up to`",
    "E428": "both `prefer` and `up to`",
    "E429": "a price that is not a whole number, or is negative",
    "E430": "`up to` with something that is not a symmetry",
    "E431": "a symmetry that sends a choice to something that is not a choice",
    "E432": "a symmetry that sends two choices to the same one",
    "E433": "symmetries that generate a group that is too large",
    "E434": "`holding` or `touching` with something that is no place of the areas",
    "E435": "a wall of a `divide` that parts no two places which touch",
    "E440": "a picture with a wrong number of coordinates",
    "E441": "a picture whose places are not of one lattice",
    "E442": "a `show`, `print` or `outline` of something that its board has no place for",
    "E445": "a `clue` that can't stand where it is said to, or that has no value",
    "E446": "a path that ends where it begins",
    "E447": "a `crossing` where lines are not straight, or can't cross",
    "E448": "a `through` with something that is no list of places which the path can pass in this order",
}

# Oddities in a model, or why it has no answer: W1xx are found without data (dsl), W2xx with it (compiler).
WARNINGS = {
    "W101": "a name that is never used",
    "W102": "a family of choices that no rule mentions",
    "W103": "a model that promises nothing",
    "W104": "a comment to covr that has no effect",
    "W105": "a model without `choose`",
    "W201": "choices that nothing asks for",
    "W202": "`at least` without `minimize`",
    "W203": "an item that no choice can satisfy",
    "W204": "a rule that asks for nothing, or reaches no choice",
    "W205": "choices that can never be taken",
    "W206": "a rule that says only what another one says",
    "W207": "a computed key that may leave something unchecked",
    "W208": "a rule that cannot be kept together with the others and what is given",
    "W209": "a symmetry that moves no choice",
    "W210": "an `if … then` that nothing can satisfy, or by which a choice excludes itself",
    "W211": "two `agree` statements with a key in common, which never meet",
    "W212": "a key that does not depend on the choices of its rule",
    "W213": "a comparison of values that are never of one kind",
    "W214": "a symmetry that breaks the goal",
    "W215": "`then all` of nothing",
    "W216": "a `then` that reaches several choices, without `some`, `all` or `no`",
    "W217": "a clue in the data that contradicts the model's only answer",
    "W218": "a wish that can never be kept, or that a choice breaks whenever it is taken",
    "W219": "a family that `answers by` leaves out, and that nothing asks for",
    "W220": "a choice after `then` that counts for nothing, since a name of another has no value",
}

# Usage and files of the command (covr).
USAGE = {
    "E501": "a model that does not exist",
    "E502": "a file that can't be read",
    "E503": "a file that is not text, or too large",
    "E504": "`-D` or `--each` without a name or a value, or a name twice",
    "E505": "an estimate, engine or theme that does not exist, or an engine that can't answer this",
    "E506": "a collection without records",
    "E507": "`--each` names a param that the model doesn't have",
    "E508": "a file that can't be written, or exists already",
    "E509": "a choice that does not exist",
    "E510": "a question that can't be asked of a model with a goal, `up to` or `answers by`",
    "E511": "a code that does not exist",
    "E515": "clues that can't make a puzzle",
    "E520": "a picture file whose ending names no format",
    "E521": "a picture format whose package is not installed",
    "E522": "an earlier answer that can't be read, or belongs to another model",
    "E523": "a model that has nothing to choose",
    "E524": "a command, an option or a value of one that covr does not have",
}

# Matrices in other programs' formats, and answers in files (covr).
FORMATS = {
    "E601": "a format that does not exist, or works in the other direction only",
    "E602": "a file that does not follow its format",
    "E603": "a problem that a format can't hold",
    "E604": "a matrix where a model is needed, or params for a matrix",
    "E605": "a file of answers that can't be created or written to",
    "E606": "a link or file of a puzzle that can't be read",
}

# Runs that are kept in files (covr).
RUNS = {
    "E701": "a file that is not a run file, or can't be read",
    "E702": "a run file of another problem or question",
    "E703": "a run file made by a newer covr",
    "E704": "a run file that is damaged",
    "E705": "a run file that another process is using",
    "E706": "a run file that can't be written",
    "E707": "a run file that does not exist",
    "E708": "something that can't be kept in a run file, or that this one doesn't contain",
    "E709": "a run file whose model this covr compiles to a different problem",
    "E710": "a folder that does not hold pieces of a run",
    "E711": "a folder for pieces that exists already",
    "E712": "a number that no piece of the folder has",
    "E713": "a folder of pieces of another run",
    "E714": "a run with nothing left to search",
}

# Diagrams of all answers in files (covr).
DIAGRAMS = {
    "E730": "a file that is no diagram of answers, can't be read, or is damaged",
    "E731": "a diagram made by a newer covr",
    "E732": "a diagram that can't be written",
    "E733": "a diagram that does not fit in memory",
}

# Clusters (covr).
CLUSTERS = {
    "E720": "`--cluster` without the package it needs",
    "E721": "a scheduler that can't be reached",
    "E722": "workers without this version of covr",
    "E723": "a scheduler that is gone",
    "E724": "workers that die on the same piece",
}

CODES: Mapping[str, str] = {
    **SYNTAX, **NAMES, **EVALUATION, **DATA, **LOWERING, **WARNINGS, **USAGE, **FORMATS, **RUNS, **CLUSTERS,
    **DIAGRAMS,
}  # fmt: skip
