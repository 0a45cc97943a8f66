"""Ids of the page of measured and predicted language models."""

from __future__ import annotations

from enum import StrEnum


class LanguageModelIds(StrEnum):
    """Components of the page."""

    ASKED = "language-models-asked"
    PICTURE = "language-models-picture"
