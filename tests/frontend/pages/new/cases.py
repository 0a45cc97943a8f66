from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from engines.registry import get_engine
from frontend.components.form import format_value
from frontend.ids.new import NewIds
from frontend.pages.drafts import Draft, specs_of
from frontend.pages.new.summary import judge
from tests.frontend.conftest import Ask

DRAFT = Draft("scar", {"hardware": "simba-3x3-het-sides", "workload": "mlperf-scenario-4"})


def form(**changed: str) -> dict[str, Any]:
    specs = specs_of(get_engine("scar"))
    raw = {spec.name: changed.get(spec.name, format_value(spec, spec.default)) for spec in specs}
    keys = {name: json.dumps({"name": name, "type": str(NewIds.PARAMETER_TYPE)}, separators=(",", ":")) for name in raw}
    return {f"{keys[name]}.value": value for name, value in raw.items()}


def shown(user: Any, limit: Any = None, **params: Any) -> dict[str, Any]:
    """What a summary of these parameters leaves behind."""
    draft = replace(DRAFT, params=params, stop_after_minutes=limit)
    return {"token": judge(user, draft, get_engine(draft.engine)).token}


def begin(ask: Ask, user: Any, limit: str = "", judged: Any = None, **changed: str) -> Any:
    values = {f"{NewIds.START}.n_clicks": 1, f"{NewIds.DRAFT}.data": DRAFT.to_json(), **form(**changed)}
    values |= {f"{NewIds.TITLE}.value": "", f"{NewIds.TITLE}.placeholder": "Scenario 4 on Het-Sides"}
    values |= {f"{NewIds.STOP_AFTER}.value": limit}
    values |= {f"{NewIds.JUDGED}.data": judged or {"token": ""}}
    return ask(user, f"{NewIds.LOCATION}.href", values, f"{NewIds.START}.n_clicks").json()["response"]
