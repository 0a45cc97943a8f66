"""Ids of the tab of measured designs, and of what tells the front that some were measured."""

from __future__ import annotations

from enum import StrEnum


class MeasuredIds(StrEnum):
    """Components; `FOUND_TYPE` is the `type` of a pattern-matching id, as its component is there with the tab alone."""

    TURN = "measured-turn"
    EVERY = "measured-every"
    WHICH = "measured-which"
    PLACES = "measured-places"
    MEASURE = "measured-measure"
    TOLD = "measured-told"
    FOUND_TYPE = "measured-found"
