"""Ids of the page of the workers."""

from __future__ import annotations

from enum import StrEnum


class WorkersIds(StrEnum):
    """Components of the page. `ACTION_TYPE`: type of the ids of the buttons of a worker."""

    BODY = "workers-body"
    TICK = "workers-tick"
    ACTION_TYPE = "workers-action"
