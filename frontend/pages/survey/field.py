"""The one field of the survey: a network of the catalogue, or a file, on Home and on the page of the survey."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from engines.cost.device_fields import BITS
from engines.survey.language.work import MOST_TOKENS, Conversation
from engines.survey.survey_result import SOCS
from engines.workloads.importing.limits import MAX_FILE_BYTES
from frontend.components.button import button
from frontend.components.icon import icon
from frontend.ids.survey import SurveyIds
from frontend.ids.upload import UploadIds
from frontend.pages.survey.address import SurveyQuestion
from frontend.pages.upload.place import file_progress, file_stores
from frontend.request import chosen_project
from webapp.catalogue.service import list_documents
from webapp.gallery.networks import MOST_FILE_BYTES, networks_of
from webapp.teams.permissions import visitor_name
from webapp.teams.visibility import Principal

ACCEPTED = ".onnx,.tflite,.json,.gguf"
_CACHE_BITS = ("4", "8", "16")


def options_row(principal: Principal, asked: SurveyQuestion, *, language: bool = False) -> Component:
    """Return the choices of bits and of a power mode, for a network that is surveyed.

    Args:
        principal: who asks.
        asked: query of the survey.
        language: whether it is a language model, of whose conversation tokens and bits of the cache are chosen as well.
    """
    boards = list_documents(principal, "hardware", (SOCS,))
    modes = sorted({name for each in boards for name in each.content.get("power_modes") or ()})
    bits = [*dict.fromkeys(filter(None, (*BITS, asked.bits)))]  # an address takes every name of `hardware.bits`
    shared: dict[str, Any] = {"clearable": True, "searchable": True, "size": "xs"}
    return html.Div(
        [
            dmc.Select(
                id=SurveyIds.BITS, data=bits, value=asked.bits or None, placeholder="Each device has its own",
                label="Bits of weights and activations", **shared,
            ),
            dmc.Select(
                id=SurveyIds.MODE, data=modes, value=asked.mode or None, placeholder="Highest clocks", label="Power mode", **shared
            ),
            html.Div(_conversation_fields(asked), className="row g12 wrap", hidden=not language),
        ],
        className="row g12 wrap survey-options",
    )  # fmt: skip


def _conversation_fields(asked: SurveyQuestion) -> list[Component]:
    usual = Conversation()
    numbers = (
        (SurveyIds.PROMPT, "Prompt tokens", asked.prompt, usual.prompt_tokens),
        (SurveyIds.ANSWER, "Answer tokens", asked.answer, usual.answer_tokens),
    )
    fields: list[Component] = [
        dmc.NumberInput(
            id=name, label=label, value=int(text) if text.isdecimal() else value, min=1, max=MOST_TOKENS, allowDecimal=False,
            debounce=True, size="xs", w=110,
        )
        for name, label, text, value in numbers
    ]  # fmt: skip
    bits = [*dict.fromkeys((*_CACHE_BITS, *filter(None, [asked.cache])))]
    value = asked.cache or f"{usual.cache_bits:g}"
    return [*fields, dmc.Select(id=SurveyIds.CACHE_BITS, label="Cache bits", data=bits, value=value, size="xs", w=90)]


def survey_field(principal: Principal, asked: SurveyQuestion = SurveyQuestion()) -> Component:  # noqa: B008, it is frozen
    """Drop a file, or pick a network; what is wrong with a file is told below.

    Args:
        principal: who asks.
        asked: query of the survey.
    """
    networks = [{"value": each.name, "label": each.title} for each in networks_of(principal)]
    visitor = bool(visitor_name(principal))
    most_bytes = MOST_FILE_BYTES if visitor else MAX_FILE_BYTES
    picker = dmc.Select(
        id=SurveyIds.NETWORK, data=networks, value=asked.workload or None, searchable=True, size="sm", limit=60,
        placeholder="Pick one of the networks here", nothingFoundMessage="No such network",
        leftSection=icon("search", "s"), **{"aria-label": "Network"},
    )  # fmt: skip
    size = f"at most {most_bytes // 1_000_000} MB, weights in other files are not needed"
    words = f"or drop it here, or paste a config.json: {size}"
    drop = html.Div(
        [
            icon("upload", "l", "t3"),
            button(
                "Choose an ONNX or LiteRT file, or a config.json", id=UploadIds.CHOOSE, kind="primary", size="large"
            ),
            html.Span(words, className="sm t2"),
        ],
        className="row wrap survey-drop",
    )
    given = {"data-accept": ACCEPTED, "data-upload": "/gallery/network/" if visitor else "/api/v1/documents/upload/"}
    place = html.Div([drop, file_progress()], id=UploadIds.PLACE, className="survey-place", **given)
    return html.Div(
        [
            dcc.Location(id=SurveyIds.LOCATION, refresh="callback-nav"),
            dcc.Store(id=SurveyIds.ASKED, data=asdict(asked)),
            *file_stores(),
            # The file's own name is the network's, and it belongs to the project that things go to.
            html.Div(
                [
                    dcc.Input(id=UploadIds.NAME, type="hidden", value=""),
                    dcc.Input(
                        id=UploadIds.PROJECT, type="hidden", value="" if visitor else chosen_project(principal).slug
                    ),
                ],
                hidden=True,
            ),
            html.Div([place, html.Div(picker, className="survey-picker")], className="survey-field"),
            html.Div(id=UploadIds.RESULT, **{"aria-live": "polite"}),
        ],
        className="stack g12",
    )
