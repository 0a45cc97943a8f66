"""Measurements as columns of the table of designs, next to the predicted one: sorted, filtered and chosen as any other."""

from __future__ import annotations

import numpy as np

from engines.contract.quantities import Quantity
from frontend.designs.run_designs import Beside, RunDesigns
from frontend.pages.run.measurements.data import measured_of
from webapp.measuring.designs import measurable_of
from webapp.measuring.measured_designs import MeasuredDesign
from webapp.measuring.places import Place
from webapp.runs.models import Run


def with_measured(run: Run, designs: RunDesigns) -> RunDesigns:
    """Return designs with three columns for each place where some of them were measured: median, and the ends of its interval."""
    measurable = measurable_of(run)
    if measurable is None:
        return designs
    places: dict[Place, list[MeasuredDesign]] = {}
    for each in measured_of(run):
        if each.latency is not None and each.number < len(designs):
            places.setdefault(each.place, []).append(each)
    predicted, single = designs.quantity(measurable.column), len(places) == 1
    found: dict[str, list[Beside]] = {}
    for place, measured in places.items():
        name = column_of(place)
        while name in found:  # devices of two projects may have one name
            name += "-2"
        found[name] = _columns(name, predicted, place, measured, len(designs), single)
    return designs.with_besides([beside for each in found.values() for beside in each])


def column_of(place: Place) -> str:
    """Return the name of the column of a place: "measured.bench-box.2"; with the provider where it is not the processor."""
    elsewhere = "" if place.device is not None else ".elsewhere"
    provider = "" if place.on_processor else f".{place.provider_words}"
    return f"measured.{place.slug}.{place.threads}{provider}{elsewhere}"


def _columns(
    name: str, predicted: Quantity, place: Place, measured: list[MeasuredDesign], count: int, single: bool
) -> list[Beside]:
    """Return the columns of a place; of the only one the interval is shown, of several it can be chosen."""
    values = np.full((3, count), np.nan)
    for each in measured:
        if each.latency is not None:
            ends = (each.latency.median_s, each.latency.low_s, each.latency.high_s)
            values[:, each.number] = [np.nan if end is None else end for end in ends]
    where = place.words
    help_words = f"{predicted.title}, measured on {place.words}: {place.machine}."
    told = (
        ("", f"Measured, {where}", help_words, True),
        (".from", f"From, at 95 %, {where}", f"Lower end of the interval. {help_words}", single),
        (".to", f"To, at 95 %, {where}", f"Upper end of the interval. {help_words}", single),
    )
    return [
        Beside(Quantity(f"{name}{end}", title, predicted.unit, help=words), predicted.name, row, usual)
        for (end, title, words, usual), row in zip(told, values, strict=True)
    ]
