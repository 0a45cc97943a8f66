"""Schedules that differ from one by a single change: a segment on another chiplet, two segments swapped, a cut moved."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from engines.contract.designs import Decision


def neighbouring_schedules(decision: Decision, chiplets: int) -> Iterator[dict[str, Any]]:
    """Yield the moves to chiplets that the window leaves idle, cuts between segments one layer earlier or later, then swaps.

    Some of them break a rule of the package, such as which chiplets are neighbours; `Engine.evaluate` refuses these.

    Args:
        decision: decision of a valid schedule.
        chiplets: number of chiplets of the package.
    """
    yield from _moved(decision, chiplets)
    yield from _cut(decision)
    yield from _swapped(decision)


def _placed(decision: Decision) -> Iterator[tuple[int, int, Mapping[str, Any]]]:
    for window, each in enumerate(decision["windows"]):
        for model, placed in enumerate(each["models"]):
            yield window, model, placed


def _moved(decision: Decision, chiplets: int) -> Iterator[dict[str, Any]]:
    for window, model, placed in _placed(decision):
        taken = {chiplet for each in decision["windows"][window]["models"] for chiplet in each["path"]}
        for segment in range(len(placed["path"])):
            for chiplet in range(chiplets):
                if chiplet not in taken:
                    changed = _copy(decision)
                    changed["windows"][window]["models"][model]["path"][segment] = chiplet
                    yield changed


def _cut(decision: Decision) -> Iterator[dict[str, Any]]:
    """Yield the schedules with one cut moved by one layer.

    A cut is the layer before which a segment ends; the last cut of a window stays.
    """
    for window, model, placed in _placed(decision):
        cuts = [placed["first_layer"], *placed["cuts"]]
        for at in range(1, len(cuts) - 1):
            for cut in (cuts[at] - 1, cuts[at] + 1):
                if cuts[at - 1] < cut < cuts[at + 1]:
                    changed = _copy(decision)
                    changed["windows"][window]["models"][model]["cuts"][at - 1] = cut
                    yield changed


def _swapped(decision: Decision) -> Iterator[dict[str, Any]]:
    for window, each in enumerate(decision["windows"]):
        places = [(model, at) for model, placed in enumerate(each["models"]) for at in range(len(placed["path"]))]
        for number, (model, at) in enumerate(places):
            for other, place in places[number + 1 :]:
                changed = _copy(decision)
                models = changed["windows"][window]["models"]
                one, two = models[model]["path"], models[other]["path"]
                one[at], two[place] = two[place], one[at]
                yield changed


def _copy(decision: Decision) -> dict[str, Any]:
    return copy.deepcopy(dict(decision))
