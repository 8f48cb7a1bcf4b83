"""Plain lists of sets: the fewest of them that together contain everything.

    # who solves what
    ann: 1 2
    bob: 4 |3
    1 3

Each line is a set: its members are words, which may follow a name and a colon; a cost other than 1 stands after a bar.
The items are all members named in the file, in order of first use; each is to be covered at least once.
"""

from __future__ import annotations

from covr.compiler.formats.draft import Draft
from covr.compiler.formats.fault import FormatFault
from covr.compiler.formats.placed_words import Word, filled_lines, shorten
from covr.engine import Problem


def read_sets(text: str) -> Problem:
    """The problem of a list of sets; a set without a name is named by its number. Time linear in the text.

    Raises FormatFault, a ValueError, with the place of the first wrong word.
    """
    draft, numbers = Draft(goal=True), dict[str, int]()
    for words in filled_lines(text, ("#", "//")):
        name = f"set {draft.options + 1}"
        if words[0].text.endswith(":"):
            name = words.pop(0).text[:-1] or name
        cost = 1
        members: dict[int, int] = {}
        for at, word in enumerate(words):
            if word.text.startswith("|"):
                if at < len(words) - 1:
                    raise words[at + 1].fault("something stands after the cost of the set")
                cost = Word(word.text[1:], word.line, word.column + 1).number(signed=True)
                continue
            if word.text not in numbers:
                numbers[word.text] = draft.item(word.text, 1, 1)
            i = numbers[word.text]
            if i in members:
                raise word.fault(f"`{shorten(word.text)}` is in the set twice")
            members[i] = 0
        draft.option(name, members.items(), cost)
    if not draft.options:
        raise FormatFault(1, "there are no sets")
    draft.high = [draft.options] * len(draft.high)
    return draft.problem()
