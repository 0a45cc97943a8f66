from __future__ import annotations

import json
from typing import Any

from frontend.components.form import format_value
from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.pages.hardware_form.data import SOURCE, Mesh, cell_specs, figure_specs, value_at
from hardware.package.loader import builtin_hardware

BASE: dict[str, Any] = {**builtin_hardware()["simba-3x3-het-sides"], "slug": "mine"}


def key(**parts: Any) -> str:
    return json.dumps(parts, separators=(",", ":"), sort_keys=True)


def form(base: dict[str, Any], mesh: dict[str, Any], **changed: str) -> dict[str, Any]:
    """What the browser sends of an open form."""
    raw = {n: format_value(spec, value_at(base, n)) for n, spec in figure_specs().items() if n != SOURCE}
    raw |= {SOURCE: "assumed; chosen by ann"} | changed
    cell = Mesh.from_json(mesh).chosen.figures
    fields = {Ids.FIGURE_TYPE: raw, Ids.CELL_TYPE: cell, Ids.SIZE_TYPE: ("rows", "columns")}
    around = {
        f"{key(name=name, type=f'{id_type}-{part}')}.id": None
        for id_type, names in fields.items()
        for name in names
        for part in ("help", "field")
    }
    return around | {
        f"{Ids.BASE}.data": base,
        f"{Ids.MESH}.data": mesh,
        f"{Ids.SIDES}.value": ["left", "right"],
        f"{Ids.SCOPE}.value": "one",
        **{f"{key(name=name, type=Ids.FIGURE_TYPE)}.value": value for name, value in raw.items()},
        **{f"{key(name=n, type=Ids.CELL_TYPE)}.value": format_value(s, cell[n]) for n, s in cell_specs().items()},
        **{f"{key(name=name, type=Ids.SIZE_TYPE)}.value": "3" for name in ("rows", "columns")},
        **{f"{key(index=index, type=Ids.CHIPLET_TYPE)}.n_clicks": None for index in range(9)},
    }
