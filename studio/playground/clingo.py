"""clingo of npm by the names of PyPI's `clingo`, as far as covr uses them: packed for the playground alone.

`npm_clingo` is npm's program (studio/src/playground/clingo.ts), which takes a whole program as text and returns once it
has ended. So each call begins anew with all rules, what it has learned is lost, and only a limit of conflicts ends it.
A call that goes on where such a limit ended the last one waits until it may take twice as many conflicts: so all calls
cost no more than twice the last. Of a model, only atoms of choices and facts can be read.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import npm_clingo

SATISFIABLE, EXHAUSTED = 10, 20  # what adds up to the number that it ends with; 0: a limit ended it without a model
ENDS = (0, SATISFIABLE, EXHAUSTED, SATISFIABLE + EXHAUSTED)  # any other one is an error
FULL = 33  # there was not enough memory
MODELS = 2  # models of the first call where all are wanted: is there another one? Each later call tells twice as many
MANY = 2**31  # conflicts that stand for any number


class Number(int):
    """A number within the name of an atom."""

    @property
    def number(self):
        """Its value."""
        return int(self)


class Function:
    """The name of an atom, of which covr reads its only argument."""

    def __init__(self, name, arguments):
        self.name, self.arguments = name, arguments


class Options(SimpleNamespace):
    """Options of the command line, by their names; a configuration has one solver, which takes the same."""

    def __iter__(self) -> Iterator["Options"]:
        yield self


class Control:
    """A program, and what it is asked."""

    def __init__(self, arguments, logger):
        (self._models,) = (word for word in arguments if word[0] != "-")
        given = (word.lstrip("-").replace("-", "_").partition("=") for word in arguments if word[0] == "-")
        options = Options(**{name: value for name, _, value in given})
        self.configuration = SimpleNamespace(solve=options, solver=options)
        self._count(0, 0)
        self._rules = ["asp 1 0 0"]
        self._shown = {}  # the names of atoms, or their numbers; of facts, none
        self._named, self._facts = {}, set()
        self._calls = 0
        self._last = None, 0  # what was asked last, and the conflicts after which a limit ended it
        self._saved = 0  # conflicts that were allowed since

    @contextmanager
    def backend(self):
        """What takes rules."""
        yield self
        self._last = None, 0

    def add_atom(self, symbol):
        """An atom with a name; where some have names, only these are read."""
        atom = len(self._named) + 1
        self._named[atom] = symbol
        return atom

    def add_rule(self, head, body=(), choice=False):
        """A rule."""
        if choice:
            self._shown |= dict.fromkeys(head)
        elif head and not body:
            self._facts.update(head)
        self._rules.append(f"1 {choice:d} {_counted(head)} 0 {_counted(body)}")

    def add_weight_rule(self, head, lower, body, choice=False):
        """A rule that holds where weights come to so much."""
        self._rules.append(f"1 {choice:d} {_counted(head)} 1 {lower} {_weighed(body)}")

    def add_minimize(self, priority, literals):
        """What an answer costs."""
        self._rules.append(f"2 {priority} {_weighed(literals)}")

    def add_project(self, atoms):
        """What tells answers apart."""
        self._rules.append(f"3 {_counted(atoms)}")

    def solve(self, assumptions=(), yield_=True, async_=True):
        """Search, once `resume` is called."""
        self._count(0, 0)
        return Call(self, tuple(assumptions))

    def run(self, assumed):
        """Search: the number that it ends with, and the models."""
        options = dict(vars(self.configuration.solve))
        most = options.pop("solve_limit", "umax").partition(",")[0]
        models = options.pop("models", self._models)
        flags = [] if options.pop("restart_on_model", None) is None else ["--restart-on-model"]
        allowed = MANY if most == "umax" else int(most)
        words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()] + flags
        asked = assumed, words
        again, before = self._last
        self._saved = allowed + (self._saved if again == asked else 0)
        if again == asked and self._saved < 2 * before:
            return 0, []
        if models == "0" and "opt_mode" not in options and "enum_mode" not in options:
            models = str(MODELS << min(self._calls, 20))
        self._calls += 1
        limit = [] if self._saved >= MANY else [f"--solve-limit={self._saved},umax"]
        code, told = npm_clingo.run(self._program(assumed), " ".join(["/dev/stdin --stats", *words, *limit, models]))
        if code == FULL:
            raise MemoryError("clingo")
        if code not in ENDS:
            raise RuntimeError(f"clingo ended with {code}: {told[-200:]}")
        return code, self._read(code, told, asked)

    def _program(self, assumed):
        """The program so far, as aspif."""
        shown = self._named or self._shown
        names = [f"4 {len(str(atom))} {atom} 1 {atom}" for atom in shown]
        return "\n".join([*self._rules, *names, f"6 {_counted(assumed)}", "0", ""])

    def _read(self, code, told, asked):
        spent, choices = (int(re.search(rf"^{what} *: (\d+)", told, re.M)[1]) for what in ("Conflicts", "Choices"))
        self._count(spent, choices)
        bounds = re.findall(r"^Progression : \[ *(-?\d+);", told, re.M)
        bounds += re.findall(r"^Optimization : (-?\d+)", told, re.M) if code == SATISFIABLE + EXHAUSTED else []
        if bounds:
            self.statistics["summary"] = {"lower": [max(map(int, bounds))]}
        self._last = (asked, spent) if code < EXHAUSTED and spent >= self._saved else (None, 0)
        self._saved = 0
        return [frozenset(map(int, line.split())) for line in re.findall(r"^Answer: .*\n(.*)", told, re.M)]

    def _count(self, conflicts, choices):
        self.statistics = {"summary": {}, "solving": {"solvers": {"conflicts": conflicts, "choices": choices}}}


class Call:
    """A search, which tells its models one after another."""

    def __init__(self, control, assumed):
        self._control, self._assumed = control, assumed
        self._code, self._models = None, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def resume(self):
        """Go on to the next model."""
        if self._code is None:
            self._code, self._models = self._control.run(self._assumed)
            self._models.reverse()
        self._now = self._models.pop() if self._models else None

    def wait(self, seconds):
        """It has come to something: it does not return before."""
        return True

    def model(self):
        """The next model; None at the end."""
        return None if self._now is None else Model(self._control, self._now)

    def get(self):
        """How it has ended."""
        found, ended = self._code % EXHAUSTED >= SATISFIABLE, self._code >= EXHAUSTED
        return SimpleNamespace(exhausted=ended, unsatisfiable=ended and not found)

    def core(self):
        """Assumptions that can't all hold: all of them, as it does not tell fewer."""
        return [*self._assumed]

    def cancel(self):
        """It is over already."""


class Model:
    """A model. taken: its atoms that are shown."""

    def __init__(self, control, taken):
        self._control, self._taken = control, taken

    def is_true(self, atom):
        """Whether it has an atom."""
        return atom in self._taken or atom in self._control._facts

    def symbols(self, shown):
        """The names of its atoms."""
        return [self._control._named[atom] for atom in sorted(self._taken)]


def _counted(numbers):
    return f"{len(numbers)} {' '.join(map(str, numbers))}" if numbers else "0"


def _weighed(pairs):
    return f"{len(pairs)} {' '.join([f'{literal} {weight}' for literal, weight in pairs])}" if pairs else "0"
