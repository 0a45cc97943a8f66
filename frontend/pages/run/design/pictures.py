"""Pictures of the selected design where its engine places nothing on chiplets: two, one above the other.

Chosen by the types of the design's results alone, in the order in which they say most of how a design differs from others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from engines.contract.results import Result
from frontend.results.registry import VIEWS, result_sentence, view_of
from frontend.results.view import CardPicture, CardRoom
from frontend.theme import Scheme

HEAD_PX = 30  # the name above a picture
_MOST_PICTURES = 2


@dataclass(frozen=True)
class Picture:
    """A picture of the card: its result, its plot, and its text alternative."""

    result: Result
    figure: go.Figure
    sentence: str


def design_pictures(results: Sequence[Result], scheme: Scheme, size: tuple[int, int]) -> tuple[Picture, ...]:
    """Return None, one or two pictures that together fill the card; `size` is its width and height in pixels."""
    width, height = size
    chosen = _chosen(results, width, height)
    heights = _heights([room for _, room in chosen], height - HEAD_PX * len(chosen))
    return tuple(_drawn(result, scheme, width, each) for (result, _), each in zip(chosen, heights, strict=True))


def on_card(results: Sequence[Result], size: tuple[int, int]) -> list[Result]:
    """Return the results that `design_pictures` shows."""
    return [result for result, _ in _chosen(results, *size)]


def _drawn(result: Result, scheme: Scheme, width: float, height: float) -> Picture:
    return Picture(result, _card_of(result).figure(result, scheme, width, height), result_sentence(result))


def _card_of(result: Result) -> CardPicture[Any]:
    card = view_of(result).card
    assert card is not None
    return card


def _chosen(results: Sequence[Result], width: float, height: float) -> list[tuple[Result, CardRoom]]:
    """Return the first result of each type, then further ones, as long as they fit."""
    wanted = _ordered(results, width, height)
    found: list[tuple[Result, CardRoom]] = []
    free = height
    for result in wanted:
        room = _card_of(result).room(result, width, height)
        if len(found) < _MOST_PICTURES and room.least + HEAD_PX <= free:
            found.append((result, room))
            free -= room.least + HEAD_PX
    return found


def _ordered(results: Sequence[Result], width: float, height: float) -> list[Result]:
    """Return results by type, the first of every type before the second of any; hardly readable ones at the end."""
    order = list(VIEWS)
    shown = [result for result in results if view_of(result).card is not None]
    place = {id(result): sum(type(other) is type(result) for other in shown[:at]) for at, result in enumerate(shown)}

    def key(result: Result) -> tuple[bool, int, int]:
        unread = not _card_of(result).reads_well(result, width, height)
        return unread, place[id(result)], order.index(type(result))

    return sorted(shown, key=key)


def _heights(rooms: Sequence[CardRoom], height: float) -> list[float]:
    """Return what is left beyond the least heights goes in equal parts to those that gain from it, then to the last."""
    heights = [room.least for room in rooms]
    left = height - sum(heights)
    growing = [at for at, room in enumerate(rooms) if room.most > room.least]
    while growing and left > 1:
        share = left / len(growing)
        for at in list(growing):
            more = min(share, rooms[at].most - heights[at])
            heights[at] += more
            left -= more
            if heights[at] >= rooms[at].most:
                growing.remove(at)
    if heights and left > 1:
        heights[-1] += left
    return heights
