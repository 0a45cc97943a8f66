"""Ids of the Home page."""

from __future__ import annotations

from enum import StrEnum


class HomeIds(StrEnum):
    """Components of the Home page."""

    TEAM = "home-team"
    RUNS = "home-runs"
    TABLE = "home-table"
    FILTER = "home-filter"
    ENGINE = "home-engine"
    COMPARE = "home-compare"
    COMPARE_WORDS = "home-compare-words"
    FOLD = "home-fold"
    DIGEST = "home-digest"
    TICK = "home-tick"
    LOCATION = "home-location"
    QUESTION = "home-question"
    REFUSED = "home-refused"
    REPRODUCTIONS = "home-reproductions"
