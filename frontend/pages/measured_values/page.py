"""Import measured values: a file of a tool or a table in, its values shown, and stored beside predictions if it is wanted."""

from __future__ import annotations

from typing import Any

import dash
from dash import ALL, ClientsideFunction, Input, Output, callback, clientside_callback, dcc, html
from dash.development.base_component import Component

from frontend.components.card import card
from frontend.components.draft import draft
from frontend.ids.measured_values import ValuesIds
from frontend.pages.measured_values.form import form
from frontend.pages.measured_values.result import result
from frontend.request import current_user

_FORMATS = (
    ("Qualcomm AI Hub", "JSON of a profile job, perf.yaml of AI Hub Models"),
    ("TensorRT", "trtexec --exportTimes (JSON), the log of trtexec"),
    ("LiteRT", "the log of benchmark_model"),
    ("onnxruntime", "the JSON of its profiler"),
    ("Rockchip", "the output of rknn.eval_perf"),
    ("Hailo", "the output of hailortcli benchmark, or its CSV"),
    ("MLPerf Tiny", "results.txt"),
    ("Table", "CSV with a head; you say which column is which"),
)


def layout(device: str = "", network: str = "", **_query: str) -> Component:
    """Return the page for the signed-in user; device and network may stand in the address."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    head = html.Div([html.H1("Import measured values")], className="head")
    answer = html.Div(id=ValuesIds.RESULT, className="calibrate-result", **{"aria-live": "polite"})
    main = html.Div([form(principal, device, network), answer], className="calibrate-main")
    stores = [dcc.Store(id=ValuesIds.ANSWER), dcc.Store(id=ValuesIds.SAID)]
    return html.Div([*stores, head, html.Div([main, _words()], className="page calibrate-page")], **draft())


dash.register_page(
    __name__,
    path="/measured-values/import",
    name="Import measured values",
    title="Import measured values · Paretoscope",
    layout=layout,
)


@callback(Output(ValuesIds.RESULT, "children"), Input(ValuesIds.ANSWER, "data"), prevent_initial_call=True)
def show(answer: Any) -> Any:
    """Return a preview of the file."""
    return result(answer) if isinstance(answer, dict) else None


# The script that sends the file keeps what stands in the fields: files are not in the document.
clientside_callback(
    ClientsideFunction("measured_values", "remember"),
    Output(ValuesIds.SAID, "data"),
    Input({"type": ValuesIds.FIELD_TYPE, "name": ALL}, "value"),
    Input({"type": ValuesIds.COLUMN_TYPE, "name": ALL}, "value"),
)
clientside_callback(
    ClientsideFunction("measured_values", "opened"),
    Output(ValuesIds.SAID, "modified_timestamp"),
    Input(ValuesIds.FILE, "id"),
)


def _words() -> Component:
    """Return the formats, and what becomes of the values."""
    rows = [
        html.Div([html.Div(name, className="sm b"), html.Div(words, className="sm t2")]) for name, words in _FORMATS
    ]
    rules = [
        "The page of the device shows the values next to its predictions. No calibration is fitted to them.",
        "A value faster than the published roofline is refused with the bound. So are duplicates and several licences in one file.",
        "A file with times of operators can become a calibration as well.",
    ]
    return html.Aside(
        [card("Formats", *rows), card("Rules", *[html.P(each, className="sm t2") for each in rules])],
        className="calibrate-words",
    )
