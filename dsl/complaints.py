"""Says what is wrong where parsing failed, in the words of the model, and where parsing can continue.

Of the things that the parser would have accepted (grammar.py), operators are not mentioned: it never helps to be told
that an expression might have gone on.
"""

from __future__ import annotations

import re

from covr.dsl import advice
from covr.dsl.diagnostics import NO_NAME, Diagnostic, Source, Span, suggest
from covr.dsl.grammar import Grammar
from covr.dsl.lexer import DEPENDENT, RESERVED, STATEMENTS, Parsing, Token, Unexpected, acceptable
from covr.dsl.scope import READERS
from covr.dsl.syntax import PRINTED, SHOWN
from covr.dsl.tree import SHAPE_FORMS, too_deep
from covr.frozen import evolve, frozen

READER = re.compile(rf"(?<!\w)({'|'.join(READERS)})[ \t]*(?:\(([^()\n]*)\)[ \t]*)?$")  # and what it takes, if anything
OPERATORS = frozenset(
    ("PLUS", "MINUS", "STAR", "BAR", "AMPERSAND", "CARET", "COMPARES", "IN", "NOT_IN", "AND", "OR", "DIV", "MOD")
)
BEFORE_NAME = ("LET", "PARAM", "CHOOSE", "CELLS", "VALUES", "FOR", "COMMA", "LPAR")
# Statements that begin with two words or more.
TWO_WORDS = (
    "AT_LEAST", "AT_MOST", "UP_TO", "ANSWERS_BY", "IF_AND_ONLY_IF", "THEN_MINIMIZE", "THEN_MAXIMIZE", "ALL_DIFFERENT",
    "ALL_ALIKE", "PER_AREA_OF", "PER_AREA_BY", "PER_STRETCH_OF", "PER_STRAIGHT_STRETCH_OF",
)  # fmt: skip
CLAUSES = ("OF", "AT", "ON", "AS", "WITH")
DEPENDENT_TERMINALS = frozenset(DEPENDENT.values()) - {"AT"}
CLOSING = {"(": ")", "[": "]", "{": "}"}
SIGNS = {"EQUAL": "=", "LPAR": "(", "COMMA": ",", "RPAR": ")", "RSQB": "]", "RBRACE": "}"}
WRITTEN = re.compile(r"[eE]\d+$|[xX][0-9a-fA-F]+$|[bB][01]+$|_\d")  # what follows a digit in numbers of other languages
COMPARING = ("COMPARES", "EQUAL", "IN", "NOT_IN", "AND", "OR")
COUNTING = ("EXACTLY", "AT_LEAST", "AT_MOST")
CONDITIONAL = ("IF", "IF_AND_ONLY_IF")
# A line that binds a word as a name, perhaps among others: `for %s in`, `per (a, %s) in`.
BINDS = r"\b(?:for|per|at|cells|values)\s+(?:[\w(][\w\s(),]*,\s*)?\(?%s\s*(?:\)?\s*,[\w\s,()]*?)?\)?\s*\bin\b"
BOTH_WAYS = re.compile(r"[ \t]*([^\W\d]\w*[ \t]*\([^\n#\"]*?\))[ \t]+(?:if[ \t]+and[ \t]+only[ \t]+if|iff)\b")
TAKEN = (frozenset(RESERVED) | {"NOT_IN"}) - {"NAME"}  # words that are never names
INTEGER_DIVISION = ("//",)  # signs that begin a comment in some languages, and divide in others
COMMENTLESS = re.compile(rf'(?:{advice.QUOTED}|[^"#\n])*')  # a line up to its comment
AROUND = 1_000  # characters before and behind a place that are read when another text is tried there
MOST_TRIED = 40  # texts that are tried for one fault
VERBS = ("is", "are", "be")  # they are no misspelt `in` and `as`
WORD_NEXT = re.compile(r"[ \t:]*(\w+)")
WORD = rf"\w+(?:\.\.\w+)?|{advice.QUOTED}"
COMMALESS = re.compile(rf"(?:{WORD})(?:[ \t]+(?:{WORD}))+")
LONG = 30  # characters of a word that messages show
MOST = 5  # how many things that may stand at a place are listed at most


@frozen
class Failure:
    """The point where parsing stopped.

    - token: what did not fit; last, second: the token before it, and the one before that
    - before, earlier: the parser's states before `token` and before `last`
    - statement: the word that began the statement; opened: the brackets still open
    - deep: whether the token did fit, but nests too deeply
    """

    token: Token
    last: Token | None
    second: Token | None
    before: list[int]
    earlier: list[int]
    statement: Token | None
    opened: tuple[Token, ...]
    deep: bool = False


def complain(source: Source, grammar: Grammar, failure: Failure) -> tuple[Diagnostic, int | None]:
    """The diagnostic for a failure, and the offset where parsing continues (None: nowhere)."""
    return Complaint(source, grammar, failure).made()


class Complaint:
    """What is wrong at the token that the parser could not take, in words."""

    def __init__(self, source: Source, grammar: Grammar, failure: Failure) -> None:
        self.source = source
        self.text = source.text
        self.grammar = grammar
        self.lexer = grammar.lexer
        self.token, self.last, self.before = failure.token, failure.last, failure.before
        self.failure = failure
        if self.last is not None and self.mistaken(self.last):
            self.token, self.last, self.before = self.last, failure.second, failure.earlier
        self.accepted = acceptable(grammar, self.before)
        self.tried = 0  # how many other texts have been read

    def made(self) -> tuple[Diagnostic, int | None]:
        """The diagnostic, and the offset in the text where parsing continues; None for nowhere."""
        fault, again = self.first_kind()
        meant = re.fullmatch(r"did you mean `(.+)`\?", fault.help)
        span = fault.span
        assert span is not None
        named = fault.message.endswith(NO_NAME) or fault.code not in ("E001", "E003")
        if named or (meant and self.reads(span.start, span.end, meant[1], line=True)):
            return fault, again
        found = self.elsewhere(span)
        if found is None:
            begins = self.first_on_line(self.token) and (not fault.help or fault.help.startswith("it reads"))
            help = advice.BEGINNING.get(str(self.token), "") if begins else ""
            return evolve(fault, help=help or fault.help), again
        span, text = found
        help = f"write `{text}`" if text else f"remove it: {self.needless(span)}"
        again = self.next(span.end) if again is not None and again < span.end else again
        return evolve(fault, span=span, help=help), again

    def first_kind(self) -> tuple[Diagnostic, int | None]:
        """What is wrong: the most certain kind of fault."""
        kinds = (
            self.depth,
            self.swallowed,
            self.both_ways,
            self.entry,
            self.stray,
            self.bound,
            self.inner_let,
            self.bracket,
            self.touching,
            self.number,
            self.misspelt,
        )
        for kind in (*kinds, self.reserved, self.condition, self.bare):
            found = kind()
            if found is not None:
                return found
        return self.general()

    def mistaken(self, last: Token) -> bool:
        """Whether a word was read as a name, or as the function `cells`, although what follows shows that it is not."""
        if last.type == "CELLS":
            return last is not self.failure.statement and self.first_on_line(last)
        return last.type == "NAME" and self.lexer.words.get(str(last), "") in CLAUSES

    # --- what others write -----------------------------------------------------------------------------------

    def elsewhere(self, span: Span) -> tuple[Span, str] | None:
        """What is written at a place as in another language, or in other words, and what covr writes: the first row of
        advice.py with which the text can be read."""
        start, end = span.start, span.end
        if not span.text.strip() and self.failure.last is not None:
            start, end = self.failure.last.start_pos or 0, self.failure.last.end_pos or 0
        begin, stop = self.line_of(start)
        if stop - begin > advice.LONGEST:
            return None
        whole = self.text[begin:stop].rstrip()
        line = COMMENTLESS.match(whole)
        bare = line[0].strip() if line else ""
        first = begin + whole.find(bare)
        said = bare.rstrip(".; \t")
        if said != bare and self.reads(first + len(said), first + len(bare), ""):
            return Span(self.source, first + len(said), first + len(bare)), ""
        opening = advice.OPENING.match(said)
        for form in [said] if opening is None else [said, said[opening.end() :]]:
            for _, _, text in advice.forms(form, advice.WHOLE, whole=True):
                if self.reads(first, first + len(bare), text, alone=True):
                    return Span(self.source, first, first + len(bare)), text
        if opening is not None:
            stop = first + len(opening[0].rstrip())
            follows = WORD_NEXT.match(self.text, stop)
            begins = follows is not None and (follows[1] == "at" or self.lexer.words.get(follows[1]) in STATEMENTS)
            if begins and self.reads(first, stop, "", alone=True):
                return Span(self.source, first, stop), ""
        if self.failure.last is not None and (self.failure.last.start_pos or 0) >= begin:
            start = min(start, self.failure.last.start_pos or 0)
        for left, right, text in advice.forms(whole, advice.WITHIN):
            near = begin + left <= end and start <= begin + right
            if near and self.reads(begin + left, begin + right, text):
                return Span(self.source, begin + left, begin + right), text
        return self.comma()

    def comma(self) -> tuple[Span, str] | None:
        """Words and values that follow each other without commas."""
        start, end = self.failure.token.start_pos or 0, self.failure.token.end_pos or 0
        last = self.failure.last
        if last is None or "COMMA" not in self.accepted or not re.fullmatch(r"[ \t]+", self.text[last.end_pos : start]):
            return None
        found = COMMALESS.match(self.text, last.start_pos or 0)
        for stop in (found.end() if found else end, end):
            words = re.findall(WORD, self.text[last.start_pos : stop])
            text = ", ".join(words)
            if (
                len(words) > 1
                and self.lexer.words.keys().isdisjoint(words)
                and self.reads(last.start_pos or 0, stop, text)
            ):
                return Span(self.source, last.start_pos or 0, stop), text
        return None

    def reads(self, start: int, end: int, text: str, line: bool = False, alone: bool = False) -> bool:
        """Whether the text can be read up to and beyond a place if something else stands there. line: up to the end of
        its line. alone: from the beginning of the line, and not of the statement."""
        self.tried += 1
        first, stop = self.line_of(start)
        if self.tried > MOST_TRIED or stop - first > advice.LONGEST or text == self.text[start:end]:
            return False
        if line:
            text, end = text + self.text[end:stop], stop
        begun = self.failure.statement
        begins = {first} if begun is None or alone else {first, min(begun.start_pos or 0, start)}
        return any(
            self.reads_as(f"{self.text[begin:start]}{text}{self.text[end : end + AROUND]}", start - begin + len(text))
            for begin in begins
            if start - begin <= AROUND
        )

    def line_of(self, at: int) -> tuple[int, int]:
        """Where the line around an offset begins and ends."""
        stop = self.text.find("\n", at)
        return self.text.rfind("\n", 0, at) + 1, stop if stop >= 0 else len(self.text)

    def reads_as(self, text: str, end: int) -> bool:
        """Whether a text can be read up to and beyond an offset, as what the whole text is."""
        hole = self.failure.before[:1] == [self.grammar.starts["expr"]]
        parsing = Parsing(self.grammar, text, "expr" if hole else "start")
        for token in parsing.tokens():
            if (token.start_pos or 0) >= end and token.type != "$END":
                return bool({token.type, "$END"} & acceptable(self.grammar, parsing.stack))
            try:
                parsing.feed(token)
            except Unexpected:
                return False
        return True

    def needless(self, span: Span) -> str:
        """Why what stands there is to be left out."""
        if self.text[self.text.rfind("\n", 0, span.start) + 1 : span.start].strip():
            return advice.INSTEAD[";"]
        ends = not (self.text + "\n")[span.end :].partition("\n")[0].strip()
        return advice.NEEDLESS if ends else advice.BEGINS

    # --- help ----------------------------------------------------------------------------------------------

    def at(self, token: Token) -> Span:
        """The place of a token."""
        return Span(self.source, token.start_pos or 0, token.end_pos or 0)

    def error(self, code: str, message: str, span: Span, help: str = "") -> Diagnostic:
        """A diagnostic."""
        return Diagnostic(code, message, span, help)

    def next(self, start: int) -> int | None:
        """The offset of the first statement after `start` that begins a line; None if there is none."""
        return next(self.lexer.statements(self.text, start), None)

    def after(self) -> int | None:
        """Where parsing continues: at the token, if it begins a statement; otherwise at the next that begins a line."""
        start = self.token.start_pos or 0
        if self.begins(self.token) and self.token is not self.failure.statement:
            return start
        return self.next(max(start, self.token.end_pos or 0))

    def begins(self, token: Token) -> bool:
        """Whether the token begins a statement, as far as that can be seen: an `if` inside a line does not."""
        begun = self.failure.statement
        conditional = token.type in (*CONDITIONAL, "PREFER")
        conditional |= token.type in COUNTING and begun is not None and begun.type in CONDITIONAL
        return token.type in STATEMENTS and (not conditional or self.first_on_line(token))

    def first_on_line(self, token: Token) -> bool:
        """Whether only white space stands before the token on its line."""
        start = token.start_pos or 0
        return not self.text[self.text.rfind("\n", 0, start) + 1 : start].strip()

    def words(self, accepted: set[str]) -> list[str]:
        """The acceptable words, as they are written; words of clauses come before words that begin a statement."""
        found = [word for word, name in self.lexer.words.items() if name in accepted]
        found += [" ".join(name.lower().split("_")) for name in TWO_WORDS if name in accepted]
        return sorted(found, key=lambda word: (word.upper().replace(" ", "_") in STATEMENTS, word))

    # --- kinds of faults, the most certain first -----------------------------------------------------------

    def depth(self) -> tuple[Diagnostic, int | None] | None:
        """An expression whose brackets or operators are nested too deeply."""
        if not self.failure.deep:
            return None
        return Diagnostic(*too_deep(self.at(self.token))), self.after()

    def swallowed(self) -> tuple[Diagnostic, int | None] | None:
        """A block without an end, which swallowed what follows up to the beginning of the next block."""
        block = self.last if self.last is not None and self.last.type == "BLOCK" else None
        if block is None:
            return None
        start = block.start_pos or 0
        inside = next(self.lexer.statements(self.text, start + 3), None)
        if inside is None or inside >= (block.end_pos or 0):
            return None
        line, _ = self.source.place(inside)
        span = Span(self.source, start, start + 3)
        fault = self.error("E002", f"this block is not closed before line {line}", span, 'a block ends with `"""`')
        return fault, inside

    def entry(self) -> tuple[Diagnostic, int | None] | None:
        """A key without a value in a map, or a value with a key in a set."""
        if not self.failure.opened or self.failure.opened[-1] != "{":
            return None
        help = "a map is written `{key: value, …}`, and a set `{value, …}`"
        if self.token.type == "COLON" and "COMMA" in self.accepted:
            return self.error("E003", "`:` means nothing in a set", self.at(self.token), help), self.after()
        if "COLON" in self.accepted and "COMMA" not in self.accepted and self.token.type in ("RBRACE", "COMMA", "FOR"):
            return self.error("E001", "this key of a map has no value", self.at(self.token), help), self.after()
        return None

    def stray(self) -> tuple[Diagnostic, int | None] | None:
        """A character that begins no word or sign."""
        if self.token.type not in ("STRAY", "COLON"):
            return None
        start = self.token.start_pos or 0
        char = str(self.token)
        if self.text.startswith('"""', start):
            span = Span(self.source, start, start + 3)
            fault = self.error("E002", "this block is never closed", span, 'a block ends with `"""`')
            return fault, self.next(start + 3)
        if char == '"':
            end = self.text.find("\n", start)
            end = len(self.text) if end < 0 else end
            span = Span(self.source, start, start + len(self.text[start:end].rstrip()))
            fault = self.error("E002", "this text is never closed", span, "a text ends on its own line")
            return fault, self.next(end)
        for sign in advice.COMMENTS:
            if self.text.startswith(sign, start):
                return self.comment(sign, start)
        shown = f"`{char}`" if char.isprintable() else f"the character U+{ord(char):04X}"
        help = advice.INSTEAD.get(char, "")
        fault = self.error("E003", f"{shown} means nothing here", self.at(self.token), help)
        return fault, self.after()

    def comment(self, sign: str, start: int) -> tuple[Diagnostic, int | None]:
        """The diagnostic for the sign that begins a comment in another language. Its line is not read any further."""
        end = self.text.find("\n", start)
        help = advice.COMMENTS[sign]
        if "PLUS" in self.accepted and not self.first_on_line(self.token) and sign in INTEGER_DIVISION:
            help = f"{advice.INSTEAD['/']}, and {help}"
        fault = self.error("E003", f"`{sign}` means nothing here", Span(self.source, start, start + len(sign)), help)
        return fault, None if end < 0 else self.next(end)

    def both_ways(self) -> tuple[Diagnostic, int | None] | None:
        """`F(…) if and only if G(…)`: statements begin with a word of the language."""
        start = self.token.start_pos or 0
        begin = self.text.rfind("\n", 0, start) + 1
        found = BOTH_WAYS.match(self.text, begin)
        if found is None or (self.failure.opened and found.end() < start):
            return None
        named = self.text[found.start(1) : found.end(1)]
        message = "`if and only if` begins a statement"
        help = f"write `if and only if {named} then …`"
        span = Span(self.source, found.start(1), found.end())
        return self.error("E001", message, span, help), self.next(found.end())

    def inner_let(self) -> tuple[Diagnostic, int | None] | None:
        """`let x = 3 in …` inside an expression, which other languages have."""
        if self.token.type != "LET" or "NUMBER" not in self.accepted or self.first_on_line(self.token):
            return None
        fault = self.error("E001", "`let` can't stand inside an expression", self.at(self.token), advice.LET_IN)
        return fault, self.next(self.token.end_pos or 0)

    def bracket(self) -> tuple[Diagnostic, int | None] | None:
        """A bracket that closes nothing, or is not closed."""
        token, opened = self.token, self.failure.opened
        if token in CLOSING.values() and not opened:
            return self.error("E002", f"this `{token}` closes nothing", self.at(token)), self.after()
        if not opened:
            return None
        mismatch = token in CLOSING.values() and token != CLOSING[opened[-1]]
        begins = token.type in STATEMENTS and self.first_on_line(token)
        if not (mismatch or begins or token.type == "$END"):
            return None
        fault = self.error("E002", f"this `{opened[-1]}` is never closed", self.at(opened[-1]))
        return fault, self.after()

    def touching(self) -> tuple[Diagnostic, int | None] | None:
        """Two words or signs without a space between them."""
        if self.last is None or self.last.end_pos != self.token.start_pos:
            return None
        both = f"{self.last}{self.token}"
        if both not in advice.TOUCHING:
            return None
        span = self.at(self.last).to(self.at(self.token))
        return self.error("E001", f"`{both}` means nothing", span, advice.TOUCHING[both]), self.after()

    def number(self) -> tuple[Diagnostic, int | None] | None:
        """A number with something after it that the language does not have: `2n`, `1.5`."""
        token, last = self.token, self.last
        if last is None or last.end_pos != token.start_pos:
            return None
        span = self.at(last).to(self.at(token))
        if last.type == "NUMBER" and token.type == "NAME":
            message = f"`{last}{token}` is neither a number nor a name"
            help = "a number is written in digits alone" if WRITTEN.match(token) else f"write `{last} * {token}`"
            return self.error("E001", message, span, help), self.after()
        if last.type == "DOT" and token.type == "NUMBER":
            return self.error("E001", "numbers are whole", span, "a range is written `1..5`"), self.after()
        return None

    def misspelt(self) -> tuple[Diagnostic, int | None] | None:
        """A name where a similar word of the language is probably meant."""
        token, last = self.token, self.last
        begins = self.failure.statement is None or ("$END" in self.accepted and self.first_on_line(token))
        if token.type == "NAME" and begins and "TITLE" in self.accepted:
            return self.no_statement()
        if token.type == "NAME" and token not in self.lexer.words:
            meant = suggest(str(token), self.words(self.accepted))
            if meant is not None and token not in VERBS:
                return self.misspelt_as(token, meant)
        if last is not None and last.type == "NAME":
            meant = suggest(str(last), self.words(acceptable(self.grammar, self.failure.earlier)))
            between = self.text[last.end_pos : token.end_pos]
            if meant is not None and self.reads(last.start_pos or 0, token.end_pos or 0, meant + between):
                return self.misspelt_as(last, meant)
        return None

    def misspelt_as(self, token: Token, meant: str) -> tuple[Diagnostic, int | None]:
        """The diagnostic for a name that stands where the word `meant` was probably meant."""
        help = f"did you mean `{meant}`?"
        return self.error("E001", f"`{token}` means nothing here", self.at(token), help), self.after()

    def no_statement(self) -> tuple[Diagnostic, int | None]:
        """The diagnostic for text that does not begin a statement."""
        start, end = self.token.start_pos or 0, self.token.end_pos or 0
        if str(self.token) in SHAPE_FORMS:
            message = f"a family and `at` or `along` do not follow this `{self.token}`"
            return self.error(
                "E001", message, self.at(self.token), f"write {SHAPE_FORMS[str(self.token)]}"
            ), self.after()
        words = self.words(set(STATEMENTS))
        pair = " ".join(self.text[start : end + 20].split()[:2])
        meant = suggest(pair, [w for w in words if " " in w]) or suggest(str(self.token), words)
        help = advice.BEGINNING.get(str(self.token), "") or (f"did you mean `{meant}`?" if meant else "")
        return self.error("E001", f"`{self.token}` begins no statement", self.at(self.token), help), self.after()

    def reserved(self) -> tuple[Diagnostic, int | None] | None:
        """A word of the language where only a name may stand."""
        token = self.token
        if token.type not in RESERVED or "NAME" not in self.accepted or "NUMBER" in self.accepted:
            return None
        if self.last is None or self.last.type not in BEFORE_NAME or self.first_on_line(token):
            return None
        message = f"{self.shown(token)} {NO_NAME}"
        return self.error("E001", message, self.at(token)), self.next(token.end_pos or 0)

    def bound(self) -> tuple[Diagnostic, int | None] | None:
        """A word of the language that this line binds as a name: `given f(use) for use in …`, `per let in …`."""
        start = self.token.start_pos or 0
        begin = self.text.rfind("\n", 0, max(start, 0)) + 1
        line = self.text[begin : (self.text + "\n").find("\n", start)]
        for token in (self.token, self.failure.last):
            if token is None or token.type not in TAKEN or self.first_on_line(token):
                continue
            word = str(token).split()[0]
            if re.search(BINDS % word, line):
                at = token.start_pos or 0
                fault = self.error("E001", f"`{word}` {NO_NAME}", Span(self.source, at, at + len(word)))
                return fault, self.next(token.end_pos or 0)
        return None

    def condition(self) -> tuple[Diagnostic, int | None] | None:
        """`exactly one f if x > 2`: an `if` inside a line that is followed by no choice is meant as a condition."""
        begun = self.failure.statement
        if begun is None or begun.type != "IF" or self.first_on_line(begun):
            return None
        if begun is not self.failure.last and begun is not self.failure.second:
            return None
        if self.text[: begun.start_pos].split()[-1:] == ["total"]:
            return self.parenthesise(begun, "(if … then … else …)")
        return self.error("E001", "`if` does not belong here", self.at(begun), "did you mean `where`?"), self.after()

    def bare(self) -> tuple[Diagnostic, int | None] | None:
        """A condition, or an `if … then … else`, where only an expression that binds more tightly may stand."""
        token, last = self.token, self.last
        if "NUMBER" in self.accepted and token.type in ("IF", "NOT") and token.type not in self.accepted:
            if self.first_on_line(token):
                return None
            form = "(if … then … else …)" if token.type == "IF" else "(not …)"
        elif token.type in COMPARING and "PLUS" in self.accepted and last is not None and self.inside_expression():
            form = f"(… {' '.join(token.split())} …)"
        else:
            return None
        return self.parenthesise(token, form)

    def parenthesise(self, token: Token, form: str) -> tuple[Diagnostic, int | None]:
        """The diagnostic for an expression that needs parentheses where it stands; form: it, with parentheses."""
        message = f"{self.shown(token)} stands in parentheses here"
        return self.error("E001", message, self.at(token), f"put it in parentheses: `{form}`"), self.after()

    def inside_expression(self) -> bool:
        """Whether an expression that a part of a statement consists of ends before the token, and may not be a
        condition there: a total, a key or a colour of `agree`."""
        return bool({"OF", "EQUAL"} & self.accepted) or (
            self.failure.statement is not None and self.failure.statement.type == "AGREE" and "COMMA" in self.accepted
        )

    def general(self) -> tuple[Diagnostic, int | None]:
        """The diagnostic if nothing more precise is known: what stands here, and what could stand here."""
        token, last = self.token, self.last
        wanted = self.wanted()
        cut = token.type == "$END" or (self.begins(token) and last is not None)
        if "$END" in self.accepted or not wanted or (len(wanted) > MOST and "PLAIN" not in self.accepted):
            what = "the text ends too early" if token.type == "$END" else f"{self.shown(token)} does not belong here"
            return self.error("E001", what, self.at(token), self.instead() or self.form()), self.after()
        if str(token) == "at" and "AT" in self.accepted:  # read as a name, because no place follows it
            return self.error("E001", "expected an expression after `at`", self.at(token), self.form()), self.after()
        expected = "expected " + listed(wanted)
        in_statement = not self.failure.opened and not {"an expression", "`then`", "`else`"} & set(wanted)
        begun = last is not None and last is self.failure.statement
        help = self.instead() or (self.form() if in_statement or begun else "")
        if cut and last is not None:
            return self.error("E001", f"{expected} after {self.shown(last)}", self.at(last), help), self.after()
        return self.error("E001", f"{expected}, found {self.shown(token)}", self.at(token), help), self.after()

    def instead(self) -> str:
        """A help text: what a word or block that may not stand here probably means."""
        kind, opened, word = self.token.type, self.failure.opened, str(self.token)
        begun = self.failure.statement
        if begun is not None and begun.type == "IF" and not self.first_on_line(begun):
            return "conditions stand after `where`"
        if kind == "IN" and begun is not None and begun.type == "CHOOSE" and opened:
            return f"say the set after `for`: `choose f({self.last}) for {self.last} in …`"
        if begun is not None and begun.type in CONDITIONAL and self.first_on_line(begun):
            help = self.conditional(begun)
            if help:
                return help
        if kind in ("AND", "OR") and begun is not None and self.last is not None and self.last.type == "COMMA":
            return "a comma is enough: `per r, c`"
        if advice.MEANT.get(word, "").upper() in self.accepted:
            return f"did you mean `{advice.MEANT[word]}`?"
        if kind == "FOR" and opened and "ELSE" not in self.accepted:
            if opened[-1] == "(":
                return "`{… for …}` makes a set, and `[… for …]` a list"
            return "values that belong together stand in parentheses: `(i, j) for …`"
        if kind == "NAME":
            found = READER.search(self.text, 0, self.token.start_pos)
            if found is not None:
                return self.read(found[1], found[2] or "")
        if kind == "BLOCK" and "NUMBER" in self.accepted:
            return "what reads it stands before it: `grid`, `area`, `text` …"
        return 'a text stands in `"double quotes"`' if kind == "BLOCK" and "STRING" in self.accepted else ""

    def read(self, reader: str, takes: str) -> str:
        """A help text: how a reader reads the text that is named here. takes: the values before it."""
        called = self.text.startswith("(", self.token.end_pos)
        return f"write `{reader}({f'{takes}, ' if takes else ''}{self.token}{'(…)' if called else ''})`"

    def conditional(self, begun: Token) -> str:
        """A help text: how counts, numbers and groups of choices stand in an `if … then`."""
        kind, last = self.token.type, self.last.type if self.last is not None else ""
        followed = re.search(r"\bthen\b", self.text[begun.end_pos : self.token.start_pos]) is not None
        if kind in COUNTING and followed and not self.first_on_line(self.token):
            return "a count is a part of its own, which `and` joins with others"
        if kind in COUNTING and not followed:
            return "counts stand after `then`; name a choice for it: `if and only if many() then at least 2 f(x) …`"
        if kind == "NUMBER" and last in ("THEN", "AND") and followed:
            return f"write `exactly {self.token} …`, `at least {self.token} …` or `at most {self.token} …`"
        if kind == "PER" and followed:
            return "what is counted together follows from the names: `then exactly 2 g(y) for y in SET`"
        if kind == "LPAR" and last in ("THEN", "AND") and followed:
            return "parentheses do not group choices: `some g(x) or h(x)` is one part, which `and` joins with others"
        return ""

    def form(self) -> str:
        """A help text: the form of the statement."""
        statement = self.failure.statement
        if statement is not None and statement.type in COUNTING and "OF" in self.accepted:
            return 'it reads `exactly N total VALUE of f or VALUE of g per KEYS where CONDITION "…"`'
        return f"it reads `{advice.FORMS[statement.type]}`" if statement is not None else ""

    def shown(self, token: Token) -> str:
        """A token as messages show it."""
        if token.type == "$END":
            return "the end of the text"
        if token.type in ("BLOCK", "STRING"):
            return "this block" if token.type == "BLOCK" else "this text"
        word = " ".join(str(token).split())
        return f"`{word}`" if len(word) <= LONG else f"`{word[: LONG - 1]}…`"

    def wanted(self) -> list[str]:
        """What may stand here, in words, without anything that only continues an expression."""
        accepted = self.accepted
        if self.last is not None and self.last.type == "PREFER":
            return ["a rule"]
        found = []
        if "NUMBER" in accepted:
            found.append("an expression")
            accepted = accepted - {"NAME", "STRING", "LPAR", "LSQB", "LBRACE", "NOT", "IF", "TRUE", "FALSE", "CELLS"}
        elif "NAME" in accepted:
            found.append("a name")
        if "STRING" in accepted:
            found.append("a text")
        if "NAME" in accepted:
            accepted = accepted - DEPENDENT_TERMINALS
        after_expression = "PLUS" in accepted
        hidden = OPERATORS if after_expression else frozenset()
        if self.failure.opened and self.failure.opened[-1] == "(":
            hidden = hidden | {"WHERE"}  # only `some(…)` and `no(…)` have it
        if "SOLUTIONS" in accepted:
            hidden = hidden | {"ANSWER", "ANSWERS"}
        if "PLAIN" in accepted:
            begun = self.failure.statement
            return [f"`{word}`" for word in (PRINTED if begun is not None and begun.type == "PRINT" else SHOWN)]
        words = [w for w in self.words(accepted - hidden) if w.upper().replace(" ", "_") not in STATEMENTS]
        found += [f"`{word}`" for word in words]
        for name, sign in SIGNS.items():
            optional = (name == "EQUAL" and "COMPARES" in accepted) or (name == "LPAR" and "BLOCK" in accepted)
            if name in accepted and not optional:
                found.append(f"`{sign}`")
        return found


def listed(things: list[str]) -> str:
    """The things as a list in words: `a`, `a or b`, `a, b or c`."""
    return things[0] if len(things) == 1 else ", ".join(things[:-1]) + " or " + things[-1]
