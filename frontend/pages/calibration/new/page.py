"""Calibrate with your measurements: files in, the fit with every error shown, and saved as a calibration if it is wanted."""

from __future__ import annotations

from typing import Any

import dash
from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, dcc, html, no_update
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.errors import ProblemError
from engines.contract.titles import checked_title
from frontend.components.card import card
from frontend.components.draft import draft
from frontend.components.states import notice
from frontend.ids.calibrate import CalibrateIds
from frontend.ids.shell import ShellIds
from frontend.pages.calibration.new.form import FIT, Choices, base_options, base_words, clock_fields, form, unit_options
from frontend.pages.calibration.new.result import calibration_of, result, saved, taken
from frontend.pages.calibration.view import picture_of
from frontend.request import current_user
from hardware.slugs import slug_of
from webapp.catalogue import service
from webapp.teams.models import Project
from webapp.teams.visibility import NotAllowed, NotVisible, require_visible

_CSV = """layer,unit,latency_ms,power_w,gpu_mhz
conv1,gpu,0.30,11.2,1377
layer1.0.conv1 + layer1.0.conv2,gpu,0.21,10.4,1377
,gpu,9.7,12.0,1377"""


def layout(soc: str = "jetson-agx-xavier", workload: str = "", base: str = "", **_query: str) -> Component:
    """Return the page for the signed-in user; device, network and calibration to start from may stand in the address."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    choices = Choices.of(principal)
    head = html.Div([html.H1("Calibrate with your measurements")], className="head")
    main = html.Div(
        [
            form(choices, soc, workload or None, base or None),
            html.Div(id=CalibrateIds.RESULT, className="calibrate-result", **{"aria-live": "polite"}),
        ],
        className="calibrate-main",
    )
    stores = [dcc.Store(id=CalibrateIds.ANSWER), dcc.Store(id=CalibrateIds.SAID)]
    return html.Div([*stores, head, html.Div([main, _words()], className="page calibrate-page")], **draft())


dash.register_page(
    __name__,
    path="/catalogue/calibrate",
    name="Calibrate",
    title="Calibrate · Paretoscope",
    layout=layout,
)


@callback(
    Output(CalibrateIds.UNIT, "data"),
    Output(CalibrateIds.UNIT, "value"),
    Output(CalibrateIds.CLOCKS, "children"),
    Output(CalibrateIds.BASE, "data"),
    Output(CalibrateIds.BASE, "value"),
    Input(CalibrateIds.SOC, "value"),
    prevent_initial_call=True,
)
def choose_device(name: str | None) -> Any:
    """Return units, clocks and calibrations of the device."""
    choices = Choices.of(current_user())
    soc = choices.soc(name)
    return unit_options(soc), None, clock_fields(soc), base_options(choices, soc), None


@callback(
    Output(CalibrateIds.BASE_HELP, "children"),
    Output(CalibrateIds.BASE, "placeholder"),
    Input(CalibrateIds.HOW, "value"),
    prevent_initial_call=True,
)
def choose_how(how: str | None) -> Any:
    """Return the explanation of the calibration to start from."""
    return base_words(how), "general values" if how == FIT else "choose one"


@callback(Output(CalibrateIds.RESULT, "children"), Input(CalibrateIds.ANSWER, "data"), prevent_initial_call=True)
def show(answer: Any) -> Any:
    """Return the view of the calibration made from the measurements."""
    return result(current_user(), answer) if isinstance(answer, dict) else None


@callback(
    Output(CalibrateIds.PICTURE, "children"),
    Input(ShellIds.SCHEME, "data"),
    State(CalibrateIds.ANSWER, "data"),
    prevent_initial_call=True,
)
def draw(scheme: Any, answer: Any) -> Any:
    """Return the residuals in the colours of the scheme."""
    calibration = calibration_of(answer)
    return no_update if calibration is None else picture_of(calibration, scheme)


@callback(
    Output(CalibrateIds.SAVED, "children"),
    Input(CalibrateIds.SAVE, "n_clicks"),
    Input(CalibrateIds.SAVE_NEXT, "n_clicks", allow_optional=True),
    State(CalibrateIds.ANSWER, "data"),
    State(CalibrateIds.TITLE, "value"),
    State(CalibrateIds.PROJECT, "value"),
    prevent_initial_call=True,
)
def save(clicks: int | None, again: int | None, answer: Any, title: str | None, project_slug: str | None) -> Any:
    """Store what is shown under that title; as the next version of what has other content, where that was answered."""
    calibration = calibration_of(answer)
    go_on = ctx.triggered_id == CalibrateIds.SAVE_NEXT
    if not (again if go_on else clicks) or calibration is None:
        raise PreventUpdate
    principal = current_user()
    try:
        words = checked_title("title", title or "")
        slug = slug_of(words, "calibration")
        project = require_visible(principal, Project.objects.all(), slug=project_slug or "")
        content = {**answer["body"]["content"], "title": words, "slug": slug}
        version, created = service.store(principal, project, "calibration", content, unasked=go_on)
    except service.NameTakenError as error:
        return taken(error)
    except (ProblemError, NotAllowed, NotVisible) as error:
        return notice(str(error), tone="bad")
    return saved(version, calibration, created)


# The script that sends the files keeps what stands in the fields: files are not in the document.
clientside_callback(
    ClientsideFunction("calibrate", "remember"),
    Output(CalibrateIds.SAID, "data"),
    Input(CalibrateIds.SOC, "value"),
    Input(CalibrateIds.WORKLOAD, "value"),
    Input(CalibrateIds.UNIT, "value"),
    Input(CalibrateIds.PRECISION, "value"),
    Input(CalibrateIds.HOW, "value"),
    Input(CalibrateIds.BASE, "value"),
    Input({"type": CalibrateIds.CLOCK_TYPE, "name": ALL}, "value"),
    Input({"type": CalibrateIds.RAIL_TYPE, "name": ALL}, "checked"),
)
clientside_callback(
    ClientsideFunction("calibrate", "opened"),
    Output(CalibrateIds.SAID, "modified_timestamp"),
    Input(CalibrateIds.FILES, "id"),
)


def _words() -> Component:
    """Return the explanation of the accepted files and their processing."""
    csv = [
        html.P(
            "Use the layer names of the network's table. Join layers that ran as one with a plus and "
            "blanks; an empty name is the whole network. Optional columns: power_w or energy_mj, batch, "
            "workload and a column <unit>_mhz per clock.",
            className="sm t2",
        ),
        html.Pre(_CSV),
    ]
    tensorrt = html.P(
        "The file of trtexec --exportProfile, unchanged. Layers that TensorRT joined are separated, and "
        "regions cover everything from their first to their last operator. Copies are not used. Choose "
        "network and unit here.",
        className="sm t2",
    )
    log = html.P(
        "The mean of the selected rails gives rows without power their energy. Record the run only. The "
        "log's clocks apply where the form and the rows give none.",
        className="sm t2",
    )
    fit = html.P(
        "Shares of peak and bandwidth, launches, and powers with measured energy are fitted to the "
        "logarithms of your values. Trust the error on data outside the fit: a left-out network, or a "
        "fifth of one network's operators.",
        className="sm t2",
    )
    return html.Aside(
        [
            card("CSV", *csv),
            card("TensorRT profile", tensorrt),
            card("tegrastats log", log),
            card("Fitted parameters", fit),
        ],
        className="calibrate-words",
    )
