"""Tags and the star of the thing that a page shows, with their controls; and tags in lists."""

from __future__ import annotations

from collections.abc import Sequence

from dash import dcc, html
from dash.development.base_component import Component

from frontend.components.icon import icon
from frontend.components.items.mark_filters import tag_link
from frontend.ids.notes_and_tags import TalkIds
from webapp.annotations.marks import Marks
from webapp.teams.permissions import Principal, known


def marks_line(person: Principal, kind: str, number: int, marks: Marks, editable: bool) -> Component:
    """Return star, tags, and the way to change them; who has no account sees the tags alone.

    Args:
        person: who looks.
        kind: a markable one.
        number: number of the thing.
        marks: its tags and the person's star.
        editable: whether they may set its tags.
    """
    parts: list[Component | None] = [
        dcc.Store(id=TalkIds.MARKED, data={"kind": kind, "number": number}),
        star_button(marks.star) if known(person) else None,
        html.Span(tag_chips(kind, marks.tags), id=TalkIds.TAGS, className="row g4 tags"),
    ]
    return html.Span([*parts, *(_tag_dialog(kind) if editable else [])], className="row g4 marks")


def star_button(star: bool) -> Component:
    """Return the star button, filled if the star is set."""
    return html.Button(
        star_picture(star), id=TalkIds.STAR, className=star_class(star), type="button",
        title="Your own star; other people do not see it", **{"aria-label": "Star", "aria-pressed": str(star).lower()},
    )  # fmt: skip


def star_picture(star: bool) -> Component:
    """Return the picture on the star button."""
    return icon("star-filled" if star else "star", "s")


def star_class(star: bool) -> str:
    """Return the classes of the star's button."""
    return "ib star on" if star else "ib star"


def tag_chips(kind: str, tags: Sequence[str]) -> list[Component]:
    """Return every tag as a link to the list of those that have it."""
    return [tag_link(kind, word) for word in tags]


def _tag_dialog(kind: str) -> list[Component]:
    opener = html.Button(
        icon("tag", "s"), id=TalkIds.TAGS_OPEN, className="ib", type="button", title="Set tags",
        **{"data-opens": TalkIds.TAGS_DIALOG, "aria-haspopup": "dialog", "aria-label": "Set tags"},
    )  # fmt: skip
    close = html.Button(
        icon("x"), className="ib", type="button", title="Close", **{"data-closes": "", "aria-label": "Close"}
    )
    dialog = html.Dialog(
        [
            html.Div([html.H2(f"Tags of this {kind}"), html.Span(className="sp"), close], className="row"),
            html.Div(id=TalkIds.TAGS_BODY),
            html.Div(id=TalkIds.TAGS_TOLD, role="alert"),
        ],
        id=TalkIds.TAGS_DIALOG,
        className="dialog share tags-dialog",
        **{"aria-label": f"Tags of this {kind}", "data-keys": "through"},
    )
    return [opener, dialog]
