"""Callbacks of the pages on which reports are written."""

from __future__ import annotations

from typing import Any

from dash import ALL, Input, Output, State, callback, no_update
from dash.exceptions import PreventUpdate

from engines.contract.errors import ProblemError
from frontend.components.clicks import clicked_id
from frontend.components.states import notice
from frontend.ids.report import ReportIds as Ids
from frontend.pages.report.add_page import NEW, blocks_of, question_of, title_of
from frontend.pages.report.canvas import page_canvas
from frontend.pages.report.editor import FIRST_FINDING, FIRST_QUESTION, FIRST_TEXT
from frontend.pages.report.view import body_of, conflict
from frontend.request import chosen_project, current_user
from webapp.comparisons.service import entries_of
from webapp.reports import service
from webapp.reports.blocks import KINDS, Block, parts_of
from webapp.reports.errors import ReportChangedError
from webapp.teams.models import Project
from webapp.teams.visibility import NotAllowed, NotVisible, require_visible


@callback(
    Output(Ids.PREVIEW, "children"),
    Input(Ids.SHOW, "n_clicks"),
    State(Ids.TEXT, "value"),
    prevent_initial_call=True,
)
def preview(clicks: int | None, text: str | None) -> Any:
    """Render the text; errors appear at their place."""
    if not clicks:
        raise PreventUpdate
    return _shown(text)


def _shown(text: str | None) -> Any:
    try:
        parts = parts_of(text or "")
    except ProblemError as error:
        return notice(str(error), tone="bad")
    return body_of(current_user(), parts, page_canvas())


@callback(
    Output(Ids.TEXT, "value"),
    Output(Ids.PREVIEW, "children", allow_duplicate=True),
    Output(Ids.SAVED, "children", allow_duplicate=True),
    Input(Ids.INSERT, "n_clicks"),
    State(Ids.KIND, "value"),
    State(Ids.RUN, "value"),
    State(Ids.TEXT, "value"),
    prevent_initial_call=True,
)
def insert(clicks: int | None, kind: str, runs: list[str] | None, text: str | None) -> Any:
    """Return the text with a block at its end."""
    if not clicks or kind not in KINDS:
        raise PreventUpdate
    chosen = tuple(int(run) for run in runs or ())
    single = "run" in KINDS[kind].needs
    blocks = [Block(kind, (run,), _best(run, kind)) for run in chosen] if single else [Block(kind, chosen)]
    added = "\n\n".join(block.written() for block in blocks)
    try:
        parts_of(added)
        if single and not chosen:
            raise ProblemError("runs", "none", "one run, which the block shows")
    except ProblemError as error:
        return no_update, no_update, notice(str(error), tone="bad")
    written = "\n\n".join([(text or "").rstrip(), added]).lstrip() + "\n"
    return written, _shown(written), ""


def _best(run: int, kind: str) -> int | None:
    """Return the design that a block of a design begins with: the best of the run."""
    if "design" not in KINDS[kind].needs:
        return None
    from frontend.pages.compare.data import sides_of

    sides = sides_of(entries_of(current_user(), [{"run": run}]))
    return sides[0].number if sides else None


@callback(
    Output(Ids.LOCATION, "href"),
    Output(Ids.SAVED, "children"),
    Input(Ids.SAVE, "n_clicks"),
    State(Ids.TITLE, "value"),
    State(Ids.TEXT, "value"),
    State(Ids.PROJECT, "value"),
    State(Ids.NUMBER, "data"),
    State(Ids.SEEN, "data"),
    prevent_initial_call=True,
)
def save(clicks: int | None, title: str | None, text: str | None, project: str, number: int, seen: int) -> Any:
    """Return a new report, or the next version of one; its page then."""
    if not clicks:
        raise PreventUpdate
    user = current_user()
    try:
        if number:
            return _changed(number, title, text, seen)
        target = require_visible(user, Project.objects.all(), slug=project)
        return f"/reports/{service.write(user, title or '', text or '', target).pk}", ""
    except (ProblemError, NotAllowed, NotVisible) as error:
        return no_update, notice(str(error), tone="bad")


def _changed(number: int, title: str | None, text: str | None, seen: int) -> Any:
    """Return the report as its next version; where another person was first, both changes and what can be done."""
    user = current_user()
    report = service.get_report(user, number)
    try:
        service.change(user, report, title or "", text or "", seen)
    except ReportChangedError as error:
        base = service.version_of(user, report, seen)
        return no_update, conflict(base, error.newest, title or "", text or "")
    return f"/reports/{number}", ""


@callback(
    Output(Ids.LOCATION, "href", allow_duplicate=True),
    Output(Ids.SAVED, "children", allow_duplicate=True),
    Output(Ids.TITLE, "value"),
    Output(Ids.TEXT, "value", allow_duplicate=True),
    Output(Ids.SEEN, "data"),
    Input({"type": Ids.CHOICE_TYPE, "name": ALL, "number": ALL}, "n_clicks"),
    State(Ids.TITLE, "value"),
    State(Ids.TEXT, "value"),
    State(Ids.NUMBER, "data"),
    prevent_initial_call=True,
)
def decide(clicks: list[int | None], title: str | None, text: str | None, number: int) -> Any:
    """Return the result of a choice in a conflict: save mine as next version, take theirs, or continue with mine."""
    choice = clicked_id(clicks)
    try:
        if choice["name"] == "mine":
            return *_changed(number, title, text, choice["number"]), no_update, no_update, no_update
        if choice["name"] == "on":
            return no_update, "", no_update, no_update, no_update
        user = current_user()
        theirs = service.version_of(user, service.get_report(user, number))
    except (ProblemError, NotAllowed, NotVisible) as error:
        return no_update, notice(str(error), tone="bad"), no_update, no_update, no_update
    told = notice(f"This is version {theirs.number}, as saved.")
    return no_update, told, theirs.title, theirs.text, theirs.number


@callback(
    Output(Ids.LOCATION, "href", allow_duplicate=True),
    Output(Ids.TOLD, "children"),
    Input(Ids.ADD, "n_clicks"),
    State(Ids.TARGET, "value"),
    State(Ids.ADDED, "data"),
    prevent_initial_call=True,
)
def add(clicks: int | None, target: str, asked: list[dict[str, Any]]) -> Any:
    """Return the report with what is added at its end."""
    if not clicks:
        raise PreventUpdate
    user = current_user()
    entries = entries_of(user, asked)
    if not entries:
        return no_update, notice("These runs are deleted, or you cannot see them.", tone="bad")
    blocks = blocks_of(entries)
    try:
        if target == NEW:
            added = "\n\n".join(block.written() for block in blocks)
            text = FIRST_TEXT.replace(FIRST_FINDING, added).replace(FIRST_QUESTION, question_of(entries))
            made = service.write(user, title_of(entries), text, chosen_project(user))
            return f"/reports/edit?report={made.pk}", ""
        report = service.get_report(user, target)
        service.add(user, report, blocks)
        return f"/reports/{report.pk}", ""
    except (ProblemError, NotAllowed, NotVisible) as error:
        return no_update, notice(str(error), tone="bad")
