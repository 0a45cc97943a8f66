"""A design edited by hand, move by move: its boards, its metrics, the effect of the moves, or why the last one is impossible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from engines.contract.designs import Decision
from engines.contract.edits import Edits
from engines.contract.engine import Engine, Problem
from engines.contract.errors import DecisionError
from engines.running.context import LocalContext
from engines.running.prepared_problems import ready_of
from engines.running.slack import evaluate_decisions
from engines.why.neighbours import change_words

Move = Sequence[str]  # names of a piece and of a place of its board


def edited(engine: Engine, problem: Problem, decision: Decision, moves: Sequence[Move]) -> Mapping[str, Any]:
    """Return the design after the moves, as JSON-able data; {"boards": None} where the engine lets nothing be moved.

    A move that is not possible is left out, with all after it, and `why_not` says what would be. `taken` is how many were
    possible, `told` what each of these changed, `change` what all of them did.

    Raises:
        DecisionError: the decision itself does not describe a design of the problem.
    """
    ready, context = ready_of(engine, problem), LocalContext(problem)
    edits = engine.edits(problem, ready, decision)
    if edits is None:
        return {"boards": None}
    reached: list[Decision] = [decision]
    why_not = ""
    for piece, place in moves:
        try:
            _require_on_board(edits, piece, place)
            after = edits.moved(piece, place)
            found = engine.edits(problem, ready, after)
        except DecisionError as error:
            why_not = _needs(error)
            break
        assert found is not None  # what may be moved stays so
        edits = found
        reached.append(after)
    try:
        designs = evaluate_decisions(engine, problem, [reached[-1]], context)
    except DecisionError as error:
        if len(reached) == 1:
            raise
        why_not = _needs(error)
        reached.pop()
        designs = evaluate_decisions(engine, problem, [reached[-1]], context)
        edits = engine.edits(problem, ready, reached[-1]) or edits
    told = [change_words(engine.decision_columns, before, after) for before, after in pairwise(reached)]
    return {
        "boards": [asdict(board) for board in edits.boards],
        "columns": {name: float(values[0]) for name, values in designs.columns.items()},
        "decision": dict(reached[-1]),
        "params": dict(edits.params),
        "taken": len(reached) - 1,
        "told": told,
        "change": change_words(engine.decision_columns, decision, reached[-1]) if told else "",
        "why_not": why_not,
    }


def _needs(error: DecisionError) -> str:
    """Return the accepted values of a refused move, with the reason if the error has one."""
    return f"{error.accepted} ({error.reason.rstrip('.')})" if error.reason else error.accepted


def _require_on_board(edits: Edits, piece: str, place: str) -> None:
    board = next((each for each in edits.boards if any(one.name == piece for one in each.pieces)), None)
    if board is None:
        raise DecisionError("piece", piece, "a piece of the design")
    if not any(one.name == place for one in board.places):
        raise DecisionError("place", place, f"a place of {board.title}")
