"""Figures for papers: a result drawn in the light scheme for the width of a column, as plotly.js takes it.

Pictures that are laid out in pixels (grids, schedules, graphs of layers) cannot be scaled to a column: their words would be of two
points. They are drawn again for it; other figures of results too, so that nothing depends on the window or its scheme.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import flask
from dash._utils import to_json

from engines.contract.errors import EngineError
from engines.contract.results import Result
from frontend.figures.schedule.schedule import By
from frontend.pages.asked_number import asked_number
from frontend.pages.run.run_reader import explained, open_run
from frontend.results.registry import paper_picture
from frontend.results.view import FigureQuery
from webapp.runs.models import Run
from webapp.runs.results import readers

PATH = "/_paper-figure/"
FEWEST_PX, MOST_PX, _WIDTH_PX = 300, 1600, 600


def answer_figure(run_id: int, of: str, name: str) -> flask.Response:
    """Return the figure that the address names, with its width and height; 404 where there is none."""
    query = flask.request.args
    width = min(max(asked_number(query.get("width")) or _WIDTH_PX, FEWEST_PX), MOST_PX)
    asked = query.get("end", 0.0, type=float)
    end_s = asked if math.isfinite(asked) and asked > 0 else None
    by: By = "models" if query.get("by") == "models" else "chiplets"
    try:
        results = _results(open_run(run_id), of, asked_number(query.get("design")))
    except (EngineError, LookupError) as error:
        return flask.Response(str(error), 404, mimetype="text/plain")
    found = next((result for result in results if result.name == name), None)
    shown = FigureQuery(asked_number(query.get("window")) or 0, by, end_s)
    picture = paper_picture(found, width, shown) if found else None
    if picture is None:
        return flask.Response(f"There is no figure {name!r} of this run.", 404, mimetype="text/plain")
    size: dict[str, Any] = {"width": width, "height": int(picture.layout.height)}
    picture.update_layout(size | {"autosize": False})
    return flask.Response(to_json({"figure": picture, **size}), mimetype="application/json")


def _results(run: Run, of: str, design: int | None) -> Sequence[Result]:
    if of != "design":
        return tuple(readers.results(run).values())
    if design is None:
        raise LookupError("The address must name the design, as a number.")
    return explained(run, design)


def add_figure_route(server: flask.Flask) -> None:
    """Serve figures for papers under `PATH`."""
    server.add_url_rule(f"{PATH}<int:run_id>/<of>/<name>", "paper_figure", answer_figure, methods=["GET"])
