"""Values of a calibration that a what-if analysis can change: launch times, transfer times, and the active power of each unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hardware.movable import Movable, at_key, scaled
from hardware.value_edits import with_values

_FIGURES = {
    "launch_us": ("launch", "launch time per operator", "µs"),
    "base_power_w": ("power", "power while it works", "W"),
}
_HANDOVER = "handover_us"


def calibration_figures(content: Mapping[str, Any]) -> tuple[Movable, ...]:
    """Return the figures of a document of the schema `soc-calibration/1`."""
    return tuple(_figures(content))


def calibration_with(content: Mapping[str, Any], values: Mapping[str, Any], source: str) -> dict[str, Any]:
    """Return a copy with other parameter values, which count as assumed; its measurements no longer support it."""
    changed = with_values({**content, "sources": {}}, values, source)
    del changed["sources"]
    for key in values:
        parameter = at_key(changed, key.rpartition(".")[0])
        parameter |= {"role": "assumed", "note": source}
    return {**changed, "rows": [], "errors": {}}


def _figures(content: Mapping[str, Any]) -> Iterator[Movable]:
    for place, parameter in enumerate(content["parameters"]):
        unit, _, figure = parameter["name"].rpartition(".")
        key = f"parameters.{place}.value"
        if figure in _FIGURES and unit in content["covered"] and parameter["value"]:
            name, words, symbol = _FIGURES[figure]
            title = unit.upper() if len(unit) < 4 else unit.capitalize()
            yield scaled(f"{name}-{unit}", f"{title}: {words}", symbol, content, key)
        elif parameter["name"] == _HANDOVER and parameter["value"]:
            yield scaled("hand-over", "Transition between units", "µs", content, key)
