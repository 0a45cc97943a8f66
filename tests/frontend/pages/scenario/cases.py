from __future__ import annotations

import json
from typing import Any

from frontend.bridge import get_app
from frontend.ids.scenario import ScenarioIds as Ids
from frontend.pages.scenario.data import Form, opened, shown_value
from webapp.catalogue.scenarios import ScenarioDraft

TWO = ("resnet18", "vgg16")


def drawn_page(principal: Any, draft: ScenarioDraft) -> str:
    """The page as text; pages register themselves with the application, which must be there first."""
    get_app()
    from frontend.pages.scenario.page import page

    return str(page(principal, opened(draft, principal)))


def key(**parts: Any) -> str:
    return json.dumps(parts, separators=(",", ":"), sort_keys=True)


def sent(form: Form, typed: dict[tuple[int, str], str] | None = None, **words: str) -> dict[str, Any]:
    """What the browser sends of an open page."""
    values: dict[str, Any] = {f"{Ids.FORM}.data": form.to_json(), f"{Ids.PROJECT}.value": "lab"}
    values |= {f"{Ids.TITLE}.value": "", f"{Ids.SOURCE}.value": "a test"}
    values |= {f"scenario-{name}.value": word for name, word in words.items()}
    for row, model in zip(form.keys, form.draft.models, strict=True):
        for name in ("batch", "rate_fps", "deadline_s", "priority"):
            field = key(name=name, row=row, type=Ids.FIELD_TYPE)
            values[f"{field}.value"] = (typed or {}).get((row, name), shown_value(model, name))
        values |= {f"{key(name=kind, row=row, type=Ids.WORK_TYPE)}.id": None for kind in ("batch", "rate")}
        values[f"{key(row=row, type=Ids.REMOVE_TYPE)}.n_clicks"] = None
    return values


def shown(response: Any) -> dict[str, Any]:
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()["response"]
    return found
