"""The common parts of the pages of hardware and workloads: head, tabs, the list at the left, versions, differences, YAML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from engines.contract.encoding.document_text import to_yaml
from engines.contract.errors import ProblemError
from engines.data.documents import IMAGE_DATA_SCHEMA
from engines.documents.document_consumers import takers_of
from engines.documents.reading_errors import reading_errors
from frontend.addresses import Exists
from frontend.components.button import button, link_button
from frontend.components.card import card
from frontend.components.chip import chip
from frontend.components.icon import icon
from frontend.components.items.delete_link import delete_link
from frontend.components.items.deleted_item import gone_page
from frontend.components.items.marks import marks_line
from frontend.components.items.move_link import move_link
from frontend.components.pictures.hardware_thumbnail import hardware_thumbnail
from frontend.components.tab_bar import tab_bar
from frontend.figures.hardware.soc_diagram import unit_finish
from frontend.figures.numbers import integer
from frontend.ids.catalogue import DocumentIds
from frontend.pages.catalogue.data import (
    NETWORK,
    SCENARIO,
    HardwareItem,
    WorkloadItem,
    address_of,
    hardware_groups,
    hardware_items,
    matches,
    workload_items,
)
from frontend.request import current_user, name_page
from webapp.annotations.marks import marks_of
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.service import DocumentEntry, get_entry, versions_of
from webapp.teams.visibility import NotVisible, Principal, may_edit

_NOUNS = {
    "hardware": "hardware",
    "workload": "workload",
    "calibration": "calibration",
    "environment": "environment",
    "data": "recording",
}


@dataclass(frozen=True)
class DocumentView:
    """A document as a page shows it: one version, and all there are (newest first; none of a built-in)."""

    entry: DocumentEntry
    versions: tuple[DocumentVersion, ...]

    @property
    def newest(self) -> int:
        """Number of the newest version."""
        return self.versions[0].number if self.versions else self.entry.version

    @property
    def current(self) -> bool:
        """Whether the version shown is the newest."""
        return self.entry.version == self.newest

    @property
    def reference(self) -> str:
        """The name by which a problem pins what is shown: with its number where that is not the newest."""
        return self.entry.name if self.current else f"{self.entry.name}@{self.entry.version}"


def find(principal: Principal, kind: str, name: str, version: str = "") -> DocumentView | None:
    """Return the document of an address; None where there is none that `principal` may see."""
    number = int(version) if version.isascii() and version.isdigit() and len(version) < 9 else None
    try:
        entry = get_entry(principal, kind, name.partition("@")[0], number)
        name_page(f"{entry.title} ({_NOUNS[kind]})")
        return DocumentView(entry, tuple(versions_of(principal, kind, entry.name)))
    except ProblemError:
        return None


def exists(kind: str, schema: str = "") -> Exists:
    """Return whether there is a document of that kind, and of that schema, at an address."""

    def found(principal: Principal, name: str, query: Mapping[str, str]) -> bool:
        shown = find(principal, kind, name, query.get("version", ""))
        return shown is not None and (not schema or shown.entry.schema == schema)

    return found


def not_found(principal: Principal, kind: str, name: str) -> Component:
    """Return one page for missing and for invisible documents; a deleted document is named as deleted."""
    actions = [link_button("To the catalogue", f"/catalogue?kind={kind}", kind="primary", size="small")]
    return gone_page(principal, "document", f"{kind}/{name}", f"This {_NOUNS[kind]} does not exist here", actions)


# -- head -------------------------------------------------------------------------------------------------------------


def head(shown: DocumentView, group: str, line: Component | None = None) -> Component:
    """Return the head of the page: path, title, version and actions, with a line of numbers below."""
    entry = shown.entry
    crumb = html.Nav(
        [
            dcc.Link("Catalogue", href=f"/catalogue?kind={entry.kind}"),
            icon("chevron-right", "s"),
            html.Span(group),
            icon("chevron-right", "s"),
            html.Span(entry.name, className="mono"),
        ],
        className="crumb",
        **{"aria-label": "Where you are"},
    )
    number = shown.versions[0].document_id if shown.versions else 0
    editable = bool(shown.versions) and may_edit(current_user(), shown.versions[0])
    state = "built in" if entry.builtin else "current" if shown.current else f"newest is v{shown.newest}"
    title = html.Div(
        [
            html.H1(entry.title, className="el", title=entry.title),
            chip(f"v{entry.version}, {state}", tone="acc" if shown.current else "warn"),
            *official_marks(entry),
            *_marks(number, editable),
            html.Span(str(entry.content.get("summary", "")) or entry.summary, className="sm t2 el document-words"),
        ],
        className="row grow run-title-row",
    )
    actions = [
        *([move_link("document", number)] if number else []),
        *delete_link("document", number, not entry.official and editable),
        *(
            [link_button("Edit" if editable else "Edit a copy", edit_href(entry), icon="edit")]
            if edit_href(entry)
            else []
        ),
        link_button("YAML", yaml_href(entry), icon="file-text", download=f"{entry.slug}-{entry.version}.yaml"),
        _explore(shown),
    ]
    top = html.Div([title, html.Div(actions, className="row")], className="row between")
    return html.Div([crumb, top, line, _reading_errors(entry)], className="head")


def _reading_errors(entry: DocumentEntry) -> Component | None:
    """Return a warning of errors by the reader of an earlier version, with the way to import again; None without such errors."""
    errors = reading_errors(entry.content)
    if not errors:
        return None
    words = f"An earlier version read this file. {' '.join(errors)} The stored values are unchanged."
    if entry.schema == IMAGE_DATA_SCHEMA:
        ways: list[Component] = [html.Span(f"{words} Import it again:"), html.Code("paretoscope import_data")]
    else:
        ways = [html.Span(words), link_button("Import again", "/catalogue/upload", icon="refresh", size="small")]
    return html.Div([icon("alert-triangle", "s"), *ways], className="strip warn run-strip")


def _marks(number: int, editable: bool) -> list[Component]:
    """Return the star and tags of a stored document; what is built in has none."""
    if not number:
        return []
    person = current_user()
    return [marks_line(person, "document", number, marks_of(person, "document", [number])[number], editable)]


def official_marks(entry: DocumentEntry) -> list[Component]:
    """Return the marks of official and of retired documents."""
    marks: list[Component] = []
    if entry.official:
        marks.append(
            chip("Official", tone="good", icon="circle-check", title="For all projects; administrators keep it")
        )
    if entry.retired:
        marks.append(chip("Retired", tone="warn", title="No longer offered; runs that pinned it keep it"))
    return marks


def yaml_href(entry: DocumentEntry) -> str:
    """Return the address of the YAML of a version."""
    query = {"version": entry.version} | ({"project": entry.project} if entry.project else {})
    return f"/api/v1/documents/{entry.kind}/{quote(entry.slug)}/document.yaml?{urlencode(query)}"


def edit_href(entry: DocumentEntry) -> str:
    """Return the address of the form for a hardware document or scenario; "" for a network, which has none."""
    page = (
        "/hardware/new"
        if entry.kind == "hardware"
        else "/scenarios/new"
        if entry.schema.startswith("scenario/")
        else ""
    )
    return f"{page}?{urlencode({'from': entry.name, 'version': entry.version}, safe='/')}" if page else ""


def _explore(shown: DocumentView) -> Component:
    href = explore_href(shown)
    if href is None:
        hint = "No installed engine uses documents of this kind yet"
        return button("Explore with this", icon="arrow-right", kind="primary", disabled=True, title=hint)
    return link_button("Explore with this", href, icon="arrow-right", kind="primary")


def explore_href(shown: DocumentView) -> str | None:
    """Return the link to a new run with the document filled in, for an engine that accepts it; None without such an engine."""
    entry = shown.entry
    for engine, slot in takers_of(entry.kind, entry.schema):
        return f"/new?{urlencode({'engine': engine, slot: shown.reference}, safe='/@')}"
    return None


def tabs(names: Mapping[str, str], chosen: str) -> Component:
    """Return the tabs of a page; `names` maps each to its words."""
    buttons = [
        html.Button(
            words,
            id={"type": DocumentIds.TAB_TYPE, "name": name},
            className=tab_class(name, chosen),
            type="button",
            role="tab",
            **{"aria-selected": str(name == chosen).lower()},
        )
        for name, words in names.items()
    ]
    return tab_bar(buttons, "Views of the document")


def tab_class(name: str, chosen: str) -> str:
    """Return the classes of a tab, for whether it is open."""
    return "ptab on" if name == chosen else "ptab"


# -- list at the left -------------------------------------------------------------------------------------------------


def rail(principal: Principal, shown: DocumentView) -> Component:
    """Return all documents of the kind with a field that filters them."""
    kind = shown.entry.kind
    words = "Filter hardware" if kind == "hardware" else "Filter workloads"
    field: Component = dmc.TextInput(
        id=DocumentIds.LIST_SEARCH,
        placeholder=words,
        debounce=150,
        leftSection=icon("search", "s"),
        **{"aria-label": words},
    )
    entries = html.Div(
        rail_entries(principal, kind, shown.entry.name, ""), id=DocumentIds.LIST, className="document-list"
    )
    return html.Aside([field, entries], className="card document-rail", **{"aria-label": "Other documents"})


def rail_entries(principal: Principal, kind: str, chosen: str, query: str) -> list[Component]:
    """Return the links to the documents that match, under the name of their group."""
    items: Sequence[HardwareItem | WorkloadItem]
    groups: Sequence[str]
    if kind == "hardware":
        items, groups = hardware_items(principal), hardware_groups()
    else:
        items, groups = workload_items(principal), (SCENARIO, NETWORK)
    found = [item for item in items if matches(item.entry, query, item.group)]
    parts: list[Component] = []
    for group in groups:
        members = [item for item in found if item.group == group]
        if members:
            title = f"{group}s" if kind == "workload" else group
            parts.append(
                html.Div([title, html.Span(f" {integer(len(members))}", className="t3 num")], className="list-head")
            )
            parts += [_rail_entry(item, chosen) for item in members]
    return parts or [html.Div("Nothing matches.", className="sm t3 document-none")]


def _rail_entry(item: HardwareItem | WorkloadItem, chosen: str) -> Component:
    entry = item.entry
    on = entry.name == chosen
    mark = (
        hardware_thumbnail((tuple(map(unit_finish, item.kinds)),), 16 * len(item.kinds))
        if isinstance(item, HardwareItem) and item.kinds
        else None
    )
    current = {"aria-current": "page"} if on else {}
    parts = [mark, html.Span(entry.title, className="el", **current), html.Span(className="sp")]
    return dcc.Link(
        [*filter(None, parts), html.Span(f"v{entry.version}", className="xs t3 num")],
        href=address_of(entry),
        className="li on" if on else "li",
        title=entry.title,
    )


def yaml_tab(shown: DocumentView) -> Component:
    """Return the document as it is stored again."""
    download = link_button("Download", yaml_href(shown.entry), icon="download", kind="quiet", size="small",
                           download=f"{shown.entry.slug}-{shown.entry.version}.yaml")  # fmt: skip
    text = html.Pre(to_yaml(shown.entry.content), className="mono command document-yaml", tabIndex="0")
    return card("YAML", text, subtitle="imports as the same document", actions=[download])


def shown_of(document: dict[str, Any]) -> DocumentView:
    """Return the document that a page is about.

    Raises:
        NotVisible: it is not there any more.
    """
    kind, name, version = (str(document.get(key)) for key in ("kind", "name", "version"))
    shown = find(current_user(), kind, name, version)
    if shown is None:
        raise NotVisible("The document no longer exists.")
    return shown
