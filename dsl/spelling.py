""" "Did you mean": find the known word that is nearest to an unknown one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

LONGEST = 60  # words longer than this are not compared
WORDS_KEPT = 8  # unknown words whose distances are kept
MOST_KEPT = 4_000  # distances that are kept for each of them
JOINTS = str.maketrans("", "", "_-")  # what joins the parts of a word


def suggest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `word` was most likely meant to be; None if none is near enough.

    Distance: Damerau–Levenshtein (optimal string alignment), case folded. Near enough is 1 for words of up to four
    letters, 2 up to eight, 3 for longer ones; a single letter is only near to itself in the other case. Of equally near
    candidates the first is returned, or one that differs only in `_` or `-`. Time O(candidates · length²).
    """
    if not word or len(word) > LONGEST:
        return None
    folded = word.casefold()
    bound = near_enough(word)
    bare = folded.translate(JOINTS)
    best, found = 2 * bound + 1, None
    known = compared(folded)
    if len(known) > MOST_KEPT:
        known.clear()
    for candidate in candidates:
        if candidate == word or abs(len(candidate) - len(word)) > bound:
            continue
        other = candidate.casefold()
        far = known.get(other, -1)
        if far < 0:
            far = known[other] = distance(folded, other)
        rank = 2 * far - (other.translate(JOINTS) == bare)
        if rank < best and far < max(len(folded), len(other)):
            best, found = rank, candidate
    return found


def near_enough(word: str) -> int:
    """How far a candidate for a word may be from it. Candidates whose lengths differ by more need not be asked."""
    length = len(word.casefold())
    return 0 if length == 1 else 1 if length <= 4 else 2 if length <= 8 else 3


@lru_cache(maxsize=WORDS_KEPT)
def compared(word: str) -> dict[str, int]:
    """How far words are from this one that were compared with it. In a model that is being edited, one name that was
    lost is looked for at a hundred places, and after every key."""
    return {}


def distance(a: str, b: str) -> int:
    """How many letters must be inserted, deleted, replaced or swapped with a neighbour to turn `a` into `b`."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[len(b)]
