"""The content of the dialog: who sees the thing already, its links, and a form for another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from frontend.components.button import button
from frontend.components.card import card_title
from frontend.components.items.secret_link import secret_link
from frontend.components.states import notice
from frontend.components.table import Column, plain_table
from frontend.figures.numbers import integer, many
from frontend.ids.share import ShareIds
from webapp.sharing.models import ShareLink
from webapp.sharing.service import DAYS, MadeLink, links_to, revoked_links, shared_thing
from webapp.teams.models import Membership, Project
from webapp.teams.permissions import Action, Principal, Role, may
from webapp.teams.projects import members_of

_MOST_NAMES = 12
_COLUMNS = tuple(Column(title) for title in ("Note", "By", "Until", "Last opened", ""))
_REVOKED_COLUMNS = tuple(Column(title) for title in ("Note", "By", "Revoked", "Revoked by", ""))
_OPENS = {
    "run": "It opens this run, live and read-only, without other items.",
    "study": "It opens this study with its runs, live and read-only, without other items.",
    "comparison": "It opens this comparison and its runs, live and read-only, without other items.",
    "report": "It opens this report and its runs, live and read-only, without other items.",
}


@dataclass(frozen=True)
class ActionOutcome:
    """The outcome of the last action: what went wrong, or the link that was made."""

    trouble: str = ""
    made: MadeLink | None = None


def share_view(person: Principal, kind: str, number: Any, told: ActionOutcome | None = None) -> list[Component | None]:
    """Return the people and links.

    Args:
        person: who looks.
        kind: "run", "study", "comparison" or "report".
        number: of it.
        told: about the last action.

    Raises:
        NotVisible: there is none, or `person` may not see it.
    """
    thing = shared_thing(person, kind, number)
    parts = [*_people(thing.project, may(person, Action.MANAGE, thing))]
    if not may(person, Action.SHARE, thing):
        words = "Only editors and maintainers of the project can make links."
        return [*parts, card_title("Read-only links", level=3), notice(words)]
    trouble = notice(told.trouble, tone="bad") if told and told.trouble else None
    made = secret_link("Read-only link", told.made.address) if told and told.made else None
    links = list(links_to(person, kind, number))
    revoked = [_revoked_row(link, who) for link, who in revoked_links(person, kind, number)]
    return [
        *parts,
        card_title("Read-only links", level=3),
        _form(kind),
        trouble,
        made,
        _table(_COLUMNS, [_row(link) for link in links]) if links else None,
        *([card_title("Revoked links", level=3), _table(_REVOKED_COLUMNS, revoked)] if revoked else []),
    ]


def action_id(name: str, number: int = 0) -> dict[str, Any]:
    """Return the id of a button that does `name` to the link of that number."""
    return {"type": ShareIds.ACTION_TYPE, "name": name, "number": number}


def _people(project: Project, manages: bool) -> list[Component]:
    members = list(members_of(project))
    names = [_person(member) for member in members[:_MOST_NAMES]]
    more = len(members) - len(names)
    if more > 0:
        names.append(html.Span(f"and {integer(more)} more", className="sm t3"))
    team = dcc.Link("Invite people" if manages else "Members", href=f"/team/{project.slug}", className="link")
    head = html.Div(
        [
            card_title("People with access", level=3),
            html.Span(project.title, className="sm t3 el"),
            html.Span(className="sp"),
            team,
        ],
        className="row",
    )
    return [head, html.Div(names, className="row wrap share-people")]


def _person(member: Membership) -> Component:
    role = html.Span(Role(member.role).label.lower(), className="t3")
    return html.Span([member.user.get_username(), role], className="chip line")


def _form(kind: str) -> Component:
    note = dmc.TextInput(
        id={"type": ShareIds.FIELD_TYPE, "name": "note"}, placeholder="Recipient (optional)", size="xs", className="grow",
        **{"aria-label": "Note"},
    )  # fmt: skip
    days = [{"value": str(each), "label": many(each, "day")} for each in DAYS]
    until = dmc.Select(
        id={"type": ShareIds.FIELD_TYPE, "name": "days"}, data=days, value="30", allowDeselect=False, size="xs", w=104,
        comboboxProps={"withinPortal": False}, **{"aria-label": "Holds for"},
    )  # fmt: skip
    make = button("Make a link", id=action_id("make"), icon="link", kind="primary")
    words = f"Anyone who has the link can look without an account. {_OPENS[kind]}"
    return html.Div(
        [html.P(words, className="sm t2 no-terms"), html.Div([note, until, make], className="row")], className="stack"
    )


def _table(columns: Sequence[Column], rows: Sequence[list[Component | str]]) -> Component:
    return html.Div(plain_table(columns, rows), className="table-scroll share-links")


def _row(link: ShareLink) -> list[Component | str]:
    question = "Revoke this link? It then opens nothing."
    end = button("Revoke", id=action_id("revoke", link.pk), kind="quiet", size="small", question=question)
    opened = f"{link.opened:%-d %b, %H:%M}" if link.opened else "never"
    return [_note(link), link.made_by.get_username(), f"{link.expires:%-d %b %Y}", opened, end]


def _revoked_row(link: ShareLink, who: str) -> list[Component | str]:
    again = button("Share again", id=action_id("again", link.pk), kind="quiet", size="small")
    return [_note(link), link.made_by.get_username(), f"{link.revoked:%-d %b, %H:%M}", who or "–", again]


def _note(link: ShareLink) -> Component:
    return html.Span(link.note or "–", className="el share-note", title=link.note)
