"""Callbacks around the form for hardware: the document as text, its picture and mistakes, saving and download."""

from __future__ import annotations

from typing import Any

from dash import Input, Output, State, callback, dcc, html, no_update
from dash.exceptions import PreventUpdate

from engines.contract.errors import ProblemError
from engines.documents.families import stored as as_stored
from frontend.components.button import link_button
from frontend.components.states import notice
from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.ids.shell import ShellIds
from frontend.pages.catalogue.data import address_of
from frontend.pages.catalogue.document.frame import explore_href, find
from frontend.pages.hardware_form.data import (
    Mistake,
    draft_json,
    draft_text,
    mistakes_of,
)
from frontend.pages.hardware_form.rail import drawn_facts, drawn_picture, where_words
from frontend.pages.hardware_form.view import form_body, gutter_lines, mistakes_list
from frontend.pages.run.words import person_name
from frontend.request import current_user
from webapp.catalogue.service import store, validate
from webapp.teams.visibility import NotAllowed, editable_projects

# -- text -------------------------------------------------------------------------------------------------------------


@callback(
    Output(Ids.DRAFT, "data", allow_duplicate=True),
    Output(Ids.GUTTER, "children"),
    Input(Ids.TEXT, "value"),
    State(Ids.MODE, "value"),
    prevent_initial_call=True,
)
def check_text(text: str | None, mode: str) -> Any:
    """Whether the text reads as hardware; the line with the first mistake stands out."""
    if mode != "text":
        return no_update, gutter_lines(text or "", None)
    draft = _read(text or "")
    wrong = draft["mistakes"][0]["line"] if draft["mistakes"] else None
    return draft, gutter_lines(text or "", wrong)


def _read(text: str) -> dict[str, Any]:
    """The draft that a text describes; it is read in a process of its own, which takes a moment."""
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
    Input(Ids.MODE, "value"),
    State(Ids.DRAFT, "data"),
    State(Ids.TEXT, "value"),
    prevent_initial_call=True,
)
def change_mode(mode: str, draft: dict[str, Any], typed: str | None) -> Any:
    """From the form to the text and back; a text with a mistake stays a text."""
    if mode == "text":
        return (
            True,
            False,
            draft_text(draft),
            no_update,
            mode,
            None,
            draft_json(draft["content"], _mistakes(draft), draft_text(draft)),
        )
    draft = draft if draft["text"] == typed else _read(typed or "")
    if draft["mistakes"]:
        words = "The form shows documents without mistakes. Correct the text first."
        return True, False, no_update, no_update, "text", notice(words, tone="warn"), no_update
    content = draft["content"]
    source = f"assumed; chosen by {person_name(current_user())}"
    return False, True, no_update, form_body(content, source), mode, None, draft_json(content, [])


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
    """Picture and figures of the document as it stands, what must be mended, and where it will be saved.

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
    """What is not saved; "" where nothing is. What saving adds to a copy, its own name in its lineage, is no change."""
    known = stored or opened
    if content == known or (content and known and as_stored(content) == as_stored(known)):
        return ""
    return "Changed since it was saved." if stored else "Not saved yet."


@callback(
    Output(Ids.SAVED, "children"),
    Output(Ids.STORED, "data"),
    Input(Ids.SAVE, "n_clicks"),
    State(Ids.DRAFT, "data"),
    State(Ids.TEXT, "value"),
    State(Ids.MODE, "value"),
    State(Ids.PROJECT, "value"),
    prevent_initial_call=True,
    running=[(Output(Ids.SAVE, "disabled"), True, False)],
)
def save(clicks: int | None, draft: dict[str, Any], typed: str | None, mode: str, slug: str | None) -> Any:
    """Store the document as the next version of the one that its slug names, in the chosen project."""
    if not clicks:
        raise PreventUpdate
    principal = current_user()
    project = editable_projects(principal).filter(slug=slug).first()
    if project is None:
        return notice("Choose a project in which you may store documents.", tone="bad"), no_update
    content = (typed or "") if mode == "text" else draft["content"]
    try:
        version, new = store(principal, project, "hardware", content)
    except (ProblemError, NotAllowed) as error:
        return notice(str(error), tone="bad"), no_update
    name = f"{project.slug}/{version.document.slug}"
    words = (
        f"Saved as version {version.number} of {name}." if new else f"Version {version.number} of {name} says the same."
    )
    shown = find(principal, "hardware", name)
    href = explore_href(shown) if shown else None
    actions = [link_button("Start an exploration with this", href, icon="arrow-right")] if href else []
    if shown:
        actions.append(link_button("In the catalogue", address_of(shown.entry)))
    body = html.Div([notice(words), html.Div(actions, className="row wrap")], className="stack")
    return body, version.content


@callback(
    Output(Ids.DOWNLOAD_FILE, "data"),
    Input(Ids.DOWNLOAD, "n_clicks"),
    State(Ids.DRAFT, "data"),
    prevent_initial_call=True,
)
def download(clicks: int | None, draft: dict[str, Any]) -> Any:
    """The document as it stands, as YAML."""
    if not clicks:
        raise PreventUpdate
    slug = (draft["content"] or {}).get("slug") or "hardware"
    return dcc.send_string(draft_text(draft), f"{slug}.yaml", type="application/yaml")
