"""Ids of the comparison of a device's units on the page of a workload."""

from __future__ import annotations

from enum import StrEnum


class UnitIds(StrEnum):
    """Components of the tab; those ending in `_TYPE` are the `type` of pattern-matching ids."""

    SOC = "units-soc"
    CALIBRATION = "units-calibration"
    CLOCKS = "units-clocks"
    CLOCK_TYPE = "units-clock"
    SHOW = "units-show"
    FALLBACK = "units-fallback"
    LEGEND = "units-legend"
    HEAT = "units-heat"
    GRAPH = "units-graph"
    TOTALS = "units-totals"
    OPERATION = "units-operation"
    DETAIL = "units-detail"
