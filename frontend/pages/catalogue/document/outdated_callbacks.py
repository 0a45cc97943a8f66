"""Callback that runs again what an edit of a document made out of date."""

from __future__ import annotations

from typing import Any

from dash import ALL, Input, Output, callback, dcc, html

from engines.contract.errors import EngineError
from frontend.components.clicks import clicked_id
from frontend.components.states import notice
from frontend.ids.catalogue import DocumentIds
from frontend.request import chosen_project, current_user
from webapp.catalogue.models import Document
from webapp.studies.rerun_studies import start
from webapp.teams.visibility import NotAllowed, NotVisible, require_visible


@callback(
    Output(DocumentIds.AGAIN_SAID, "children"),
    Input({"type": DocumentIds.AGAIN_TYPE, "name": ALL}, "n_clicks"),
    prevent_initial_call=True,
)
def run_again(clicks: list[int | None]) -> Any:
    """Start the study, in the project that is chosen in the header."""
    pressed = clicked_id(clicks)
    number, _, name = str(pressed["name"]).partition("-")
    documents = Document.objects.select_related("project")
    try:
        study = start(current_user(), require_visible(current_user(), documents, pk=number), name, chosen_project())
    except (EngineError, NotAllowed) as error:
        return notice(str(error), tone="bad")
    except NotVisible:
        return notice("The document no longer exists.", tone="bad")
    return notice(html.Span(["Started: ", dcc.Link(study.title, href=f"/studies/{study.pk}")]))
