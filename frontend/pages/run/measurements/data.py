"""Measured designs of a run as its front, its table and its tab show them. No components."""

from __future__ import annotations

from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, Literal

import numpy as np

from engines.search.rank_agreement import rank_agreement
from frontend.designs.run_designs import RunDesigns
from frontend.figures.front.front_measurements import MeasuredMark
from frontend.figures.numbers import in_sentence, many, percent, scale_of, si, significant
from frontend.request import current_user
from webapp.measuring.designs import MOST_DESIGNS, measurable_of
from webapp.measuring.measured_designs import MeasuredDesign, measured_designs

if TYPE_CHECKING:
    from webapp.runs.models import Run

_KEPT = "_measured"


def measured_of(run: Run) -> list[MeasuredDesign]:
    """Return the measured designs of a run; empty for engines whose designs cannot be executed on devices.

    Asked once for each row of the run.
    """
    found: list[MeasuredDesign] | None = run.__dict__.get(_KEPT)
    if found is None:
        asked = measurable_of(run) is not None
        found = run.__dict__[_KEPT] = measured_designs(current_user(), run) if asked else []
    return found


def turn_of(found: list[MeasuredDesign]) -> dict[str, int]:
    """Return what tells whether pages that show measured designs have news: how many wait, and how many were measured."""
    return {
        "waiting": sum(each.state == "waiting" for each in found),
        "pieces": sum(piece.latency is not None for each in found for piece in each.pieces),
        "asked": len(found),
    }


def front_numbers(designs: RunDesigns, most: int = MOST_DESIGNS) -> list[int]:
    """Return the designs of the front, at most `most` of them spread evenly along it by the first objective."""
    numbers = designs.front
    if len(numbers) > most:
        along = numbers[np.argsort(designs.columns[designs.objectives[0].name][numbers], kind="stable")]
        numbers = along[np.unique(np.linspace(0, len(along) - 1, most).round().astype(np.int64))]
    return sorted(int(number) for number in numbers)


def designs_words(count: int) -> str:
    """Return "1 design", "60 designs"."""
    return many(count, "design")


def predicted(run: Run, designs: RunDesigns, number: int) -> float:
    """Return the seconds that the run predicts of a design."""
    measurable = measurable_of(run)
    assert measurable is not None  # of others nothing is measured
    return float(designs.columns[measurable.column][number])


def predicted_for(run: Run) -> str:
    """Return the devices that the figures of the run are of: "Jetson TX2"."""
    devices = [item for item in run.listed_inputs if item.kind == "hardware"]
    return " and ".join(str(item.content.get("title") or item.slug) for item in devices)


def off_by(run: Run, designs: RunDesigns, each: MeasuredDesign) -> float | None:
    """Return the relative error of the prediction: (predicted - measured) / measured.

    None of another device or before it is measured.
    """
    if each.latency is None or not each.same_device:
        return None
    return predicted(run, designs, each.number) / each.latency.median_s - 1


def interval_words(each: MeasuredDesign) -> str:
    """Return the interval: "4.97 – 5.03 ms"; empty where there is none."""
    found = each.latency
    if found is None or found.low_s is None or found.high_s is None:
        return ""
    scale = scale_of([found.high_s], "s")
    ends = (significant(end * scale.factor, 4) for end in (found.low_s, found.high_s))
    return f"{' – '.join(ends)}\u00a0{scale.unit}"


def measured_marks(run: Run, designs: RunDesigns, x: str, y: str) -> list[MeasuredMark]:
    """Return the measured designs in a picture over two columns, one mark for each device and number of threads.

    Nothing where neither column is what machines measure.
    """
    measurable = measurable_of(run)
    if measurable is None or measurable.column not in (x, y):
        return []
    axis: Literal["x", "y"] = "x" if measurable.column == x else "y"
    other = designs.columns[y if axis == "x" else x]
    marks, device = [], predicted_for(run)
    places = list(dict.fromkeys(each.place for each in measured_of(run) if each.latency is not None))
    for each in measured_of(run):
        number = each.number
        if each.latency is None or number >= len(designs) or not np.isfinite(other[number]):
            continue
        value, beside = each.latency.median_s, float(other[number])
        title, foretold = designs.quantity(measurable.column).title, predicted(run, designs, number)
        words = [
            f"{title} {si(value, 's', 4)}" + (f" ({interval_words(each)})" if interval_words(each) else ""),
            f"predicted {si(foretold, 's', 4)}" + ("" if each.same_device else f" for {device}"),
            each.where,
        ]
        at = (value, beside) if axis == "x" else (beside, value)
        low, high, place = each.latency.low_s, each.latency.high_s, places.index(each.place)
        marks.append(MeasuredMark(number, *at, axis, foretold, low, high, words, place, each.where))
    return marks if len(places) > 1 else [replace(mark, label="") for mark in marks]


def summary(run: Run, designs: RunDesigns) -> list[str]:
    """Return the sentences on what was measured so far, by device."""
    places: dict[str, list[MeasuredDesign]] = {}
    for each in measured_of(run):
        if each.number < len(designs):
            places.setdefault(each.where, []).append(each)
    return [_of_place(run, designs, where, found) for where, found in places.items()]


def _of_place(run: Run, designs: RunDesigns, where: str, found: list[MeasuredDesign]) -> str:
    done = [each for each in found if each.latency is not None]
    words = f"{where}: {len(done)} of {designs_words(len(found))} measured"
    waiting = sum(each.state == "waiting" for each in found)
    if waiting:
        words += f", {designs_words(waiting)} {'waits' if waiting == 1 else 'wait'} for its agent"
    offs = [abs(off) for each in done if (off := off_by(run, designs, each)) is not None]
    if offs:
        several = f" in the median, {percent(max(offs), 1)} at most" if len(offs) > 1 else ""
        words += f"; prediction error {percent(median(offs), 1)}{several}"
    elif done:
        words += f"; predictions are for {predicted_for(run)}, so that the order counts, not the size"
    agreement = rank_agreement(
        [predicted(run, designs, each.number) for each in done],
        [each.latency.median_s for each in done if each.latency],
    )
    if agreement is not None:
        words += f"; both order designs alike with Kendall's τ = {agreement:.2f}"
    return f"{words}."


def left_words(found: list[MeasuredDesign]) -> str:
    """Return the sentence on the predicted part of measured latencies; "" without one."""
    words = sorted({each.rest_words for each in found if each.rest_words})
    return f"Still predicted: {in_sentence('; '.join(words))}." if words else ""
