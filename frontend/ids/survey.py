"""Ids of the survey of devices, and of the field that leads to it."""

from __future__ import annotations

from enum import StrEnum


class SurveyIds(StrEnum):
    """Components of the field, on Home and on the page itself, and of what the survey found."""

    LOCATION = "survey-location"
    NETWORK = "survey-network"
    ASKED = "survey-asked"
    FOUND = "survey-found"
    SHOW = "survey-show"
    BITS = "survey-bits"
    MODE = "survey-mode"
    GRAPH = "survey-graph"
    PROMPT = "survey-prompt"
    ANSWER = "survey-answer"
    CACHE_BITS = "survey-cache-bits"
