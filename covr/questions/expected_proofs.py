"""`covr test --proof`: a proof for each `expect` line that is kept, written and then checked (proof_check.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covr.engine import Limits
from covr.engine.base.status import Status
from covr.engine.proofs.logged import ProofLog
from covr.frozen import frozen
from covr.questions.proof_check import check_proof_file, read_problem
from covr.questions.proof_file import numbered_file, problem_file, proof_refusal, write_proof

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.run import Run

BEST = ("minimum", "maximum")


@frozen
class ExpectedProof:
    """The proof of an `expect` line. done: whether the promise is proved, and the proof was checked; None where no
    proof can be written.  words: which file it is, or why there is none."""

    done: bool | None
    words: str


@frozen
class ProofWriter:
    """Writes the proofs. path: of the first, whose name the others have with numbers.  size: characters of a proof at
    most.  limits: of the search for each."""

    path: str
    size: int
    limits: Limits

    def prove(self, compiled: Compiled, kind: str, run: Run, number: int) -> ExpectedProof:
        """Prove the promise of an `expect` line which the run has found to be kept. number: which proof it is, from
        1. Raises ModelErrors E508 for a file that can't be written."""
        from covr.compiler.formats.opb import pseudo_boolean

        counted = kind in ("solutions", "unique")
        reason = proof_refusal(compiled, counted)
        if reason is None and compiled.goal is not None and counted:
            reason = "no proof can be written of how many answers have the best value"
        if reason is not None:
            return ExpectedProof(None, reason)
        path = numbered_file(self.path, number)
        log = ProofLog(pseudo_boolean(compiled.problem), self.limits, self.size)
        known = run.best.answer if kind in BEST and run.best is not None else None
        write_proof(compiled, path, log, known)
        checked = check_proof_file(read_problem(problem_file(path)), path)
        if log.status is not Status.EXHAUSTED:
            return ExpectedProof(False, f"{path} is unfinished: a limit was reached")
        shown = checked.shown
        right = {"minimum": "bounds", "maximum": "bounds", "none": "unsat"}.get(kind, "all" if log.answers else "unsat")
        assert shown.kind == right and shown.answers == (log.answers if right == "all" else shown.answers)
        assert right != "bounds" or shown.least == shown.most == log.best
        assert kind != "unique" or shown.answers == 1
        return ExpectedProof(True, f"{path} shows it in {shown.steps} lines")
