"""Ids of the tab in which figures of the hardware are moved."""

from __future__ import annotations

from enum import StrEnum


class WhatIfIds(StrEnum):
    """Components of the tab."""

    SLIDER_TYPE = "what-if-slider"
    FIGURE_TYPE = "what-if-figure"
    BACK_TYPE = "what-if-back"
    VALUE_TYPE = "what-if-value"
    FIGURES = "what-if-figures"
    RESET = "what-if-reset"
    KEEP = "what-if-keep"
    KEPT = "what-if-kept"
    POSITION = "what-if-position"
    TOGETHER = "what-if-together"
    MOVED = "what-if-moved"
    ANSWERED = "what-if-answered"
    DRAWN = "what-if-drawn"
    FRONT = "what-if-front"
    FRONT_WORDS = "what-if-front-words"
