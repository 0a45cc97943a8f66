"""Selects of clock frequencies, one per clock of a device."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import dash_mantine_components as dmc
from dash.development.base_component import Component

from engines.cost.soc.clocks import MEMORY, clock_names
from hardware.soc.model import Soc


def clock_select(
    soc: Soc, id_type: str, clocks_mhz: Mapping[str, float] | None = None, width: int | None = None
) -> Iterator[tuple[str, Component]]:
    """Name and select of every clock: a published step, or nothing for the highest.

    Args:
        soc: the device.
        id_type: type of the pattern-matching ids `{"type": id_type, "name": clock}`.
        clocks_mhz: chosen clocks in MHz, matched to the nearest step.
        width: width in pixels.
    """
    for name in clock_names(soc):
        steps = _steps(soc, name)
        if not steps:
            continue
        data = [f"{step / 1e6:.12g}" for step in reversed(steps)]
        given = (clocks_mhz or {}).get(name)
        nearest = min(steps, key=lambda step, mhz=given: abs(step - mhz * 1e6)) if given else None  # type: ignore[misc]
        control: Component = dmc.Select(
            id={"type": id_type, "name": name}, data=[{"value": text, "label": f"{text} MHz"} for text in data],
            value=None if nearest is None else f"{nearest / 1e6:.12g}", clearable=True, searchable=len(data) > 8,
            placeholder=f"{data[0]} MHz, highest", size="xs", w=width, **{"aria-label": f"Clock of {name}"},
        )  # fmt: skip
        yield name, control


def _steps(soc: Soc, name: str) -> Sequence[float]:
    if name == MEMORY:
        return soc.memory.known_clocks_hz if soc.memory else ()
    return soc.units[name].known_clocks_hz
