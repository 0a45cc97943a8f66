"""Callbacks that save hardware: what is changed, the next version, and what two people have changed at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, html, no_update
from dash.development.base_component import Component
from dash.exceptions import PreventUpdate

from engines.contract.encoding.document_text import to_yaml
from engines.contract.errors import ProblemError
from frontend.components.button import link_button
from frontend.components.draft import stored_mark
from frontend.components.states import notice
from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.pages.catalogue.data import address_of
from frontend.pages.catalogue.document.frame import explore_href, find
from frontend.pages.catalogue.document.outdated_runs import outdated_box
from frontend.pages.hardware_form.data import draft_json, mistakes_of
from frontend.pages.hardware_form.differences import conflict_box, difference_box
from frontend.pages.hardware_form.draft_callbacks import source_words
from frontend.pages.hardware_form.initial_content import pin
from frontend.pages.hardware_form.view import form_body, mistakes_list
from frontend.request import current_user
from webapp.catalogue.document_edits import ChangedMeanwhileError, only_after, stored_version
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.official_documents import official_shelf
from webapp.catalogue.service import store, validate
from webapp.teams.models import Project
from webapp.teams.visibility import NotAllowed, editable_projects

CHOICES = {"type": Ids.CHOICE_TYPE, "name": ALL, "document": ALL, "number": ALL}
Pinned = dict[str, Any]


@callback(
    Output(Ids.DIFFERENCE, "children"),
    Input(Ids.DRAFT, "data"),
    Input(Ids.PINNED, "data"),
    Input(Ids.PROJECT, "value"),
)
def show_difference(draft: dict[str, Any], pinned: Pinned | None, project: str | None) -> Any:
    """Show the differences between the draft and the version that it replaces."""
    content = draft["content"]
    if content is None:
        raise PreventUpdate
    before = _edited(pinned) if _goes_on(pinned, project, content) else None
    return difference_box(before.number, before.content, content) if before else None


def _goes_on(pinned: Pinned | None, project: str | None, content: Mapping[str, Any]) -> bool:
    """Return whether saving makes the next version of what was opened, and not another document."""
    return pinned is not None and (pinned["project"], pinned["slug"]) == (project, content.get("slug"))


def _edited(pinned: Pinned | None) -> DocumentVersion | None:
    if pinned is None:
        return None
    return stored_version(current_user(), "hardware", pinned["project"], pinned["slug"], pinned["number"])


@callback(
    Output(Ids.SAVED, "children"),
    Output(Ids.STORED, "data"),
    Output(Ids.PINNED, "data"),
    Output(Ids.REASON, "value"),
    Input(Ids.SAVE, "n_clicks"),
    Input(CHOICES, "n_clicks"),
    State(Ids.DRAFT, "data"),
    State(Ids.TEXT, "value"),
    State(Ids.MODE, "value"),
    State(Ids.PROJECT, "value"),
    State(Ids.PINNED, "data"),
    State(Ids.REASON, "value"),
    prevent_initial_call=True,
    running=[(Output(Ids.SAVE, "disabled"), True, False)],
)
def save(
    clicks: int | None,
    chosen: list[int | None],
    draft: dict[str, Any],
    typed: str | None,
    mode: str,
    slug: str | None,
    pinned: Pinned | None,
    reason: str | None,
) -> Any:
    """Store the document as the next version of the one that its slug names, in the chosen project.

    Where another person was first, nothing is stored: what differs is shown, with what can be done about it.
    """
    choice = ctx.triggered_id if isinstance(ctx.triggered_id, dict) else {}
    if not (any(chosen) if choice else clicks) or choice.get("name") == "theirs":
        raise PreventUpdate
    if choice.get("name") == "on":
        return None, no_update, no_update, no_update
    project = _project(slug)
    if project is None:
        return _refused(notice("Choose a project in which you may store documents.", tone="bad"))
    written = mode == "text" or draft["content"] is None
    try:
        content = validate(current_user(), "hardware", (typed or "") if written else draft["content"])
        seen = _seen(choice, pinned, project.slug, content)
        version, new = store(current_user(), project, "hardware", content, only_after(seen), reason or "")
    except ChangedMeanwhileError as error:
        base = stored_version(current_user(), "hardware", project.slug, error.newest.document.slug, seen)
        return conflict_box(_whole(error.newest), base, content), no_update, no_update, no_update
    except ProblemError as error:
        return _refused(mistakes_list(mistakes_of(error)))
    except NotAllowed as error:
        return _refused(notice(str(error), tone="bad"))
    return saved_words(project, version, new), version.content, pin(version), ""


def _seen(choice: Mapping[str, Any], pinned: Pinned | None, project: str, content: Mapping[str, Any]) -> int:
    """Return number of the version that the next one may come after: the one chosen about, else the edited one, else 0 for none."""
    if choice.get("document") == f"{project}/{content['slug']}":
        return int(choice["number"])
    return int(pinned["number"]) if pinned is not None and _goes_on(pinned, project, content) else 0


def _project(slug: str | None) -> Project | None:
    return editable_projects(current_user()).filter(slug=slug).first() or official_shelf(current_user(), slug)


def _refused(words: Component | None) -> tuple[Any, ...]:
    return words, no_update, no_update, no_update


def _whole(version: DocumentVersion) -> DocumentVersion:
    return DocumentVersion.objects.select_related("document__project", "created_by").get(pk=version.pk)


def saved_words(project: Project, version: DocumentVersion, new: bool) -> Component:
    """Return the message on the saved document, with links."""
    name = f"{project.slug}/{version.document.slug}"
    words = (
        f"Saved as version {version.number} of {name}."
        if new
        else (f"Version {version.number} of {name} has the same content.")
    )
    shown = find(current_user(), "hardware", name)
    href = explore_href(shown) if shown else None
    actions = [link_button("Start a run with this", href, icon="arrow-right")] if href else []
    if shown:
        actions.append(link_button("In the catalogue", address_of(shown.entry)))
    outdated = outdated_box(current_user(), version.document)
    parts = [stored_mark(), notice(words), html.Div(actions, className="row wrap"), *([outdated] if outdated else [])]
    return html.Div(parts, className="stack")


@callback(
    Output(Ids.FORM, "children", allow_duplicate=True),
    Output(Ids.DRAFT, "data", allow_duplicate=True),
    Output(Ids.TEXT, "value", allow_duplicate=True),
    Output(Ids.MIRRORED, "data", allow_duplicate=True),
    Output(Ids.READ, "data", allow_duplicate=True),
    Output(Ids.PINNED, "data", allow_duplicate=True),
    Output(Ids.OPENED, "data"),
    Output(Ids.STORED, "data", allow_duplicate=True),
    Output(Ids.SAVED, "children", allow_duplicate=True),
    Input(CHOICES, "n_clicks"),
    State(Ids.MODE, "value"),
    prevent_initial_call=True,
)
def take_theirs(chosen: list[int | None], mode: str) -> Any:
    """Return the newest version in the place of one's own."""
    choice = ctx.triggered_id if isinstance(ctx.triggered_id, dict) else {}
    if not any(chosen) or choice.get("name") != "theirs":
        raise PreventUpdate
    project, _, slug = str(choice["document"]).partition("/")
    theirs = stored_version(current_user(), "hardware", project, slug)
    if theirs is None:
        raise PreventUpdate
    content, text = theirs.content, to_yaml(theirs.content)
    draft = draft_json(content, [], text if mode == "text" else None)
    said = notice(f"This is version {theirs.number}, as saved.")
    return form_body(content, source_words()), draft, text, text, None, pin(theirs), content, None, said


clientside_callback(
    ClientsideFunction("hardware", "showSaid"),
    Output(Ids.SAVED, "title"),
    Input(Ids.SAVED, "children"),
    prevent_initial_call=True,
)
