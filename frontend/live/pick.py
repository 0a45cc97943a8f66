"""The answer to a pick: the pictures of the design, the words around them, and its marks on the front.

Asked for by `pick.js` past Dash, whose own way from a click to three pictures costs the browser more than drawing them: every
callback and each of its outputs is told to all components of the page.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dash import Patch
from dash._utils import to_json

from frontend.designs.run_designs import RunDesigns
from frontend.figures.drawing import plain_template
from frontend.ids.run import RunIds
from frontend.live.direct import answer_directly
from frontend.pages.asked_number import asked_number
from frontend.pages.run.design_callbacks import shown_design
from frontend.pages.run.front.choices import read_choices, read_limits, read_region
from frontend.pages.run.front.front_selection import many_patch
from frontend.pages.run.front.front_view import front_request
from frontend.pages.run.front.picture import front_summary, selection_patch
from frontend.pages.run.front.query import FrontQuery
from frontend.pages.run.run_reader import designs_of, open_run
from frontend.theme import Scheme
from webapp.runs.models import Run

PICK_PATH = "/_dash-run-pick/"


def answer_pick(path: str, asked: Mapping[str, str]) -> str:
    """Return the pictures of a selection as JSON.

    Args:
        path: number of the run.
        asked: of the query. The selection: `design`, `window`, `follow`; of the browser: `scheme`, `width`, `height`; `by`, the
            lanes of the schedule; `live`, whether designs arrive; `limits` and `lasso` as in the page's address; `choices` and
            `view`, JSON of the stores of these names; `looks`, whether the template of the pictures is wanted.

    Raises:
        NotVisible: there is no such run, or the user may not see it.
    """
    run = open_run(path)
    designs, live = designs_of(run), bool(asked.get("live"))
    scheme: Scheme = "dark" if asked.get("scheme") == "dark" else "light"
    sides = {name: asked_number(asked.get(name)) for name in ("width", "height")}
    viewport = {name: side for name, side in sides.items() if side is not None}
    selection = {
        "design": asked_number(asked.get("design")),
        "window": asked_number(asked.get("window")) or 0,
        "follow": bool(asked.get("follow")),
    }
    by = "models" if asked.get("by") == "models" else "chiplets"
    shown = shown_design(run, selection, scheme, viewport, by, live)  # type: ignore[arg-type]
    figures = {name: _without_template(figure) for name, figure in shown.figures.items()}
    answer: dict[str, Any] = {"figures": figures, "words": shown.words}
    choices = read_choices(_object(asked, "choices"), designs)
    view = _view(asked)
    # A picture of another view is still under way; it will have the marks.
    if len(designs) and view is not None and view["kind"] == choices.view:
        limits = read_limits(asked.get("limits", ""), designs)
        region = read_region(asked.get("lasso"), designs)
        data = {"live": live, "seen": None}
        front = FrontQuery(choices, limits, region, scheme, viewport, selection, view, data)
        patch, sentence = front_marks(run, designs, front)
        answer["front"] = patch.to_plotly_json()["operations"]
        shown.words["attributes"][RunIds.FRONT_SUMMARY] = {"aria-label": sentence}
    if asked.get("looks"):
        answer["template"] = plain_template(scheme)
    return str(to_json(answer))


# What is asked for at every step along the front.
answer_directly(PICK_PATH, answer_pick)


def front_marks(run: Run, designs: RunDesigns, asked: FrontQuery) -> tuple[Patch, str]:
    """Return the marks of the selection and the sentence of the front; the points stay where they are, in the browser."""
    request = front_request(run, designs, asked)
    remain = int(designs.remaining(request.limits, request.region).sum())
    in_space = asked.choices.view != "2d" and asked.view is not None
    patch = (
        many_patch(designs, request, (asked.view or {})["traces"]) if in_space else selection_patch(designs, request)
    )
    return patch, front_summary(designs, remain, request.selected)


def _without_template(figure: Any) -> dict[str, Any]:
    """Return the figure without its template: the browser has that from the first pick, and it would be half of many figures."""
    plain = figure if isinstance(figure, dict) else {"data": figure._data, "layout": figure._layout}
    return {"data": plain["data"], "layout": {k: v for k, v in plain["layout"].items() if k != "template"}}


def _object(asked: Mapping[str, str], name: str) -> dict[str, Any]:
    try:
        found = json.loads(asked.get(name) or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _view(asked: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the ranges of the axes (`FrontShown.view`); None before the first picture."""
    found = _object(asked, "view")
    ends = [end for name in ("x", "y") for end in (found.get(name) or [])]
    whole = (
        len(ends) == 4 and all(isinstance(end, int | float) for end in ends) and isinstance(found.get("traces"), int)
    )
    return {"kind": "2d", **found} if whole else None
