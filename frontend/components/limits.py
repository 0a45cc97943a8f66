"""Limits from administrators and the rest of each: a card, and a remark where little is left."""

from __future__ import annotations

from collections.abc import Sequence

from dash import html
from dash.development.base_component import Component

from engines.running.time_limits import minutes_words
from frontend.components.card import card
from frontend.components.states import notice
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import NO_BREAK, integer, si
from frontend.request import chosen_project
from webapp.limits.effective_limits import RunAllowance, of_run
from webapp.limits.usage import Use, near, uses
from webapp.teams.models import Project
from webapp.teams.permissions import Principal, user_number

_TITLES = {
    "active_runs": "Queued and running runs",
    "stored_mb": "Stored",
    "study_cells": "Runs of studies",
}
_WHOSE = {"project": "the whole project", "person": "you, in all projects"}


def limits_card(project: Project, person_id: int) -> Component:
    """Return a card with the used and the remaining share of all limits of project and user, and the limits of one run."""
    found = uses(project, person_id)
    columns = [
        Column("What"),
        Column("Taken by"),
        *(Column(title, number=True) for title in ("Taken", "Limit", "Left")),
    ]
    table = plain_table(columns, [_row(use) for use in found])
    words = html.P(
        [one_run_words(of_run(project.pk, person_id)), " Administrators set these limits."], className="sm t2"
    )
    body = html.Div(table, className="table-scroll team-members")
    return card("Limits", body, words, class_name="team-card")


def left_beside_start(person: Principal) -> list[Component]:
    """Return sentences on limits that are used to four fifths or more, in the project of a new run of `person`.

    Nothing where there is room.
    """
    found = near(chosen_project(person), user_number(person))
    if not found:
        return []
    lines = [html.Div(left_words(use)) for use in found]
    return [notice(html.Div(lines, className="stack g4"), tone="bad" if any(not use.left for use in found) else "warn")]


def left_words(use: Use) -> str:
    """Return a sentence on the rest of one limit."""
    whose = "you" if use.of == "person" else "this project"
    return f"{_TITLES[use.name]}: {amount_words(use, use.left)} of {amount_words(use, use.limit)} left for {whose}"


def one_run_words(allowed: RunAllowance) -> str:
    """Return the limits of one run as text."""
    minutes = "any time" if allowed.minutes is None else f"at most {minutes_words(allowed.minutes)}"
    memory = "no memory limit" if allowed.memory_mb is None else f"at most {si(allowed.memory_mb * 1e6, 'B')} of memory"
    return f"One run may compute for {minutes}, with {memory}."


def amount_words(use: Use, value: float | None) -> str:
    """Return an amount in the unit of its limit; a dash for none."""
    if value is None:
        return "–"
    return si(value * 1e6, "B") if use.name == "stored_mb" and value else integer(value) + _unit(use)


def _unit(use: Use) -> str:
    return f"{NO_BREAK}B" if use.name == "stored_mb" else ""


def _row(use: Use) -> Sequence[Component | str]:
    limit = "no limit" if use.limit is None else amount_words(use, use.limit)
    left = amount_words(use, use.left)
    cells = (amount_words(use, use.used), limit, html.B(left) if use.near else left)
    return [_TITLES[use.name], _WHOSE[use.of], *cells]
