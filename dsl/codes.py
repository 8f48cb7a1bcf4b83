"""Every code covr's diagnostics carry, and what it means in one line."""

from __future__ import annotations

from collections.abc import Mapping

# Text to tree: syntax and files (dsl).
SYNTAX = {
    "E001": "the text does not follow the grammar",
    "E002": "something that was opened is not closed",
    "E003": "a character that means nothing outside texts and comments",
    "E004": "a text between quotes says something that means nothing",
    "E005": "a number is too long",
    "E006": "expressions nest too deeply",
    "E007": "what should be a model is not text, or too large",
    "E008": "a symmetry is neither a call nor a map from choices to choices",
    "E009": "a library is not found",
    "E010": "a library uses itself",
}

# Names (dsl).
NAMES = {
    "E101": "a name that means nothing",
    "E102": "a family of choices that there is not",
    "E103": "a function or reader that there is not",
    "E104": "something is defined twice",
    "E105": "a wrong number of values",
    "E106": "an index of a family without a set to range over",
    "E107": "a name that has no value at this place",
    "E108": "a definition uses a later one",
    "E109": "a definition uses itself",
    "E111": "both `minimize` and `maximize`",
    "E112": "a predefined name is defined anew",
    "E113": "a function where a value is wanted, or a value where a function is",
    "E114": "`expect` sets something that is not a param",
}

CODES: Mapping[str, str] = {**SYNTAX, **NAMES}
