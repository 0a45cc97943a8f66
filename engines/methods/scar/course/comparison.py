"""The comparison at the end of a run, and remarks on the search."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.chiplets.costs.scoring import COLUMNS
from engines.contract.results import Note, Result, Table, TableColumn
from engines.methods.scar.course.stages import Candidate


def run_results(
    named: Sequence[Candidate],
    scores: Sequence[Sequence[float]],
    best: tuple[float, float, float],
    notes: Sequence[str],
    exhausted: bool,
) -> tuple[Result, ...]:
    """Return the comparison at the end of a run, and remarks on the search."""
    values = np.array(scores).reshape(len(named), len(COLUMNS))
    labels = [candidate.title for candidate in named]
    edp = np.append(values[:, 2], best[2])
    comparison = Table(
        name="comparison",
        title="Named schedules and baselines",
        table_columns=(
            TableColumn("Schedule", (*labels, "Best of the search, each by itself")),
            TableColumn("Latency", np.append(values[:, 0], best[0]), "s"),
            TableColumn("Energy", np.append(values[:, 1], best[1]), "J"),
            TableColumn("Energy-delay product", edp, "J·s"),
            TableColumn("Energy-delay product over the best", edp / best[2]),
        ),
    )
    results: list[Result] = [comparison]
    if notes:
        results.append(Note("search-notes", "Search", " ".join(notes)))
    if exhausted:
        text = (
            "The mappings of the time windows allow no further combinations, so fewer schedules than requested "
            "were evaluated."
        )
        results.append(Note("search-exhausted", "Search", text))
    return tuple(results)
