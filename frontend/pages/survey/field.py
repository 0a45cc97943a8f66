"""The one field of the survey: a network of the catalogue, or a file, on Home and on the page of the survey."""

from __future__ import annotations

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from engines.workloads.document_families import NETWORK
from engines.workloads.importing.limits import MAX_FILE_BYTES
from frontend.components.button import button
from frontend.components.icon import icon
from frontend.ids.survey import SurveyIds
from frontend.ids.upload import UploadIds
from frontend.pages.upload.place import file_progress, file_stores
from frontend.request import chosen_project
from webapp.catalogue.service import list_documents
from webapp.teams.visibility import Principal

ACCEPTED = ".onnx"


def survey_field(principal: Principal, chosen: str = "", show: str = "", file: str = "", device: str = "") -> Component:
    """Drop a file, or pick a network; what is wrong with a file is told below.

    Args:
        principal: who asks.
        chosen: name of the network that is surveyed.
        show: kind of the devices that are shown.
        file: what became of a file that was dropped.
        device: name of the one that is surveyed; "" for all.
    """
    networks = [
        {"value": each.name, "label": each.title} for each in list_documents(principal, "workload", (NETWORK.schema,))
    ]
    picker = dmc.Select(
        id=SurveyIds.NETWORK, data=networks, value=chosen or None, searchable=True, size="sm", limit=60,
        placeholder="Pick one of the networks here", nothingFoundMessage="No such network",
        leftSection=icon("search", "s"), **{"aria-label": "Network"},
    )  # fmt: skip
    words = f"or drop it here: at most {MAX_FILE_BYTES // 1_000_000} MB, weights in other files are not needed"
    drop = html.Div(
        [
            icon("upload", "l", "t3"),
            button("Choose an ONNX file", id=UploadIds.CHOOSE, kind="primary", size="large"),
            html.Span(words, className="sm t2"),
        ],
        className="row wrap survey-drop",
    )
    place = html.Div([drop, file_progress()], id=UploadIds.PLACE, className="survey-place", **{"data-accept": ACCEPTED})
    return html.Div(
        [
            dcc.Location(id=SurveyIds.LOCATION, refresh="callback-nav"),
            dcc.Store(id=SurveyIds.ASKED, data={"workload": chosen, "show": show, "file": file, "device": device}),
            *file_stores(),
            # The file's own name is the network's, and it belongs to the project that things go to.
            html.Div(
                [
                    dcc.Input(id=UploadIds.NAME, type="hidden", value=""),
                    dcc.Input(id=UploadIds.PROJECT, type="hidden", value=chosen_project(principal).slug),
                ],
                hidden=True,
            ),
            html.Div([place, html.Div(picker, className="survey-picker")], className="survey-field"),
            html.Div(id=UploadIds.RESULT, **{"aria-live": "polite"}),
        ],
        className="stack g12",
    )
