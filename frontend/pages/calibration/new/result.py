"""Result of measurements: the fit before it is saved, the question for rails, or what is wrong and where.

The answer comes from the REST interface through the browser, so nothing about its shape is taken for granted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import dash_mantine_components as dmc
from dash import html
from dash.development.base_component import Component

from engines.contract.errors import EngineError
from engines.documents.document_consumers import takers_of
from frontend.components.button import button, link_button
from frontend.components.card import card
from frontend.components.chip import chip
from frontend.components.draft import stored_mark
from frontend.components.pictures.figure_menu import figure_menu
from frontend.components.shell.shell import remembered_scheme
from frontend.components.states import notice
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import many, si
from frontend.ids.calibrate import CalibrateIds
from frontend.pages.calibration.view import MARKS, numbers, parameters_card, picture_of, rows_card
from frontend.pages.upload.result import refused
from frontend.request import chosen_project
from hardware.calibration.loader import load_calibration
from hardware.calibration.model import SocCalibration
from hardware.calibration.schema import CALIBRATION_SCHEMA
from hardware.errors import HardwareError
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.service import NameTakenError
from webapp.teams.visibility import Principal, editable_projects

_LINE = re.compile(r"^line (\d+)(?:\.(.+))?$")
_MOST_LINES = 50


def result(principal: Principal, answer: Mapping[str, Any]) -> list[Component]:
    """Return the cards below the form.

    Args:
        principal: whose projects are offered.
        answer: `status` of HTTP (0 where the server was not reached), its `body`, and the `file`'s name.
    """
    body = answer.get("body")
    body = body if isinstance(body, Mapping) else {}
    file, status = str(answer.get("file") or "The file"), answer.get("status")
    calibration = calibration_of(answer)
    if calibration is not None:
        return _fit(principal, file, calibration, body)
    if body.get("field") == "rails" and isinstance(body.get("got"), Mapping):
        return [_rails(body["got"])]
    return [refused(file, status, _with_line(body))]


def calibration_of(answer: Any) -> SocCalibration | None:
    """Return the calibration of an answer; None where it has none."""
    body = answer.get("body") if isinstance(answer, Mapping) else None
    content = body.get("content") if isinstance(body, Mapping) else None
    if not isinstance(content, Mapping):
        return None
    try:
        return load_calibration(content)
    except (HardwareError, EngineError):
        return None


def saved(version: DocumentVersion, calibration: SocCalibration, created: bool) -> Component:
    """Return the message on the saved calibration, with links."""
    name = f"{version.document.project.slug}/{version.document.slug}"
    words = "Saved" if created else "Already there"
    engine, slot = takers_of("calibration", CALIBRATION_SCHEMA)[0]
    explore = f"/new?engine={engine}&hardware={quote(calibration.soc)}&{slot}={quote(name)}"
    # The network that was measured: of another one the calibration may lack whole kinds of operations.
    measured = next((row.workload for row in reversed(calibration.rows)), None)
    explore += f"&workload={quote(measured)}" if measured else ""
    return html.Div(
        [
            stored_mark(),
            chip(words, tone="good", icon="check"),
            html.Span(f"{name}@{version.number}", className="mono t3"),
            link_button("Start a run with it", explore, icon="player-play", kind="primary"),
            link_button("Open in the catalogue", f"/catalogue/calibration/{quote(name)}", icon="books"),
        ],
        className="row wrap",
    )


def taken(error: NameTakenError) -> Component:
    """Return the question whether it is the next version of what has its title."""
    words = f"{error.document} exists already, and its version {error.version} has other content. Change the title, or"
    save = button(f"Save as version {error.version + 1}", id=CalibrateIds.SAVE_NEXT, icon="check", kind="primary")
    return html.Div([notice(words, tone="warn"), save], className="row wrap")


# -- a fit --------------------------------------------------------------------------------------------------------------


def _fit(principal: Principal, file: str, calibration: SocCalibration, body: Mapping[str, Any]) -> list[Component]:
    report = body["report"] if isinstance(body.get("report"), Mapping) else {}
    state = [chip("Not saved yet", tone="warn"), html.Span(calibration.source, className="sm t2")]
    head = card(
        f"{file}: {many(len(calibration.rows), 'row')}",
        html.Div(state, className="row wrap"),
        html.Div(numbers(calibration), className="calibrate-facts"),
        *[notice(str(note), tone="warn") for note in report.get("notes") or ()],
        _save(principal, calibration),
        class_name="calibrate-head",
    )
    lost = _unmatched(report.get("unmatched"))
    picture = html.Div(picture_of(calibration, remembered_scheme()), id=CalibrateIds.PICTURE)
    residuals = card("Residuals", picture, subtitle=MARKS, actions=[figure_menu()], flush=True)
    cards = (head, lost, residuals, rows_card(calibration.rows), parameters_card(calibration))
    return [each for each in cards if each is not None]


def _save(principal: Principal, calibration: SocCalibration) -> Component:
    own = chosen_project(principal)
    projects = [{"value": each.slug, "label": each.title} for each in editable_projects(principal).order_by("title")]
    title: Component = dmc.TextInput(
        id=CalibrateIds.TITLE,
        value=calibration.title,
        size="xs",
        inputProps={"maxLength": 200},
        **{"aria-label": "Title"},
    )
    project: Component = dmc.Select(
        id=CalibrateIds.PROJECT,
        data=projects,
        value=own.slug,
        size="xs",
        allowDeselect=False,
        **{"aria-label": "Project"},
    )
    fields = [
        html.Div([html.Label(words, className="lab"), control], className="field")
        for words, control in (("Title", title), ("Project", project))
    ]
    row = html.Div(
        [*fields, button("Save as a calibration", id=CalibrateIds.SAVE, icon="check", kind="primary")],
        className="calibrate-save",
    )
    hint = "The members of the project see it."
    return html.Div(
        [row, html.Span(hint, className="xs t3"), html.Div(id=CalibrateIds.SAVED, **{"aria-live": "polite"})],
        className="stack",
    )


def _unmatched(lines: Any) -> Component | None:
    """Return the lines that are not used, with the nearest name of the network."""
    rows = [line for line in lines if isinstance(line, Mapping)] if isinstance(lines, list) else []
    if not rows:
        return None
    cells = [_unmatched_cells(line) for line in rows[:_MOST_LINES]]
    total = sum(float(line.get("latency_ms") or 0) for line in rows)
    columns = [
        Column("Line", number=True),
        Column("Name"),
        Column("Latency", number=True),
        Column("Why"),
        Column("Nearest name"),
    ]
    lines = many(len(rows), "line")
    words = f"Not used: {lines} with {si(total / 1e3, 's')}. No operator of such a name has a cost."
    more = html.Div(f"and {len(rows) - _MOST_LINES} more", className="xs t3") if len(rows) > _MOST_LINES else None
    table = html.Div(plain_table(columns, cells, tight=True), className="table-scroll upload-operators")
    return card("Lines left out", notice(words), table, more, class_name="upload-result")


def _unmatched_cells(line: Mapping[str, Any]) -> list[Component | str]:
    if line.get("copy"):
        why = "a copy or a change of layout"
    else:
        why = "fused into the operator before" if line.get("folded") else "not in the network"
    return [
        str(line.get("line")),
        html.Span(str(line.get("name")), className="mono"),
        si(float(line.get("latency_ms") or 0) / 1e3, "s"),
        why,
        html.Span(str(line.get("nearest") or ""), className="mono"),
    ]


# -- not yet ------------------------------------------------------------------------------------------------------------


def _rails(rails: Mapping[str, Any]) -> Component:
    """Return the rails of a log, each with its mean, to be ticked."""
    boxes: list[Component] = [
        dmc.Checkbox(
            id={"type": CalibrateIds.RAIL_TYPE, "name": str(name)}, label=f"{name}: {si(_watts(power), 'W')}", size="xs",
            checked=False,
        )
        for name, power in rails.items()
    ]  # fmt: skip
    words = (
        "The log has these supply rails. Select those whose power counts: a rail of the whole board "
        "includes the others. Mean power times a row's latency is its energy."
    )
    again = button("Show the fit with these rails", icon="refresh", kind="primary", id=CalibrateIds.AGAIN)
    return card(
        "Which rails count?",
        notice(words),
        html.Div(boxes, className="row wrap g16"),
        html.Div(again),
        class_name="upload-result",
    )


def _watts(power: Any) -> float:
    return float(power) if isinstance(power, int | float) else 0.0


def _with_line(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a field of the form "line 4.latency_ms" as line and column."""
    match = _LINE.match(str(body.get("field") or ""))
    if match is None:
        return dict(body)
    return {**body, "line": int(match[1]), "field": match[2] or "the line"}
