"""Ids of the dialog that scores a design of one's own."""

from __future__ import annotations

from enum import StrEnum


class OwnDesignIds(StrEnum):
    """Parts of the dialog, and the button that opens it."""

    OPEN = "own-design-open"
    DIALOG = "own-design"
    OF = "own-design-of"
    DECISION = "own-design-decision"
    RESET = "own-design-reset"
    SCORE = "own-design-score"
    WRITTEN = "own-design-written"
    STATE = "own-design-state"
    RESULT = "own-design-result"
