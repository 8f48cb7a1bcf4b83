"""HiGHS of npm by the names of PyPI's `highspy`, as far as covr uses them: packed for the playground alone.

`npm_highs` is the module of npm, which a worker fetches when this one is first imported (worker.ts).
"""

from array import array
from types import SimpleNamespace

import npm_highs
from js import Object
from pyodide.ffi import create_proxy, to_js

LOGGING, SIMPLEX, INTERIOR, IMPROVING, SEARCH = 0, 1, 2, 4, 6  # npm's numbers of callbacks


kHighsInf = float("inf")


class HighsVarType:
    """What a variable may be."""

    kInteger = 1


class MatrixFormat:
    """How a matrix is passed."""

    kRowwise = "csr"


class HighsModelStatus:
    """How a run has ended; any other number is no end."""

    kOptimal, kInfeasible, kUnboundedOrInfeasible = 7, 8, 9


class HighsLp:
    """A program, with the fields that are written into it."""

    def __init__(self):
        self.a_matrix_ = SimpleNamespace()


class Signal(list):
    """Functions that hear a callback."""

    def __iadd__(self, hear):
        self.append(hear)
        return self


class Highs:
    """A solver."""

    def __init__(self):
        self._model = npm_highs.createModel()
        self._raw = self._model.raw
        self.cbLogging, self.cbSimplexInterrupt, self.cbIpmInterrupt = Signal(), Signal(), Signal()
        self.cbMipImprovingSolution, self.cbMipInterrupt = Signal(), Signal()
        self._hear = create_proxy(self._heard)

    def __del__(self):
        self._model.dispose()  # no garbage collector does
        self._hear.destroy()

    def setOptionValue(self, name, value):
        """Set an option. A name or a value that HiGHS does not have is an error; it always has one thread."""
        if name != "threads" and self._raw.setOptionValue(name, value).status == -1:
            raise ValueError(f"HiGHS takes no {name} = {value}")

    def passModel(self, lp):
        """Take a program."""
        rows = lp.a_matrix_
        shape = {"numCols": lp.num_col_, "numRows": lp.num_row_}
        matrix = {
            "format": rows.format_, **shape,
            "starts": to_js(array("i", rows.start_)), "indices": to_js(array("i", rows.index_)),
            "values": to_js(array("d", rows.value_)),
        }  # fmt: skip
        numbers = {
            "colCost": lp.col_cost_, "colLower": lp.col_lower_, "colUpper": lp.col_upper_,
            "rowLower": lp.row_lower_, "rowUpper": lp.row_upper_,
        }  # fmt: skip
        program = {
            **shape, "matrix": matrix, "integrality": to_js(array("i", lp.integrality_)),
            **{name: to_js(array("d", values)) for name, values in numbers.items()},
        }  # fmt: skip
        if self._raw.passModel(to_js(program, dict_converter=Object.fromEntries)).status == -1:
            raise ValueError("HiGHS does not take the program")

    def run(self):
        """Solve."""
        hearers = self._hearers()
        self._raw.setCallback(self._hear)
        for kind, hear in hearers.items():
            if hear:
                self._raw.startCallback(kind)
        self._raw.zeroAllClocks()  # else a limit of time would be one of all runs together
        self._raw.run()

    def _hearers(self):
        return {
            LOGGING: self.cbLogging, SIMPLEX: self.cbSimplexInterrupt, INTERIOR: self.cbIpmInterrupt,
            IMPROVING: self.cbMipImprovingSolution, SEARCH: self.cbMipInterrupt,
        }  # fmt: skip

    def _heard(self, event):
        kind, data = event.type, SimpleNamespace()
        if kind == IMPROVING:
            data.mip_solution = event.data.mip_solution.to_py().tolist()
        elif kind == SEARCH:
            data.mip_dual_bound = event.data.mip_dual_bound
        message = event.message if kind == LOGGING else ""
        interrupt = event.interrupt if kind in (SIMPLEX, INTERIOR, SEARCH) else None
        for hear in self._hearers()[kind]:
            hear(SimpleNamespace(message=message, data_out=data, interrupt=interrupt))

    def getModelStatus(self):
        """How the run has ended."""
        return self._raw.getModelStatus()

    def modelStatusToString(self, status):
        """The same in words."""
        return f"status {status}"

    def getSolution(self):
        """The values of the variables and the prices of the rows."""
        found = self._raw.getSolution().value
        return SimpleNamespace(col_value=found.colValue.to_py().tolist(), row_dual=found.rowDual.to_py().tolist())

    def getInfo(self):
        """What the solution costs."""
        return SimpleNamespace(objective_function_value=self._raw.getObjectiveValue())

    def getDualRay(self):
        """Whether there are prices that prove that there is no solution, and these."""
        ray = getattr(self._raw.getDualRay(), "value", None)
        return 0, ray is not None, [] if ray is None else ray.to_py().tolist()

    def getDualRayExist(self):
        """Whether there are such prices."""
        return self.getDualRay()[:2]

    def clearSolver(self):
        """Forget what the last run has found."""
        self._raw.clearSolver()

    @staticmethod
    def resetGlobalScheduler(blocking):
        """Nothing to do: there are no threads."""
