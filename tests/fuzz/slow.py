"""Models made to be slow, each in a few lines: no command may take long over any of them.

    python -m tests.fuzz.slow                          # every model by every command: an hour or more
    python -m tests.fuzz.slow --commands check,count   # these commands only
    python -m tests.fuzz.slow --models wish,tuples     # models whose names begin so
    python -m tests.fuzz.slow --random 40              # forty random models of all statements, a command each

With `--limit-time 2` a command that has this option ends within `LATE` seconds of CPU; the others end within `LONG`,
which is what docs/errors.md says of the steps that a model may take. It prints what took longer, and the longest. The
gate asks some of them how many steps of Python lie between two looks at the limits (test_slow.py).
"""

# ruff: noqa: E501 (a statement is a line here, as in a model)
from __future__ import annotations

import argparse
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.net.drawn import draw

LIMIT = 2  # seconds, of `--limit-time`
LATE = 3.0  # seconds of CPU that a command with this limit may take, start and end included
LONG = 20.0  # seconds of CPU that a command without a limit may take: a model is refused by then (E211), or compiled
ENDLESS = 120  # seconds of CPU after which a command is killed

LETTERS = "abcdefghijklmnop"


def _keys(number: int) -> str:
    return ", ".join(LETTERS[:number])


def _over(number: int, range_: str) -> str:
    return ", ".join(f"{name} in {range_}" for name in LETTERS[:number])


MODELS = {
    # products and joins
    "product of twelve": f"choose x({_keys(12)}) for {_over(12, '1..3')}\nexactly one x per {_keys(12)}\n",
    "product with a condition": "choose x(i, j, k) for i in 1..400, j in 1..400, k in 1..400 where i * j = k * k + 1\n"
    "at most one x\n",
    "product of sums": "choose x(i, j, k, m) for i in 1..70, j in 1..70, k in 1..70, m in 1..70 "
    "where i * i + j * j = k * k * m + 3\nat most one x\n",
    "keys that are sums": "choose x(i, j) for i in 1..900, j in 1..900\nat most one x per i * i + j * j\n",
    "keys beside": "cells k in 1..3000\nchoose x(i) for i in 1..3000\nexactly one x per k where i mod k = k div 2\n",
    "keys in a condition": "cells a, b, c in 1..140\nchoose x(i) for i in 1..20\n"
    "at most one x per a, b, c where (a * b + c) mod 20 = i\n",
    "keys of many places": "cells p, q in box(40, 40)\nchoose x(p)\nat most one x per p, q where q in neighbours(p)\n",
    "families joined": "cells i, j, k in 1..120\nchoose a(i, j)\nchoose b(j, k)\n"
    "at most one a or b per i, j, k where i + j = k\n",
    "many rules": "cells i in 1..20000\nchoose x(i)\n" + "at most one x per i\n" * 60,
    "many families": "cells i in 1..6000\n"
    + "".join(f"choose f{n}(i)\n" for n in range(20))
    + f"exactly one {' or '.join(f'f{n}' for n in range(20))} per i\n",
    "agree on everything": "choose x(i, j) for i in 1..400, j in 1..400\nagree x on k = (i * k + j) mod 7 for k in 1..20\n",
    "labels": 'cells i, j in 1..500\nchoose x(i, j)\nexactly one x per i   "{i} {[k for k in 1..500]}"\n',
    # implications
    "if with two": "cells e in 1..60\nvalues s in 1..60\nchoose at(e, s)\nexactly one at per e\n"
    "if at(a, s) and at(b, t) then at(a, t) for a in 1..60, b in 1..60, s in 1..60, t in 1..60 where a < b and s < t\n",
    "exams": "let pairs = {(a, b) for a in 1..60, b in 1..60 where a < b and (a * b) mod 7 = 1}\ncells e in 1..60\n"
    "values s in 1..60\nchoose at(e, s)\nchoose close(a, b) for (a, b) in pairs\nexactly one at per e\n"
    "if at(a, s) and at(b, t) then close(a, b) for (a, b) in pairs, s in 1..60, t in 1..60 where s - 2 <= t <= s + 2\n",
    "if and only if": "cells i, j in 1..90\nchoose a(i, j)\nchoose b(i, j)\n"
    "if and only if a(i, j) and not a(j, i) then some b(k, m) for k in 1..90, m in 1..90 where k + m = i + j\n",
    "some of many": "cells i in 1..1500\nchoose a(i)\nif a(i) then some a(j) for j in 1..1500 where (i * j) mod 5 = 1\n",
    "not all": "cells i in 1..1200\nchoose a(i)\nif a(i) then not a(j) for j in 1..1200 where j > i\n",
    # wishes and costs
    "wishes by keys": "cells r in 1..1000\nchoose x(r)\nprefer exactly one x per k in 1..1000 where r != k cost 1\n",
    "wishes by pairs": "cells r, c in 1..60\nchoose x(r, c)\n"
    "prefer at most 2 x per k in 1..60, m in 1..60 where r + c != k + m cost 3\n",
    "wishes by implications": "cells i in 1..700\nchoose a(i)\n"
    "prefer if a(i) then some a(j) for j in 1..700 where j != i cost 2\n",
    "wishes by totals": "cells r in 1..1500\nchoose x(r)\nprefer at most 9 total r of x per k in 1..900 where r != k cost 1\n",
    "a goal by a recursion": "let f(n) = if n < 2 then n else f(n - 1) + f(n - 2)\nchoose x(i) for i in 1..40000\n"
    "exactly 3 x\nminimize f(i mod 24) of x\n",
    "goals in stages": "cells i in 1..3000\nchoose x(i)\nexactly 30 x\nminimize i * i mod 997 of x\n"
    "then minimize i mod 31 of x\nthen maximize i of x\n",
    # totals
    "a knapsack": "choose x(i) for i in 1..60\nexactly 4001 total i * i of x\nmaximize i * 37 mod 101 of x\n",
    "totals by keys": "cells i in 1..900\nchoose x(i)\nat most 400 total (i * k) mod 17 of x per k in 1..900\n",
    "large totals": "choose x(i) for i in 1..400\nexactly 123456789123 total i * 987654321 + i * i of x\n",
    "many sums": "choose x(i) for i in 1..3000\nexactly {k * k for k in 1..3000} total i of x\n",
    # tuples, subsets, lists and sets
    "tuples": "choose x(t) for t in tuples({-1, -2}, 14)\nexactly one x per t\n",
    "tuples with a sum": "choose x(t) for t in {t for t in tuples(0..9, 6) where sum(t) = 20}\nexactly one x\n",
    "permutations": "choose x(t) for t in permutations(1..9)\nexactly one x per t[1], t[2], t[3]\n",
    "subsets of pairs": "choose x(s) for s in subsets(1..22, 6)\nat most one x per p in subsets(s, 2)\n",
    "subsets that meet": "choose x(s) for s in subsets(1..15, 5)\nat most one x per t in subsets(1..15, 3) where size(s & t) > 1\n",
    "sets of sets": "let s = subsets(1..14, 7)\nchoose x(a) for a in s where size({b for b in s where size(a & b) = 3}) > 5\n"
    "exactly one x\n",
    "equal hashes": "choose x(t) for t in {i * 2305843009213693951 for i in 1..1000000}\nexactly one x\n",
    "equal hashes as keys": f"let s = {{-1, -2}}\nchoose x({_keys(15)}) for {_over(15, 's')}\nexactly one x per {_keys(15)}\n",
    "long lists": "let s = [i * i mod 1009 for i in 1..200000]\nchoose x(i) for i in 1..2000 where i in s\nexactly one x\n",
    "lists added": "let f(n) = if n = 0 then [] else f(n - 1) + [n]\nchoose x(i) for i in f(1500)\nexactly one x\n",
    # recursion
    "a slow recursion": "let f(n) = if n < 2 then n else f(n - 1) + f(n - 2)\nchoose x(i) for i in 1..40 where f(i + 5) > 1\n"
    "exactly one x\n",
    "Ackermann": "let a(m, n) = if m = 0 then n + 1 else if n = 0 then a(m - 1, 1) else a(m - 1, a(m, n - 1))\n"
    "choose x(i) for i in 1..a(3, 6)\nexactly one x\n",
    "a deep recursion": "let f(n) = if n = 0 then 0 else 1 + f(n - 1)\nchoose x(i) for i in 1..900 where f(i * 3) > 1\nexactly one x\n",
    "a count in a function": "let divisors(n) = size({d for d in 1..n where n mod d = 0})\n"
    "choose x(n) for n in 1..6000 where divisors(n) > 3\nexactly one x per divisors(n)\n",
    "primes": "let prime(n) = n > 1 and {d for d in 2..n - 1 where n mod d = 0} = {}\n"
    "choose x(n) for n in 1..4000 where prime(n)\nat most one x per n mod 10\n",
    "large numbers": "choose x(i) for i in 1..20000 where (7 ^ (i mod 3000)) mod 1000 = 7\nexactly one x\n",
    # texts
    "texts": 'let t = "abcdefghij" * 1000\nchoose x(i) for i in 1..10000 where t[i] = "c"\nexactly one x per t[i]\n',
    "texts compared": 'let t = [("a" * 900) + (if i mod 2 = 0 then "b" else "c") for i in 1..900]\n'
    "choose x(i, j) for i in 1..900, j in 1..900 where t[i] < t[j]\nat most one x\n",
    "texts cut": 'let w = "abracadabra" * 60\nchoose x(i, j) for i in 1..600, j in 1..600 where i < j and w[i] = w[j]\n'
    "at most one x per w[i], w[j], j - i\n",
    # placements, boards, lattices
    "placements": "let piece = {(1, 1), (1, 2), (1, 3), (2, 1), (3, 1)}\ncells x in box(60, 60)\n"
    "choose put(s) for s in placements(piece, box(60, 60))\nexactly one put per x where x in s\n",
    "many placements": "cells x in box(14, 14)\n"
    "choose put(n, s) for n in 1..12, s in placements({(1, k) for k in 1..n} | {(2, 1)}, box(14, 14))\n"
    "exactly one put per x where x in s\nat most one put per n\n",
    "large pieces": "choose put(s) for s in placements(box(30, 30) - {(5, 5)}, box(60, 60))\n"
    "at most one put per x in s\n",
    "neighbours of neighbours": "let b = box(30, 30)\nchoose x(p) for p in b\n"
    "at most 3 x per q in b where p in {n for m in neighbours(q), n in neighbours(m)}\n",
    "regions": "let b = box(50, 50)\nchoose x(p) for p in b\nexactly one x per k in 1..300 where (p[1] * p[2]) mod 300 = k - 1\n",
    # symmetries
    "up to pairs": "cells r, c in 1..9\nvalues d in 1..9\nchoose put(r, c, d)\nexactly one put per r, c\n"
    "exactly one put per r, d\nup to put(r, c, d) -> put(c, r, d)\nup to put(r, c, d) -> put(r, c, d mod 9 + 1)\n"
    "up to put(r, c, d) -> put(r mod 9 + 1, c, d)\n",
    "up to permutations": "cells i in 1..400\nchoose x(i, j) for j in 1..3\nexactly one x per i\n"
    "up to x(i, j) -> x(i mod 400 + 1, j)\nup to x(i, j) -> x(if i = 1 then 2 else if i = 2 then 1 else i, j)\n",
    "up to a slow map": "let f(n) = if n < 2 then n else f(n - 1) + f(n - 2)\ncells i in 1..3000\nchoose x(i)\nexactly 5 x\n"
    "up to x(i) -> x(if f(i mod 20) >= 0 then 3001 - i else i)\n",
    # connections and loops
    "connected": "cells r, c in 1..30\nchoose sea(r, c)\nexactly 400 sea\nconnected sea at r, c\n",
    "connected along": "let n = 300\nchoose x(i) for i in 1..n\nexactly 50 x\n"
    "connected x at i along {{a, b} for a in 1..n, b in 1..n where (a * b) mod 11 = 1 and a < b}\n",
    "a loop": "let p = box(14, 14)\nchoose d(e) for e in {{a, b} for a in p, b in neighbours(a) where b in p}\nloop d along e\n",
    "a tour": "let towns = 1..45\nchoose road(e) for e in subsets(towns, 2)\nexactly 2 road per t in towns where t in e\n"
    "loop road along e\nminimize (min(e) * 37 + max(e) * 91) mod 100 of road\n",
    "loops by keys": "choose d(k, e) for k in 1..30, e in subsets(1..20, 2)\nloop d along e per k\n",
    # searches without an end
    "queens": "cells r, c in 1..40\nchoose queen(r, c)\nexactly one queen per r\nexactly one queen per c\n"
    "at most one queen per r + c\nat most one queen per r - c\n",
    "pigeons": "choose sits(p, h) for p in 1..13, h in 1..12\nexactly one sits per p\nat most one sits per h\n",
    "pigeons at most": "choose sits(p, h) for p in 1..30, h in 1..14\nexactly 1 sits per p\nat most 2 sits per h\n",
    "a cover": "choose x(s) for s in subsets(1..13, 4)\nat least one x per t in subsets(1..13, 3) where t - s = {}\n"
    "minimize count of x\n",
    "answers by": "cells i in 1..60\nchoose a(i)\nchoose b(i)\nif a(i) then b(i)\nat least 20 b\nanswers by a\n",
}  # fmt: skip

SHORT = "limited"  # commands that have the option --limit-time
COMMANDS: dict[str, tuple[str, ...]] = {
    "check": ("check", "MODEL"),
    "convert": ("convert", "MODEL", "--to", "xcc"),
    "count": ("count", "MODEL", SHORT),
    "solve": ("solve", "MODEL", SHORT),
    "all": ("solve", "--all", "MODEL", SHORT),
    "why": ("why", "MODEL", SHORT),
    "hint": ("hint", "MODEL", SHORT),
    "make": ("make", "MODEL", SHORT),
    "grade": ("grade", "MODEL", SHORT),
    "trace": ("trace", "MODEL", SHORT),
    "spare": ("spare", "MODEL", SHORT),
    "candidates": ("candidates", "MODEL", SHORT),
    "sample": ("sample", "MODEL", SHORT),
    "size": ("size", "MODEL", SHORT),
    "show": ("show", "--plan", "MODEL", SHORT),
    "test": ("test", "MODEL", SHORT),
}


TIMES = 4, 15, 50, 200  # how much larger the numbers of a random model are made
NUMBERS = re.compile(r"(?<=[.][.])\d+|(?<=box\()\d+|(?<=box\(\d, )\d+")  # ends of ranges, and sizes of boxes


def widened(seed: int) -> str:
    """A random model of several kinds of statements, over larger sets than those that brute force can try."""
    times = random.Random(seed).choice(TIMES)
    return NUMBERS.sub(lambda number: str(int(number[0]) * times), draw(seed).text())


def arguments(command: str, path: str, limit: float) -> list[str]:
    """What is typed after `covr`. command: a key of `COMMANDS`."""
    words = [path if word == "MODEL" else word for word in COMMANDS[command]]
    return [*words[:-1], "--limit-time", str(limit)] if words[-1] == SHORT else words


def seconds(command: str, path: str, limit: float = LIMIT) -> tuple[float, int, str]:
    """The CPU time of a command, its exit code, and the first line that it says.

    A limit is one of real time. So what it has used by then counts as the limit, as on a machine with nothing else to
    do, and what it uses after that as it is.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    child = subprocess.Popen(
        [sys.executable, "-m", "covr", *arguments(command, path, limit)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (ENDLESS, ENDLESS)),
        env={**os.environ, "COLUMNS": "100"},
    )  # fmt: skip
    more = 0.0
    try:
        out, err = child.communicate(timeout=limit if COMMANDS[command][-1] == SHORT else None)
    except subprocess.TimeoutExpired:
        used = Path(f"/proc/{child.pid}/stat").read_text("ascii").rpartition(")")[2].split()[11:13]
        more = limit - sum(map(int, used)) / os.sysconf("SC_CLK_TCK")
        out, err = child.communicate()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    said = (err or out).strip().splitlines()
    return spent + more, child.returncode, said[0] if said else ""


def late(models: Mapping[str, str], commands: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """What takes longer than it may, or ends with a mistake. commands: which ones are asked of each model."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in models.items():
            path = Path(folder, "slow.cover")
            path.write_text(text, encoding="utf-8")
            for command in commands[name]:
                spent, code, said = seconds(command, str(path))
                most = LATE if COMMANDS[command][-1] == SHORT else LONG
                if spent > most or code < 0 or "mistake in covr" in said or "Traceback" in said:
                    yield f"{name} · {command}: {spent:.1f} s of CPU, exit code {code}: {said}"


def main() -> None:
    """Run what is asked for, and print what is late."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--commands", default=",".join(COMMANDS))
    parser.add_argument("--models", default="")
    parser.add_argument("--random", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1, help="of the first random model; the next has the next one")
    asked = parser.parse_args()
    every = asked.commands.split(",")
    seeds = range(asked.seed, asked.seed + asked.random)
    models = {f"random {seed}": widened(seed) for seed in seeds}
    commands = {f"random {seed}": [every[seed % len(every)]] for seed in seeds}
    if not asked.random:
        models = {name: text for name, text in MODELS.items() if name.startswith(tuple(asked.models.split(",")))}
        commands = dict.fromkeys(models, every)
    found = 0
    for line in late(models, commands):
        found += 1
        print(line, flush=True)
    print(f"{found} took too long")
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
