"""Ids of the page of devices."""

from __future__ import annotations

from enum import StrEnum


class DevicesIds(StrEnum):
    """Components of the page; `ACTION_TYPE`, `NETWORKS_TYPE` and `BOARD_TYPE` are `type`s of pattern-matching ids."""

    CONTENT = "devices-content"
    ACTION_TYPE = "devices-action"
    NETWORKS_TYPE = "devices-networks"
    BOARD_TYPE = "devices-board"
