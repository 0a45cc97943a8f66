"""Tags and stars in lists, and the links that filter by them: the address holds the filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from dash import dcc, html
from dash.development.base_component import Component

from frontend.components.icon import icon
from webapp.annotations.marks import AskedMarks, Marks
from webapp.annotations.texts import LONGEST_TAG
from webapp.items.registry import items

_MOST_TAGS = 12
# Icon, title and words where nothing of a list does.
NONE_MARKED = ("search", "Nothing matches this filter", "Clear the filter above to see everything.")


def read_marks(query: Mapping[str, object]) -> AskedMarks:
    """Return the filter of an address or store: `tag`, and `star` if it is "1" or true."""
    tag = str(query.get("tag") or "")[:LONGEST_TAG].lower()
    return AskedMarks(tag if tag.isprintable() else "", query.get("star") in ("1", True))


def tag_link(kind: str, word: str) -> Component:
    """Return a tag that leads to all things of the kind that have it."""
    return dcc.Link(
        word,
        href=f"{items()[kind].listing}?{urlencode({'tag': word})}",
        className="chip line tag",
        title=f"All with {word}",
    )


def mark_filters(kind: str, counts: Sequence[tuple[str, int]], asked: AskedMarks, starred: bool) -> Component | None:
    """Return the links to the things with a star and to those with each of the tags most in use; None where there is neither.

    Args:
        kind: kind of the list.
        counts: every tag, and how many things have it.
        asked: present query of the list.
        starred: whether any thing of the kind has a star of the person.
    """
    shown = sorted(sorted(counts, key=lambda each: -each[1])[:_MOST_TAGS])
    words = [word for word, _ in shown]
    words += [asked.tag] if asked.tag and asked.tag not in words else []
    links = [_link(kind, icon("star", "s"), "Favourites", {"star": "1"}, asked.star)] if starred or asked.star else []
    links += [_link(kind, icon("tag", "s"), word, {"tag": word}, word == asked.tag) for word in words]
    return html.Nav(links, className="row g4 wrap mark-filters", **{"aria-label": "Only some"}) if links else None


def marks_cell(marks: Marks) -> list[Component]:
    """Return the star and tags of a row."""
    star = [
        html.Span([icon("star-filled", "s"), html.Span("Star", className="visually-hidden")], className="star-mark")
    ]
    tags = [html.Span(word, className="chip line tag", title=word) for word in marks.tags]
    return [*(star if marks.star else []), *tags]


def _link(kind: str, picture: Component, words: str, query: Mapping[str, str], chosen: bool) -> Component:
    """Return a link that asks for it, or where it is asked for already one back to all."""
    parts = [picture, words, *([icon("x", "s")] if chosen else [])]
    href = items()[kind].listing + ("" if chosen else f"?{urlencode(query)}")
    title = "Show all again" if chosen else f"Only {words}"
    return dcc.Link(parts, href=href, className="chip acc tag" if chosen else "chip line tag", title=title)
