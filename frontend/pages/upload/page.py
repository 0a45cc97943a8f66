"""Add your own: a file is dropped or chosen, sent with its progress shown, and read; the page says what became of it."""

from __future__ import annotations

from typing import Any

import dash
import dash_mantine_components as dmc
from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, html
from dash.development.base_component import Component

from engines.contract.integer_format import counted
from engines.documents.families import published
from engines.running.runner.readers import ENDINGS
from engines.workloads.importing.limits import MAX_FILE_BYTES, MAX_NODES
from frontend.components.button import button
from frontend.components.card import card
from frontend.components.draft import draft as marked_draft
from frontend.components.icon import icon
from frontend.ids.upload import UploadIds
from frontend.pages.drafts import carried
from frontend.pages.upload.place import file_progress, file_stores
from frontend.pages.upload.result import result
from frontend.request import chosen_project, current_user
from webapp.teams.visibility import Principal, editable_projects


def layout(draft: str = "", **_query: str) -> Component:
    """Return the page for the signed-in user; `draft` is the address of the run that it was opened from."""
    principal = current_user()
    if not principal.is_authenticated:
        return html.Div()
    head = html.Div([html.H1("Add your own network, hardware or recording")], className="head")
    main = html.Div(
        [
            card("File", _place(), _said(principal), class_name="upload-form"),
            html.Div(id=UploadIds.RESULT, **{"aria-live": "polite"}),
        ],
        className="upload-main",
    )
    body = html.Div([main, _words()], className="page upload-page")
    return html.Div([*file_stores(carried(draft)), head, body], **marked_draft())


dash.register_page(
    __name__, path="/catalogue/upload", name="Add your own", title="Add your own · Paretoscope", layout=layout
)


@callback(
    Output(UploadIds.RESULT, "children"),
    Input(UploadIds.ANSWER, "data"),
    State(UploadIds.DRAFT, "data"),
    prevent_initial_call=True,
)
def show(answer: Any, draft: dict[str, str] | None) -> Any:
    """Return the view of the read file: document, messages or refusal."""
    return result(answer, draft or {}) if isinstance(answer, dict) else None


# The script that sends the file keeps what stands in the fields: values of such fields are not in the document.
clientside_callback(
    ClientsideFunction("upload", "remember"),
    Output(UploadIds.SAID, "data"),
    Input(UploadIds.NAME, "value"),
    Input(UploadIds.PROJECT, "value"),
    Input({"type": UploadIds.DIMENSION_TYPE, "name": ALL}, "value"),
    Input({"type": UploadIds.EXCLUDE_TYPE, "name": ALL}, "checked"),
)


def _place() -> Component:
    """Return the drop area for a file, with a button that opens the file dialogue."""
    endings = ", ".join(ENDINGS)
    choose = button("Choose a file", id=UploadIds.CHOOSE, icon="upload", kind="primary", size="large")
    words = f"or drop it here: {endings}; at most {MAX_FILE_BYTES // 1_000_000} MB"
    return html.Div(
        [icon("upload", "l", "t3"), choose, html.Span(words, className="sm t2"), file_progress()],
        id=UploadIds.PLACE,
        className="upload-place",
        **{"data-accept": ",".join(ENDINGS)},
    )


def _said(principal: Principal) -> Component:
    """Return the entries that accompany the file."""
    own = chosen_project(principal)
    projects = [{"value": each.slug, "label": each.title} for each in editable_projects(principal).order_by("title")]
    name = dmc.TextInput(
        id=UploadIds.NAME, size="xs", placeholder="as in the file", inputProps={"maxLength": 200}, label=None,
        **{"aria-label": "Title"},
    )  # fmt: skip
    project = dmc.Select(
        id=UploadIds.PROJECT, data=projects, value=own.slug, size="xs", allowDeselect=False, **{"aria-label": "Project"}
    )
    return html.Div(
        [
            html.Div(
                [
                    html.Label("Title", htmlFor=UploadIds.NAME),
                    name,
                    html.Span(
                        "The name in the catalogue is derived from it; default: the title in the file", className="h"
                    ),
                ],
                className="field",
            ),
            html.Div(
                [
                    html.Label("Project", htmlFor=UploadIds.PROJECT),
                    project,
                    html.Span("The project's members see it", className="h"),
                ],
                className="field",
            ),
        ],
        className="upload-said",
    )


def _words() -> Component:
    """Return the explanation of readable files, with examples."""
    rows = [
        html.Tr(
            [
                html.Td(family.title),
                html.Td(
                    html.A("Schema", href=f"/api/v1/schemas/{family.name}/", download=f"{family.name}.schema.json")
                ),
                html.Td(html.A("Example", href=f"/api/v1/schemas/{family.name}/example.yaml", download="")),
            ]
        )
        for family in published()
    ]
    words = (
        "Every operator of an ONNX file is computed, fused into the layer before it, or prepared once. "
        f"Operators without a cost model are listed by name, never dropped. At most {counted(MAX_NODES)} "
        "operators; weights in other files are not needed."
    )
    networks = html.P(words, className="sm t2")
    language = html.P(
        "The configuration of a model, without its weights. It becomes two networks: the prefill of 512 tokens, and one decode "
        "step after it. No code in it is executed.",
        className="sm t2",
    )
    documents = html.P(
        "Hardware, networks and scenarios as documents, and networks and accelerators of ZigZag. Start from an example:",
        className="sm t2",
    )
    recordings = html.P(
        [
            "A table begins with its columns' names: a time, then names with units, the measured one last. ",
            "Exports of power meters and logs of tegrastats are read as they are.",
            html.Code("time_s, speed [km/h], motion [g], pulse [1]", className="mono sm"),
        ],
        className="sm t2 stack",
    )
    clicks = html.P(
        [
            "Click logs for training recommenders: rows in the Criteo format without a header, or a table with columns ",
            html.Code("user, item, timestamp, label [or rating], category", className="mono sm"),
        ],
        className="sm t2 stack",
    )
    weights = html.P(
        "Arrays by name, for engines that start from a trained network. A run compares their names and "
        "shapes with its network. Pickles (.pt, .pth) are never read: they may hold programs.",
        className="sm t2",
    )
    return html.Aside(
        [
            card("Networks: ONNX", networks),
            card("Language models: config.json", language),
            card("Weights: safetensors, NPZ", weights),
            card("Recordings: tables, GPX", recordings),
            card("Click logs: tables", clicks),
            card(
                "Documents: YAML",
                documents,
                html.Table(html.Tbody(rows), className="t tight"),
                class_name="upload-schemas",
            ),
        ],
        className="upload-words",
    )
