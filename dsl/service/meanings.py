"""What each word of the language means, in a sentence or two, with an example: docs/language.md in short.

`F` and `G` are families of choices, `KEYS` is what stands after `per`, and SET, COND and EXPR are expressions.
"""

from __future__ import annotations

import re
from functools import cache

from covr.dsl.advice import FORMS
from covr.frozen import frozen

# A word a paragraph: the word, and behind a colon what is written with it (unless `FORMS` says so); then what that
# means; in the last line an example.
TEXT = """
title:
  The model's name, printed over every answer. What stands in braces is filled in.
  > title "Queens on a board of {n}"

use:
  Reads the `param` and `let` statements of another model: of a library.
  > use "std/pentominoes"

param:
  A value that may be set from outside: `covr solve -D n=5`, or a file. If the condition is false, that is an error.
  > param n = 8 where n > 0

let:
  A constant; with parentheses behind the name, a function.
  > let band(i) = (i - 1) div 3

assert:
  If the condition is false, compilation stops with this text.
  > assert n mod 2 = 0   "the side must be even"

cells:
  Index names with their sets, known to every statement below. Cells are where something stands.
  > cells r, c in 1..9

values:
  Index names with their sets, known to every statement below. Values are what stands in cells.
  > values d in 1..9

choose:
  A family of choices: one for every combination of the values of its indices. An answer takes some of them.
  > choose place(r, c, d)

exactly:
  A rule: for each value of the keys, exactly so many of the choices that reach it are taken. `2..3` and `{0, 2}`
  stand for several numbers.
  > exactly one place per r, d   "row {r} contains {d}"

at least:
  A rule: for each value of the keys, so many of the choices that reach it are taken, or more.
  > at least one ask per x in exercises where x in e.solves

at most:
  A rule: for each value of the keys, so many of the choices that reach it are taken, or fewer.
  > at most one queen per r + c

connected:
  The places where taken choices stand form one connected piece, or there are none. Places touch if they are
  neighbours, or, with `along`, if the set has the pair.
  > connected sea at r, c

divide:
  The places fall into areas: two that touch are in one area unless a wall stands between them, and a wall has another
  area on each side. What follows `along` gives for each wall the two places that it parts.
  > divide board by wall along e

loop:
  The choices taken form exactly one closed loop. What follows `along` gives for each choice the two ends that it
  joins.
  > loop draw along e

tree: tree F at PLACE   tree F along ENDS
  The places where taken choices stand are connected and form no ring; with `along`, the lines that are taken do.
  > tree dark at x

forest: forest F at PLACE   forest F along ENDS
  The places where taken choices stand form no ring; with `along`, the lines that are taken don't.
  > forest draw along e

path: path F along ENDS from A to B
  The choices taken form one path; `from A to B` says where it begins and ends.
  > path draw along e from (1, 1) to (5, 5)

paths: paths F along ENDS between PLACES
  The choices taken form paths that meet nowhere; with `between`, they end at these places, and at each of them.
  > paths draw along e between cells(clue)

loops: loops F along ENDS
  The choices taken form any number of closed loops that meet nowhere, perhaps none.
  > loops draw along e

prefer:
  A rule that may be broken: each choice too many or too few costs what follows `cost`, and an `if … then` costs it
  once. What is broken joins the goal; without one, an answer that breaks as little as possible is best.
  > prefer at most 2 work per p where s = 3 cost 4

agree:
  Each choice shows a colour at each of its keys; two choices that meet at a key can both be taken only if they show
  the same colour there.
  > agree write on (r, k) = w[k] for k in 1..3

all different: all different THING of F on SEEN …
  No two of these things show the same: not the same indices of the choices taken, or the same values after `on`.
  > all different r of black   "no two rows are alike"

all alike: all alike THING of F on SEEN …
  All of these things show the same: the same indices of the choices taken, or the same values after `on`.
  > all alike r, c of shade per region[r, c]

given:
  These choices are taken, whatever the rules say.
  > given place(r, c, clue[r, c]) for (r, c) in clue

forbid:
  These choices are removed. Rules whose choices are all forbidden can't be kept.
  > forbid place(r, c, 5) where r = c

clue:
  What the clue in a param would be, given an answer; `covr make` makes puzzles from it. It adds no rule.
  > clue board[k] = count of lamp where x in neighbours(k) for k in board

minimize:
  An answer with the least sum is best: `count of F` counts the choices taken, `EXPR of F` adds up what each of them
  costs, for each binding of the `for`, if there is one.
  > minimize count of ask

maximize:
  An answer with the greatest sum is best: `count of F` counts the choices taken, `EXPR of F` adds up what each of
  them brings, for each binding of the `for`, if there is one.
  > maximize w of pack

then minimize:
  Among the answers that are best for the goals before it, one with the least sum is best.
  > then minimize count of ask

then maximize:
  Among the answers that are best for the goals before it, one with the greatest sum is best.
  > then maximize w of pack

up to:
  Answers that a symmetry carries into each other count as one.
  > up to symmetries(box(8, 8))

answers by:
  Answers that agree in these families count as one.
  > answers by cut

show:
  How an answer is drawn: these values at the places of each choice that is taken.
  > show d of place at r, c

print:
  What is printed on the board whatever the answer.
  > print clue[r, c] at r, c for (r, c) in clue

outline:
  Lines between places with unlike values, which the data say, or the answer.
  > outline region[r, c] for (r, c) in region

expect:
  What the model promises; `covr test` checks it.
  > expect 92 solutions with n = 8

if: if F(x) and not G(x) then some H(y) and exactly 2 K(y) …   if COND then EXPR else EXPR
  As a statement: whenever F(x) is taken, at least one of the choices after `then` is taken, too; after `then all`, all
  of them are, after `then no` or `then not`, none, and after `then exactly 2`, `at least 2` or `at most 2`, so many.
  In an expression: one of two values.
  > if work(p, d, "night") then not work(p, d + 1, "early")

if and only if:
  What stands before `then` and what stands after it are true together, or false together.
  > if and only if lamp(r) then some lit(r, c) for c in 1..9

all: if F(x) then all G(y)
  After `then`: all of these choices are taken. A choice that does not exist does not count.
  > if look() then all white(x) for x in 1..3

some: if F(x) then some G(y)
  After `then`: at least one of these choices is taken.
  > if look() then some white(x) for x in 1..3

then: if F(x) then G(y)   if COND then EXPR else EXPR
  After it stand the choices of which at least one is taken, too (with `all`, all; with `no` or `not`, none; with
  `exactly`, `at least` or `at most`, so many), or the value if the condition is true.
  > let more(k) = if k > 3 then 1 else 0

else: if COND then EXPR else EXPR   show … else "…"
  In an expression: the value if the condition is false. In `show`: what stands where no choice is taken.
  > show "Q" of queen at r, c else "."

per: … per KEYS
  A rule holds for each value of the keys. A key is an index, `x in SET`, or an expression over the indices, by
  whose value the choices are grouped.
  > exactly one place per band(r), band(c), d

where: … where COND
  Only what makes the condition true counts, or is meant.
  > choose step(a, b) for a in 1..4, b in 1..4 where a < b

for: … for x in SET, (a, b) in SET
  Once for each member of the sets; a later set may use earlier names.
  > let squares = {x * x for x in 1..5}

in: x in SET
  After `for`, `per`, `cells` and `values`: x ranges over the members of the set. In a condition: whether x is a
  member of it.
  > choose ask(e) for e in experts

not in: x not in SET
  Whether x is no member of the set.
  > forbid sea(r, c) where (r, c) not in park

on: agree F on KEY = COLOUR   all different THING of F on SEEN
  Which colour each choice shows at which key; or what of the choices is compared.
  > agree write on (r, k) = w[k] for k in 1..3

of: total EXPR of F   EXPR of F   show VALUES of F
  The family whose choices are weighed, or drawn.
  > minimize price of buy

at: … at PLACE
  Where each choice stands: `at r, c`, or `at x where x in s` for choices that cover several places.
  > show d of place at r, c

as: show … as outline   print … as circle
  How it is drawn: `outline` (lines round the choices), `plain` (none), `dark` (filled squares), `line` (lines
  through the places), `lines` (as many as the text says), `circle`, `square`, `diamond`. What is printed can also be
  an `arrow` or a `bulb` through a list of places.
  > show k of cover at x where x in s as outline

from: path F along ENDS from A to B
  Where a path begins: a place, or one of the places in a set.
  > path draw along e from entry to exit

to: path F along ENDS from A to B
  Where a path ends: a place, or one of the places in a set.
  > path draw along e from entry to exit

through: path F along ENDS from A to B through LIST
  Places that the path passes, in the order of the list.
  > path draw along e from entry to exit through [(1, 2), (3, 1)]

between: paths F along ENDS between PLACES
  Where the paths end: one at each of these places, and at no other.
  > paths draw along e between cells(clue)

crossing: loop F along ENDS crossing at PLACES
  Places at which two straight lines may cross, and none turns.
  > loop draw along e crossing at ice

corners: connected F at PLACE with corners
  Squares touch, too, if they have a corner in common.
  > connected dark at x with corners

along: connected … along PAIRS   loop F along ENDS   loop F along A -> B
  In `connected`, `tree … at` and `forest … at`: the pairs of places that touch. Elsewhere: the two ends that each
  choice joins, or the place from which it leads and the one to which.
  > loop draw along e

per area of: exactly N F per area of G at PLACE
  A rule for each area: the largest pieces that hang together of the places where taken choices of G stand. A choice
  counts where its place is in the area.
  > exactly d number per area of number at x per d

per area by: exactly N F per area by WALL at PLACE
  The same for the areas of a `divide`.
  > exactly one star per area by wall at x

per stretch of: exactly N places per stretch of F in SET
  A rule for each of the longest pieces of the lines of F, or of those within SET. It counts their `places`, or their
  lines, F.
  > exactly clue[k] places per stretch of step in land holding k per k in clue

per straight stretch of: exactly N F per straight stretch of F
  The same for the longest straight pieces.
  > exactly clue[k] draw per straight stretch of draw holding k per k in clue

by: divide PLACES by WALL along PAIR
  The family whose choices are the walls of the division.
  > divide board by wall along e

holding: … per area of G at PLACE holding KEY
  Only for the area that holds this place; where there is none, the rule says nothing.
  > exactly clue[k] island per area of island at x holding k per k in clue

touching: … per area of G at PLACE touching KEY
  For all areas together that hold a neighbour of this place.
  > exactly clue[k] shade per area of shade at x touching k per k in clue

total: exactly N total EXPR of F
  Each choice counts for the value of the expression instead of 1, which may use the keys. It is a whole number and may
  be negative.
  > exactly 15 total d of place per r

with: expect … with NAME = VALUE
  The promise concerns the model with these params.
  > expect 4 solutions with n = 6

plain: show … as plain
  Choices that cover several places are drawn without lines round them.
  > show d of place at r, c as plain

dark: show … as dark
  The squares are filled; texts other than `#` stand on them.
  > show "#" of shade at r, c as dark

line: show … as line
  A line is drawn between the two places of each choice, or, if it has more, between those that touch.
  > show e of draw at x where x in e as line

lines: show … as lines
  As many lines side by side as the number says, between the places of each choice: the bridges of a hashi.
  > show k of bridge at x where x in e as lines

circle: show … as circle   print … as circle
  The text stands in a circle; the name of a colour fills it.
  > print 3 at r, c as circle

square: show … as square   print … as square
  The text stands in a square; the name of a colour fills it.
  > show colour of face at r, c as square

diamond: show … as diamond   print … as diamond
  The text stands in a diamond; the name of a colour fills it.
  > print "" at r, c as diamond

arrow: print … at LIST as arrow
  A line through a list of places, from a circle to an arrow's head.
  > print "" at [(1, 1), (2, 2), (3, 3)] as arrow

bulb: print … at LIST as bulb
  A broad line through a list of places that begins with a disc: a thermometer.
  > print "" at t for t in bulbs as bulb

unique: expect unique
  There is exactly one answer.
  > expect unique

cost: prefer RULE cost EXPR
  What a wish costs for each unit by which it is broken: a whole number, which may depend on the keys.
  > prefer at most 2 work per p where s = 3 cost 4

no: expect no solution   if F(x) then no G(y)
  There is no answer. After `then`: none of these choices is taken.
  > expect no solution with n = 3

minimum: expect minimum N
  The best value is N.
  > expect minimum 2

maximum: expect maximum N
  The best value is N, in a model that maximizes.
  > expect maximum 12

solution: expect N solutions
  How many answers there are.
  > expect 1 solution

solutions: expect N solutions
  How many answers there are.
  > expect 92 solutions

answer: expect N answers
  How many answers there are.
  > expect 1 answer

answers: expect N answers
  How many answers there are.
  > expect 12 answers

and: A and B   if F(x) and G(x) then …
  Both conditions are true, or both choices are taken.
  > let both(a, b) = a > 0 and b > 0

or: F or G   A or B
  Between families: the choices of both are counted together; after `then`: one of the choices is enough. Between
  conditions: at least one of them is true.
  > exactly one put or hole per x in park

not: not A   if not F(x) then …   then not G(y)
  The condition is false, or the choice is not taken. After `then`: none of the choices is taken.
  > let odd(a) = not a mod 2 = 0

div: a div b
  Whole division, rounded down: `7 div 2` is 3, and `-7 div 2` is -4.
  > let band(i) = (i - 1) div 3

mod: a mod b
  What whole division leaves: `7 mod 2` is 1, and so is `-7 mod 2`.
  > let light(r, c) = (r + c) mod 2

true: true
  The value of a condition that holds.
  > let yes = true

false: false
  The value of a condition that does not hold.
  > let no = false

one: one
  The number 1.
  > exactly one place per r, c

fixed: fixed
  Pieces lie as they are drawn.
  > let lie = placements(p, park, fixed)

onesided: onesided
  Pieces may be turned, but not turned over.
  > let lie = placements(p, park, onesided)

free: free
  Pieces may be turned and turned over.
  > let lie = placements(p, park, free)

count: minimize count of F
  How many choices of the family are taken.
  > minimize count of ask
"""
PARAGRAPH = re.compile(
    r"^(?P<word>[a-z ]+):(?P<form>[^\n]*)\n(?P<text>(?:  [^>\n][^\n]*\n)+)  > (?P<example>[^\n]+)", re.MULTILINE
)


@frozen
class WordMeaning:
    """A word of the language. form: what is written with it; text: what that means; example: a statement with it."""

    form: str
    text: str
    example: str


@cache
def meanings() -> dict[str, WordMeaning]:
    """The meaning of every word, by the word in small letters."""
    found = {}
    for match in PARAGRAPH.finditer(TEXT):
        word = match["word"]
        form = match["form"].strip() or FORMS[word.upper().replace(" ", "_")]
        found[word] = WordMeaning(form, " ".join(match["text"].split()), match["example"])
    return found


def meaning(terminal: str, word: str) -> WordMeaning | None:
    """What a word means that the grammar calls by a terminal's name; for a name, what covr itself means by it."""
    return meanings().get(word if terminal in ("NAME", "SHAPE") else terminal.lower().replace("_", " "))
