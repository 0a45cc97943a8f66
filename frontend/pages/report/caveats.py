"""What to keep in mind about a run, from what it says of itself: its state, its result, and how sure its estimates are."""

from __future__ import annotations

from collections.abc import Iterator

from frontend.designs.degenerate import remarks_on_result
from frontend.designs.run_designs import RunDesigns
from frontend.designs.run_words import dominated_sentence, other_version
from frontend.figures.numbers import in_sentence, percent
from frontend.pages.run.run_reader import curve_of
from webapp.comparisons.certainty import estimator_of
from webapp.runs.models import Run

_BASES = {
    "fitted": "its parameters were fitted to measurements of what it prices",
    "predicted": "it predicts, and was not fitted to what it prices here",
    "measured": "its figures are measured",
}


def caveats_of(run: Run, designs: RunDesigns) -> list[str]:
    """Sentences, the weightiest first."""
    found = [*_state(run, designs), *_estimates(run, designs)]
    if not run.active and len(designs):
        curve = curve_of(run)
        found += [
            f"{words}." for words in remarks_on_result(designs, run.evaluations, curve.evaluations, curve.hypervolume)
        ]
    if len(designs) and (dominated_by_baselines := dominated_sentence(designs)):
        found.append(f"Of the front, {dominated_by_baselines}.")
    return found


def _state(run: Run, designs: RunDesigns) -> Iterator[str]:
    if run.status != "done":
        yield f"The run is {run.status}, {percent(run.fraction)} done: what it finds may still get better."
    elif run.outcome == "infeasible":
        yield "No design can meet the limits that were set."
    if not len(designs):
        yield "It has no designs."
    if words := other_version(run):
        yield words


def _estimates(run: Run, designs: RunDesigns) -> Iterator[str]:
    """The cost model, and by which factor its estimates are expected to be off (one standard deviation)."""
    found = estimator_of(run)
    if found is None:
        yield "What gave its figures cannot be told any more."
        return
    yield f"Cost model: {found.words}; {_BASES[found.basis]}."
    for name, factor in found.error_factors.items():
        title = in_sentence(designs.quantity(name).title)
        yield f"Estimates of {title} may be off by a factor of {factor:.2f} either way (one standard deviation)."
    if not found.error_factors and found.basis != "measured":
        yield "How far its estimates may be off is not known: they were not compared with measurements."
