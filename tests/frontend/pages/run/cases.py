from __future__ import annotations

from typing import Any

from frontend.ids.run import RunIds
from frontend.ids.shell import ShellIds
from frontend.ids.why import WhyIds
from tests.frontend.conftest import Ask
from webapp.runs.models import Run

SELECTION = {"design": 3, "window": 0, "follow": False}


CHOICES = {"view": "2d", "x": "latency_s", "y": "energy_j", "z": "", "colour": "", "size": "", "log": "", "hidden": []}


def values(run: Run, **changed: Any) -> dict[str, Any]:
    base = {
        f"{RunIds.RUN}.data": run.pk,
        f"{RunIds.DATA}.data": {"count": run.design_count, "attempt": 1, "live": False, "seen": None},
        f"{RunIds.CHOICES}.data": CHOICES,
        f"{RunIds.REGION}.data": {},
        f"{RunIds.FRONT_ORDER}.data": [],
        f"{RunIds.RANKING}.data": {"by": "", "values": {}},
        f"{RunIds.SHORT_BY}.value": "",
        f"{RunIds.LIMITS}.data": {},
        f"{RunIds.SELECTION}.data": SELECTION,
        f"{RunIds.VIEW}.data": {},
        f"{RunIds.DECIDED}.data": {"of": "", "by": ""},
        f"{WhyIds.CHOSEN}.data": {"of": "", "how": "", "against": ""},
        f"{ShellIds.SCHEME}.data": "light",
        f"{ShellIds.VIEWPORT}.data": {"width": 1440, "height": 900},
    }
    return base | changed


def panel(ask: Ask, user: Any, run: Run, name: str, **given: Any) -> str:
    shown = f'{{"name":"{name}","type":"{RunIds.PANEL_TYPE}"}}'
    panels = {f"{shown}.id": None, f"{shown}.children": None}
    usual = {f"{RunIds.TAB}.data": name, f"{RunIds.SCALE}.data": "logarithmic"}
    key = f'{{"name":["ALL"],"type":"{RunIds.PANEL_TYPE}"}}.children'
    return str(ask(user, key, values(run, **panels, **(usual | given)), f"{RunIds.TAB}.data").json())
