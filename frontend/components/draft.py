"""Marks for text in progress, which `assets/drafts.js` keeps in the tab, offers again and does not let go without a question."""

from __future__ import annotations

from dash import html
from django.utils import timezone


def draft(*told_apart_by: str, kind: str = "", name: str = "", rows: str = "") -> dict[str, str]:
    """Return the properties of the element around a form.

    Args:
        told_apart_by: names in the query of the page's address that lead to other forms.
        kind: kind of a form whose script reads and writes what it holds; "" for one whose fields hold everything.
        name: name of the form, where a page has several.
        rows: id of the store with the rows of the form, of which other rows are drawn where it changes; "" for none.
    """
    marks = {"data-draft": " ".join(told_apart_by), "data-draft-kind": kind, "data-draft-name": name}
    return marks | ({"data-draft-rows": rows} if rows else {})


def stored_mark(leads_to: str = "") -> html.Span:
    """Return the mark that tells the script that the form is stored and where to go next."""
    return html.Span(hidden=True, **{"data-stored": timezone.now().isoformat(), "data-leads": leads_to})
