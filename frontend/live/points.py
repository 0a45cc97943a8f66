"""Designs in a poll of a live run: the new ones since the last poll, and the resulting front.

The picture is extended in the browser; points that it has are never sent again.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from dash.development.base_component import Component

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.bounded_cache import BoundedCache
from frontend.designs.run_designs import RunDesigns
from frontend.ids.run import RunIds
from frontend.pages.asked_number import asked_number
from frontend.pages.run.front.choices import read_limits, read_region
from frontend.pages.run.front.short_list import read_ranking, short_list_words
from frontend.pages.run.header import progress_line
from frontend.pages.run.run_reader import designs_of_followed, open_run

if TYPE_CHECKING:
    from webapp.runs.results.live_changes import FollowedRun

# Of more new designs than this, a sample: a browser that fell behind must not be buried.
MOST_NEW = 3_000
# A second of thirty viewers with choices of their own is less than one.
PARTS_BYTES = 16 * 1024**2
# However short the texts are: keys take room, too.
MOST_PARTS = 2_000


_parts: BoundedCache[tuple[object, ...], str] = BoundedCache(MOST_PARTS, PARTS_BYTES, len)
# What the picture depends on, and what the lists beside it do; whatever else a browser may send is no part of it.
_OF_PICTURE = ("after", "x", "y", "limits", "lasso", "lists")
_OF_LISTS = ("rank", "design")


def shared_part(run: FollowedRun, asked: Mapping[str, str]) -> str:
    """Return `live_part` as JSON, made once for all who ask the same of the same designs; "{}" where the browser has them all.

    Args:
        run: as `open_followed` answers it: the reader has been asked for their right to see it.
        asked: as for `live_part`.
    """
    after = asked_number(asked.get("after"))
    stale = after is not None and _lists_are_stale(run, asked)
    if after is None or (after >= run.design_count and not stale):
        return "{}"
    asked = {**asked, "lists": "1" if stale else ""}  # told alike to all whose lists are stale, whatever they know
    stored = (run.pk, run.attempt, run.step_number, run.design_count, run.status)
    names = _OF_PICTURE + _OF_LISTS if asked.get("lists") else _OF_PICTURE
    return _parts.made((stored, *(asked.get(name, "") for name in names)), lambda: as_json(live_part(run, asked)))


def as_json(part: Mapping[str, Any]) -> str:
    """Return the text of what holds no arrays: Dash's own writer looks for them everywhere, which takes several times as long.

    Raises:
        TypeError: there is something in it that is neither plain nor a component.
    """
    return json.dumps(part, default=_component, separators=(",", ":"))


def _component(value: object) -> Any:
    if isinstance(value, Component):
        return value.to_plotly_json()
    raise TypeError(f"Numbers, texts and components can be sent. Got {type(value).__name__} instead.")


def live_part(run: FollowedRun, asked: Mapping[str, str]) -> dict[str, Any]:
    """Return the part of a poll's answer that moves the picture; nothing where there is nothing to extend.

    Args:
        run: the run.
        asked: of the query: `after`, how many designs the browser knows; `x`, `y`, `limits`, `lasso` as in the page's address;
            `lists`, whether short list, key figures and the best are wanted; `rank`, `design` for the list.
    """
    known, x, y = int(asked["after"]), asked.get("x", ""), asked.get("y", "")
    designs = designs_of_followed(run)
    if not 0 < known <= len(designs) or x not in designs.columns or y not in designs.columns:
        return {}
    found = _new_points(designs, known, x, y, asked) if known < len(designs) else {}
    return found | (_lists(run, designs, asked) if asked.get("lists") else {})


def _lists_are_stale(run: FollowedRun, asked: Mapping[str, str]) -> bool:
    """Return whether the front has changed since the lists of a browser were made, which says how many designs they tell of."""
    listed = asked_number(asked.get("lists"))
    return listed is not None and bool((designs_of_followed(run).front >= listed).any())


def _lists(run: FollowedRun, designs: RunDesigns, asked: Mapping[str, str]) -> dict[str, Any]:
    """Return the short list, key figures and the best design, all of the same designs."""
    limits, region = read_limits(asked.get("limits", ""), designs), read_region(asked.get("lasso"), designs)
    ranking = read_ranking(asked.get("rank", ""), designs)
    return {
        "words": short_list_words(designs, limits, region, ranking, asked_number(asked.get("design"))),
        "props": {RunIds.PROGRESS: progress_line(open_run(run.pk), designs)},
        "best": designs.first_choice,
        "listed": len(designs),
    }


def _new_points(designs: RunDesigns, known: int, x: str, y: str, asked: Mapping[str, str]) -> dict[str, Any]:
    limits, region = read_limits(asked.get("limits", ""), designs), read_region(asked.get("lasso"), designs)
    keep = designs.remaining(limits, region)
    numbers = known + np.flatnonzero(keep[known:] & designs.feasible[known:])
    if len(numbers) > MOST_NEW:
        numbers = np.sort(numbers[np.argpartition(designs.draw_order[numbers], MOST_NEW)[:MOST_NEW]])
    changed = bool((designs.front >= known).any())
    points = {"count": len(designs), "remain": int(keep.sum()), **_places(designs, numbers, x, y)}
    found: dict[str, Any] = {"points": points}
    front = _pair_front(designs, x, y) if changed else None
    if front is not None:
        found["front"] = {**_places(designs, front[keep[front]], x, y), "order": designs.front.tolist()}
    return found


def _places(designs: RunDesigns, numbers: IntArray, x: str, y: str) -> dict[str, Any]:
    return {
        "numbers": numbers.tolist(),
        "x": _packed(designs.columns[x][numbers]),
        "y": _packed(designs.columns[y][numbers]),
    }


def _packed(values: FloatArray) -> str:
    return base64.b64encode(values.astype("<f4").tobytes()).decode()


def _pair_front(designs: RunDesigns, x: str, y: str) -> IntArray | None:
    """Return the front over two objectives by ascending x; None where a column is no objective."""
    pair = [quantity for quantity in designs.objectives if quantity.name in (x, y)]
    if len(pair) < 2:
        return None
    front = designs.front_among(pair, designs.front)
    return front[np.argsort(designs.columns[x][front], kind="stable")]
