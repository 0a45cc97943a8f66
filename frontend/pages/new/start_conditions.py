"""Conditions that hold *Start* back until the summary belongs to the form, and the buttons that mend a refusal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dash import html
from dash.development.base_component import Component

from engines.contract.engine import Engine
from frontend.components.button import button
from frontend.components.form import format_value
from frontend.components.time_limit import SPEC as LIMIT_SPEC
from frontend.ids.new import NewIds
from frontend.pages.drafts import SEED, Draft, specs_of
from frontend.pages.new.input_fixes import Mend


def judged_state(token: str, draft: Mapping[str, Any], form: Mapping[str, Any], limit: Any) -> dict[str, Any]:
    """Return the values behind a summary, which the browser compares with the present form.

    Args:
        token: token of the problem (`token_of`); "" if it cannot start.
        draft: as the page keeps it (`Draft.to_json`).
        form: parameter -> text in its control.
        limit: text in the control of the time limit.
    """
    return {"token": token, "draft": dict(draft), "form": dict(form), "limit": limit}


def opening_state(token: str, draft: Draft, engine: Engine) -> dict[str, Any]:
    """Return `judged_state` of a page as it opens."""
    values = {**draft.params, SEED: draft.seed}
    form = {spec.name: format_value(spec, values.get(spec.name, spec.default)) for spec in specs_of(engine)}
    return judged_state(token, draft.to_json(), form, format_value(LIMIT_SPEC, draft.stop_after_minutes))


def mend_buttons(mends: Sequence[Mend]) -> list[Component]:
    """Return one button per remedy, each with its subject."""
    if not mends:
        return []
    rows = [
        html.Div(
            [
                html.Div(mend.words, className="xs t3"),
                button(
                    mend.title,
                    id={"type": NewIds.MEND_TYPE, "field": mend.field, "value": mend.value},
                    size="small",
                    class_name="mend",
                ),
            ]
        )
        for mend in mends
    ]
    return [html.Div([html.Div("How to fix it", className="b sm"), *rows], className="stack g8 rail-note")]
