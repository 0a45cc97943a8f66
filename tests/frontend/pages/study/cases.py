from __future__ import annotations

import json
from typing import Any

from engines.registry import get_engine
from frontend.components.form import field_specs, format_value
from frontend.ids.study import NewStudyIds, StudyIds
from tests.frontend.conftest import Ask
from webapp.studies.models import Study


def key(**parts: str) -> str:
    return json.dumps(parts, separators=(",", ":"), sort_keys=True)


def follow(ask: Ask, user: Any, study: Study, changed: str = StudyIds.TICK, **asked: Any) -> Any:
    shown = {"rows": "params.steps", "columns": "seed", "quantity": "latency_s", "selected": None, "digest": ""} | asked
    properties = {"rows": "value", "columns": "value", "quantity": "value", "selected": "data", "digest": "data"}
    given = {f"{StudyIds[name.upper()]}.{properties[name]}": value for name, value in shown.items()}
    given |= {f"{StudyIds.TICK}.n_intervals": 1, f"{StudyIds.STUDY}.data": study.pk}
    prop = "n_intervals" if changed == StudyIds.TICK else "value"
    return ask(user, f"{StudyIds.TABLE}.children", given, f"{changed}.{prop}")


def act(ask: Ask, user: Any, study: Study, name: str) -> Any:
    button = key(name=name, type=StudyIds.ACTION_TYPE)
    given = {f"{button}.n_clicks": 1, f"{StudyIds.STUDY}.data": study.pk}
    return ask(user, f"{StudyIds.ACTION_ERROR}.children", given, f"{button}.n_clicks")


def form(hardware: list[str], seeds: str = "0-1", **changed: Any) -> dict[str, Any]:
    given: dict[str, Any] = {f"{NewStudyIds.ENGINE}.value": "scar", f"{NewStudyIds.SEEDS}.value": seeds}
    given[f"{NewStudyIds.TITLE}.value"], given[f"{NewStudyIds.STOP_AFTER}.value"] = "From the form", ""
    for slot, slugs in (("hardware", hardware), ("workload", ["mlperf-scenario-1"])):
        given[f"{key(slot=slot, type=NewStudyIds.SLOT_TYPE)}.value"] = slugs
        given[f"{key(slot=slot, type=NewStudyIds.SLOT_ERROR_TYPE)}.children"] = ""
    for spec in field_specs(get_engine("scar").Params):
        value = changed.get(spec.name, format_value(spec, spec.default))
        given[f"{key(name=spec.name, type=NewStudyIds.PARAMETER_TYPE)}.value"] = value
        given[f"{key(name=spec.name, type=f'{NewStudyIds.PARAMETER_TYPE}-help')}.children"] = ""
        given[f"{key(name=spec.name, type=f'{NewStudyIds.PARAMETER_TYPE}-field')}.className"] = ""
    return given


def judged(ask: Ask, user: Any, given: dict[str, Any]) -> Any:
    return ask(user, f"{NewStudyIds.SUMMARY}.children", given, f"{NewStudyIds.SEEDS}.value").json()["response"]
