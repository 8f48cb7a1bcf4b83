"""pzpr's addresses: `https://puzz.link/p?slither/5/5/cbcbcddad` ↔ a board.

After the `?` stand the kind, letters that say more about it (not always), the columns, the rows, and the clues.
"""

from __future__ import annotations

import re

from covr.links.board import LONGEST, Board, BoardDraft, LinkFault, Variant
from covr.links.codes import Letters, shortened
from covr.links.kind import Kind

SITE = "https://puzz.link/p?"
# The sites whose addresses have this form: they, and copies of pzpr's pages under any name.
SITES = ("puzz.link", "pzv.jp", "pzprxs.vercel.app", "pzplus.tck.mn", "pedros.works", "indi.s58.xrea.com")
_PAGE = re.compile(r"(?:https?://)?[\w.-]+(?:/[\w./-]*)?\?(?:p=|type=[a-z]+&)?", re.ASCII)
LONGEST_FLAG = 10  # letters before the size: no kind has as many
_SIZE = re.compile(r"[0-9]{1,20}", re.ASCII)


def is_address(text: str) -> bool:
    """Whether a text is an address of a puzzle in this form, judging by its beginning."""
    start = text.strip()[:200]
    if any(f"{site}/" in start for site in SITES) and "?" in start:
        return True
    found = _PAGE.match(start)
    return found is not None and re.match(r"[a-z0-9_-]+/(?:[^/]*/){0,2}[0-9]+/[0-9]+", start[found.end() :]) is not None


def kind_name(text: str) -> tuple[str, str]:
    """The kind that an address names, and what stands after it. Raises LinkFault."""
    text = text.strip()
    if len(text) > LONGEST:
        raise LinkFault(f"it has more than {LONGEST:,} letters")
    page = _PAGE.match(text)
    if page is None:
        raise LinkFault("no puzzle stands after a `?`")
    name, slash, rest = text[page.end() :].partition("/")
    if not slash or not re.fullmatch(r"[a-z0-9_-]{1,40}", name):
        raise LinkFault(f"`{shortened(text[page.end() :])}` is not a puzzle as puzz.link writes it")
    if "%" in rest and re.search("%2[fF]|%25", rest):
        raise LinkFault("it is encoded twice: it has `%2F` in place of `/`")
    return name.removesuffix("_edit").removesuffix("_play"), rest


def read_address(rest: str, kind: Kind) -> Board:
    """The board in an address. rest: what stands after the kind. Raises LinkFault.

    As pzpr does, it reads what a short one does not tell as blank, and passes over what a long one has at its end; the
    board's remark says so.
    """
    fields = rest.split("/")
    if fields and fields[0].startswith("v:"):
        raise Variant(f"it is a variant with rules of its own (`{shortened(fields[0])}`), which no model has")
    flag = fields.pop(0) if fields and not _SIZE.fullmatch(fields[0]) else ""
    if len(flag) > LONGEST_FLAG:
        raise LinkFault(f"`{shortened(flag)}` is not the size of a board")
    kind.check_flag(flag)
    if len(fields) < 2 or not (_SIZE.fullmatch(fields[0]) and _SIZE.fullmatch(fields[1])):
        raise LinkFault("it does not say how many columns and rows the board has")
    wide, high = int(fields[0]), int(fields[1])
    draft = BoardDraft(kind.name, high, wide, flag)
    body = "/".join(fields[2:])
    letters = Letters(body)
    for part in kind.address:
        part.read(letters, draft)
    left = body[letters.at :].strip("/")
    if letters.short:
        draft.remark = "ends too early: what is missing is read as blank"
    elif left or letters.long:
        more = f"`{shortened(left)}`" if left else "what is left over"
        draft.remark = f"has more than its board: {more} is passed over"
    return draft.board()


def write_address(board: Board, kind: Kind) -> str:
    """The address of a board, of its question alone. Raises LinkFault for a value that addresses can't say."""
    body = "".join([part.write(board) for part in kind.address])
    flag = f"{board.flag}/" if board.flag else ""
    # Some programs leave out a sign at the end of an address when they make a link of it; a slash after it helps.
    end = "/" if body and not body[-1].isalnum() and not body.endswith("/") else ""
    return f"{SITE}{kind.name}/{flag}{board.width}/{board.height}/{body}{end}"
