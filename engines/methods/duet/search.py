"""The search: every design is evaluated, those on the front and a sample of the others are kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray, IntArray
from engines.contract.designs import Designs
from engines.contract.engine import Step
from engines.contract.fronts.non_dominated import non_dominated, rounded
from engines.contract.integer_format import counted, many
from engines.contract.quantities import by_name
from engines.contract.results import Note
from engines.methods.duet.params import DuetParams
from engines.methods.duet.quantities import QUANTITIES, chosen_objectives
from engines.methods.duet.scoring import Row, Scorer
from engines.search.strategies import Search

_NEAREST = 1000  # designs of which one is nearest to the limits


def every_design(scorer: Scorer, search: Search[Row]) -> Iterator[Step]:
    """Evaluate all designs at once, which takes a second: nothing is kept to continue from."""
    record, genes = search.record, scorer.instance.space.every
    if record.context.stop_requested():
        return
    columns = scorer.columns(genes)
    slack, at = record.slack(columns), record.scored(len(genes))
    front = front_of(columns, slack >= 0, scorer.instance.params)
    kept = front | record.sampled(0, len(genes), len(genes))
    record.add(_evaluated(search, genes[kept]), at=at[kept])
    if not front.any():
        unmet = record.unmet(_evaluated(search, genes[np.argsort(-slack, kind="stable")[:_NEAREST]]))
        assert unmet is not None  # as no design is within the limits
        yield record.infeasible(unmet)
        return
    count = counted(int(front.sum()))
    text = (
        f"All {counted(len(genes))} designs were evaluated and compared. In the stated model no design dominates "
        f"the {count} on the front."
    )
    search.results = (Note("proof", "How good these designs are for certain", text, role="proof"),)
    search.words = f"{many(len(genes), 'design')} evaluated, {count} on the front"


def front_of(columns: Mapping[str, FloatArray], allowed: BoolArray, params: DuetParams) -> BoolArray:
    """Return a mask of the feasible designs that no other feasible one dominates, the first of equal ones; shape `n`."""
    names = chosen_objectives(params)
    matrix = np.column_stack([columns[name] for name in names])
    known = by_name(QUANTITIES)
    found: BoolArray = np.zeros(len(matrix), dtype=bool)
    rows = np.flatnonzero(allowed)
    if len(rows):
        best = rows[non_dominated(matrix[rows], [known[name].sense for name in names])]
        found[best[np.unique(rounded(matrix[best]), axis=0, return_index=True)[1]]] = True
    return found


def _evaluated(search: Search[Row], genes: IntArray) -> Designs:
    return search.evaluate([tuple(row) for row in genes.tolist()])
