"""Packets on a picture of a network: where each is at a moment, evenly along its way; assets/network_time.js moves them."""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.contract.results import NetworkPicture
from frontend.figures.drawing import Entry, model_looks
from frontend.figures.numbers import si, time_scale
from frontend.theme import Scheme

FIRST_SHARE = 0.25  # of what is recorded: where the cursor stands at first
_SIZE_PX = 9


def packet_marks(
    picture: NetworkPicture, case: int, ways: list[list[tuple[float, float]]], scheme: Scheme
) -> tuple[Entry, dict[str, Any]]:
    """Return a trace with the packets of a case at the first moment, and what the browser needs to move them.

    Args:
        picture: with packets.
        case: the case.
        ways: the points of each of its routes, in pixels.
        scheme: light or dark.
    """
    packets, looks = picture.packets[case], model_looks(picture.streams, scheme)
    scale = time_scale([picture.shown_s])
    facts = {
        "start": packets.start_s.tolist(), "end": packets.end_s.tolist(), "route": packets.route.tolist(),
        "stream": packets.stream.tolist(), "ways": [[[round(x, 1), round(y, 1)] for x, y in way] for way in ways],
        "fills": [look.fill for look in looks], "names": list(picture.streams), "shown": picture.shown_s,
        "per_second": scale.factor, "unit": scale.unit,
    }  # fmt: skip
    at = FIRST_SHARE * picture.shown_s
    here = np.flatnonzero((packets.start_s <= at) & (packets.end_s > at)).tolist()
    points = [
        _point(ways[int(packets.route[n])], float((at - packets.start_s[n]) / (packets.end_s[n] - packets.start_s[n])))
        for n in here
    ]
    marker = {
        "size": _SIZE_PX, "symbol": "square", "color": [looks[int(packets.stream[n])].fill for n in here],
        "line": {"width": 1, "color": looks[0].edge if looks else ""},
    }  # fmt: skip
    marks: Entry = {
        "type": "scatter", "mode": "markers", "x": [x for x, _ in points], "y": [y for _, y in points], "marker": marker,
        "text": [picture.streams[int(packets.stream[n])] for n in here], "hovertemplate": "%{text}<extra></extra>",
    }  # fmt: skip
    return marks, facts


def packets_sentence(picture: NetworkPicture) -> str:
    """Return a sentence on the packets and their streams."""
    counts = ", ".join(
        f"{len(packets.start_s)} {case.lower()}" for case, packets in zip(picture.cases, picture.packets, strict=True)
    )
    return f"Packets that start within {si(picture.shown_s, 's')}: {counts}."


def _point(way: list[tuple[float, float]], share: float) -> tuple[float, float]:
    """Return the point at a share of the path."""
    x, y = np.array(way).T
    behind = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    at = share * behind[-1]
    return float(np.interp(at, behind, x)), float(np.interp(at, behind, y))
