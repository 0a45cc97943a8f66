"""Ids of the tab that says why a design is as good as it is."""

from __future__ import annotations

from enum import StrEnum


class WhyIds(StrEnum):
    """Components of the tab."""

    CHOSEN = "why-chosen"
    OF = "why-of"
    HOW = "why-how"
    AGAINST = "why-against"
    MADE_OF = "why-made-of"
    FOR = "why-for"
    TRY = "why-try"
    STOP = "why-stop"
    STOPPABLE = "why-stoppable"
    CHANGES = "why-changes"
    TALLY = "why-tally"
    TURN = "why-turn"
