"""Rail of the page that edits hardware: picture and figures of a document, and the place where it will be saved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dash import html
from dash.development.base_component import Component

from engines.contract.errors import ProblemError
from engines.cost.calibration.unmeasured import builtin_inheritance_words
from engines.documents import families
from frontend.pages.hardware_form.view import facts, picture
from frontend.theme import Scheme
from hardware.package.model import ChipletPackage
from hardware.soc.model import Soc
from webapp.catalogue.models import Document
from webapp.teams.visibility import Principal, visible


def loaded(content: Mapping[str, Any]) -> Any:
    """Return the parsed document; None if it is invalid."""
    try:
        return families.load(content, "hardware")
    except ProblemError:
        return None


def drawn_picture(content: Mapping[str, Any], scheme: Scheme) -> list[Component]:
    """Return the picture of the current document; an empty list while it is invalid."""
    return picture(loaded(content), scheme)


def drawn_facts(content: Mapping[str, Any]) -> Component:
    """Return the figures of a package.

    Of other kinds the words that lists have, and what a copied device keeps of its calibration.
    """
    value = loaded(content)
    if isinstance(value, ChipletPackage):
        return facts(value)
    words = [html.Div(families.summary_of(content) if value is not None else "", className="sm t2 new-words")]
    if isinstance(value, Soc) and (told := builtin_inheritance_words(value)):
        words.append(html.Div(told, className="xs t2 new-words"))
    return html.Div(words)


def where_words(principal: Principal, project: str | None, content: Mapping[str, Any] | None) -> str:
    """Return the name and number under which the document will be saved."""
    slug = (content or {}).get("slug")
    if not project or not slug:
        return ""
    document = visible(principal, Document.objects.all()).filter(project__slug=project, kind="hardware", slug=slug)
    newest = document.order_by("-versions__number").values_list("versions__number", flat=True).first()
    return f"Saves version {(newest or 0) + 1} of {project}/{slug}"
