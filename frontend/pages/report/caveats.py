"""Caveats of a run, from its own statements: its state, its result, and the certainty of its estimates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engines.contract.certainty import NumberCertainty
from engines.contract.quantities import Quantity
from frontend.designs.degenerate import remarks_on_result
from frontend.designs.run_designs import RunDesigns
from frontend.designs.run_words import dominated_sentence, other_version
from frontend.figures.numbers import in_sentence, percent
from frontend.pages.run.run_reader import curve_of
from webapp.comparisons.certainty import estimator_of
from webapp.runs.models import Run
from webapp.runs.results.summaries import caveat_texts

BAND_WORDS = "Error band, which holds 90 % of held-out measurements"


def caveats_of(run: Run, designs: RunDesigns) -> list[str]:
    """Return sentences, the weightiest first."""
    found = [*_state(run, designs), *_estimates(run, designs)]
    if not run.active and len(designs):
        curve = curve_of(run)
        found += [
            f"{words}." for words in remarks_on_result(designs, run.evaluations, curve.evaluations, curve.hypervolume)
        ]
    if len(designs) and (dominated_by_baselines := dominated_sentence(designs)):
        found.append(f"On the front, {dominated_by_baselines}.")
    return found


def _certainty_sentences(number: NumberCertainty, quantities: Sequence[Quantity]) -> str:
    """Return the sentences on the certainty of metrics, each with its error band."""
    titles = [each.title if at == 0 else in_sentence(each.title) for at, each in enumerate(quantities)]
    bands = [
        f"{in_sentence(each.title)} ×/÷ {each.certainty.factor:.2f}"
        for each in quantities
        if each.certainty and each.certainty.factor
    ]
    start = f"{' and '.join(titles)}: {number.sentence.removesuffix(number.band).rstrip()}"
    return f"{start} {BAND_WORDS}: {', '.join(bands)}." if bands else f"{' and '.join(titles)}: {number.sentence}"


def _state(run: Run, designs: RunDesigns) -> Iterator[str]:
    if run.status != "done":
        yield f"The run is {run.status}, {percent(run.fraction)} done: its designs may still improve."
    elif run.outcome == "infeasible":
        yield "No design can meet the limits."
    if not len(designs):
        yield "The run has no designs."
    if words := other_version(run):
        yield words


def _estimates(run: Run, designs: RunDesigns) -> Iterator[str]:
    """Yield the certainty of each objective, and the warnings of the run about its estimates."""
    if estimator_of(run) is None:
        yield "The cost model is unknown: this version of the engine is not installed."
        return
    alike: dict[NumberCertainty, list[Quantity]] = {}
    for quantity in designs.objectives:
        if quantity.certainty is not None:
            alike.setdefault(replace(quantity.certainty, factor=None), []).append(quantity)
    yield from (_certainty_sentences(number, quantities) for number, quantities in alike.items())
    yield from caveat_texts(run)
