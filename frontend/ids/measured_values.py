"""Ids of the page that imports measured values."""

from __future__ import annotations

from enum import StrEnum


class ValuesIds(StrEnum):
    """Components of the page; those ending in `_TYPE` are the `type` of pattern-matching ids.

    `assets/measured_values.js` knows those of the file, the progress, the answer and the buttons.
    """

    FIELD_TYPE = "values-field"
    COLUMN_TYPE = "values-column"
    FILE = "values-file"
    PROGRESS = "values-progress"
    ANSWER = "values-answer"
    SAID = "values-said"
    RESULT = "values-result"
    SHOW = "values-show"
    AGAIN = "values-again"
    STORE = "values-store"
