"""Callbacks around the form for hardware: the document as text, its picture and mistakes, saving and download."""

from __future__ import annotations

from typing import Any

from dash import Input, Output, State, callback, dcc, no_update
from dash.exceptions import PreventUpdate

from engines.contract.encoding.document_text import to_yaml
from engines.contract.errors import ProblemError
from engines.documents.families import stored as as_stored
from frontend.components.states import notice
from frontend.designs.run_words import person_name
from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.ids.shell import ShellIds
from frontend.pages.hardware_form.data import (
    Mistake,
    draft_json,
    draft_text,
    mistakes_of,
)
from frontend.pages.hardware_form.rail import drawn_facts, drawn_picture, where_words
from frontend.pages.hardware_form.view import form_body, gutter_lines, mistakes_list
from frontend.request import current_user
from webapp.catalogue.service import validate

# Classes of the form: it follows the text beside it, or waits until that reads as hardware.
FOLLOWS, WAITS = "new-main", "new-main hardware-waits"

# -- text -------------------------------------------------------------------------------------------------------------


@callback(
    Output(Ids.DRAFT, "data", allow_duplicate=True),
    Output(Ids.GUTTER, "children"),
    Output(Ids.READ, "data"),
    Output(Ids.FORM, "children", allow_duplicate=True),
    Output(Ids.FORM, "className"),
    Input(Ids.TEXT, "value"),
    State(Ids.MODE, "value"),
    State(Ids.MIRRORED, "data"),
    State(Ids.READ, "data"),
    prevent_initial_call=True,
)
def check_text(text: str | None, mode: str, mirrored: str | None, read: dict[str, Any] | None) -> Any:
    """Return whether the text reads as hardware; the line with the first mistake stands out. Side by side, the form follows."""
    if mode == "form" or (mode == "both" and text == mirrored and read is None):
        return no_update, gutter_lines(text or "", None), None, no_update, FOLLOWS
    draft = _read(text or "")
    wrong = draft["mistakes"][0]["line"] if draft["mistakes"] else None
    form = form_body(draft["content"], source_words()) if mode == "both" and not draft["mistakes"] else no_update
    waits = mode == "both" and bool(draft["mistakes"])
    return draft, gutter_lines(text or "", wrong), draft, form, WAITS if waits else FOLLOWS


@callback(
    Output(Ids.TEXT, "value", allow_duplicate=True),
    Output(Ids.MIRRORED, "data"),
    Output(Ids.READ, "data", allow_duplicate=True),
    Input(Ids.DRAFT, "data"),
    State(Ids.MODE, "value"),
    State(Ids.TEXT, "value"),
    State(Ids.READ, "data"),
    prevent_initial_call=True,
)
def mirror(draft: dict[str, Any], mode: str, typed: str | None, read: dict[str, Any] | None) -> Any:
    """Return the side by side, the text follows the form.

    Words that say the same already, or do not read yet, stay as they were typed.
    """
    if mode != "both" or draft["text"] is not None or draft["content"] is None:
        raise PreventUpdate
    if read and read["text"] == typed and read["content"] in (None, draft["content"]):
        raise PreventUpdate
    text = to_yaml(draft["content"])
    return text, text, None


def _read(text: str) -> dict[str, Any]:
    """Return the draft that a text describes; it is read in a process of its own, which takes a moment."""
    try:
        return draft_json(validate(current_user(), "hardware", text), [], text)
    except ProblemError as error:
        return draft_json(None, mistakes_of(error), text)


@callback(
    Output(Ids.FORM, "hidden"),
    Output(Ids.TEXT_CARD, "hidden"),
    Output(Ids.TEXT, "value"),
    Output(Ids.FORM, "children"),
    Output(Ids.MODE, "value"),
    Output(Ids.MODE_ERROR, "children"),
    Output(Ids.DRAFT, "data", allow_duplicate=True),
    Output(Ids.MIRRORED, "data", allow_duplicate=True),
    Output(Ids.READ, "data", allow_duplicate=True),
    Input(Ids.MODE, "value"),
    State(Ids.DRAFT, "data"),
    State(Ids.TEXT, "value"),
    prevent_initial_call=True,
)
def change_mode(mode: str, draft: dict[str, Any], typed: str | None) -> Any:
    """Switch from the form to the text and back; a text with a mistake stays a text."""
    text = draft_text(draft) if draft["text"] is not None or draft["content"] else typed or ""
    if mode == "text":
        kept = draft_json(draft["content"], _mistakes(draft), text)
        return True, False, text, no_update, mode, None, kept, text, None
    draft = draft if draft["text"] in (None, typed) else _read(typed or "")
    if draft["mistakes"] and draft["text"] is not None:
        words = "The form shows valid documents only. Correct the text first."
        return True, False, no_update, no_update, "text", notice(words, tone="warn"), no_update, no_update, no_update
    if mode == "both" and draft["text"] is None:  # from the form, which stays as it is
        return False, False, text, no_update, mode, None, no_update, text, None
    content = draft["content"]
    shown = text if mode == "both" else no_update
    form = form_body(content, source_words()) if draft["text"] is not None else no_update
    return False, mode == "form", shown, form, mode, None, draft_json(content, _mistakes(draft)), shown, None


def source_words() -> str:
    """Return the default source of values that the user changes, used until the user enters another one."""
    return f"assumed; chosen by {person_name(current_user())}"


def _mistakes(draft: dict[str, Any]) -> list[Mistake]:
    return [Mistake(**each) for each in draft["mistakes"]]


# -- rail -------------------------------------------------------------------------------------------------------------


@callback(
    Output(Ids.PICTURE, "children"),
    Output(Ids.FACTS, "children"),
    Output(Ids.ERRORS, "children"),
    Output(Ids.SAVE, "disabled"),
    Output(Ids.WHERE, "children"),
    Output(Ids.UNSAVED, "children"),
    Input(Ids.DRAFT, "data"),
    Input(Ids.PROJECT, "value"),
    Input(Ids.STORED, "data"),
    Input(ShellIds.SCHEME, "data"),
    State(Ids.OPENED, "data"),
    prevent_initial_call=True,
)
def draw(
    draft: dict[str, Any],
    project: str | None,
    stored: dict[str, Any] | None,
    scheme: Any,
    opened: dict[str, Any] | None,
) -> Any:
    """Return the picture and figures of the document as it stands, what must be mended, and where it will be saved.

    With mistakes in it, picture and figures stay those of the last document without.
    """
    content, mistakes = draft["content"], _mistakes(draft)
    listed = mistakes_list(mistakes)
    where = where_words(current_user(), project, content)
    # Words typed right before the click on Save may arrive after it. The script asks before a page with such words is left.
    unsaved = _unsaved_words(content, stored, opened)
    if mistakes:
        return no_update, no_update, listed, True, where, unsaved
    return drawn_picture(content, scheme), drawn_facts(content), listed, False, where, unsaved


def _unsaved_words(content: dict[str, Any] | None, stored: dict[str, Any] | None, opened: dict[str, Any] | None) -> str:
    """Return what is not saved; "" where nothing is. What saving adds to a copy, its own name in its lineage, is no change."""
    known = stored or opened
    if content == known or (content and known and as_stored(content) == as_stored(known)):
        return ""
    return "Changed since the last save." if stored else "Not saved yet."


@callback(
    Output(Ids.DOWNLOAD_FILE, "data"),
    Input(Ids.DOWNLOAD, "n_clicks"),
    State(Ids.DRAFT, "data"),
    prevent_initial_call=True,
)
def download(clicks: int | None, draft: dict[str, Any]) -> Any:
    """Return the document as it stands, as YAML."""
    if not clicks:
        raise PreventUpdate
    slug = (draft["content"] or {}).get("slug") or "hardware"
    return dcc.send_string(draft_text(draft), f"{slug}.yaml", type="application/yaml")
