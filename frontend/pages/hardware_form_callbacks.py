"""Callbacks of the page on which hardware is edited."""

from __future__ import annotations

from typing import Any

from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, dcc, html, no_update
from dash.exceptions import PreventUpdate

from engines.errors import ProblemError
from frontend.bridge import current_user
from frontend.components.button import link_button
from frontend.components.form import field_class, format_value, help_text, parse_value
from frontend.components.states import notice
from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.ids.shell import ShellIds
from frontend.pages.catalogue_data import address_of
from frontend.pages.catalogue_document import explore_href, find
from frontend.pages.hardware_form_data import (
    SIDES_KEY,
    Mesh,
    Mistake,
    built,
    cell_mistakes,
    cell_specs,
    draft_json,
    draft_text,
    figure_specs,
    help_lines,
    mistake_of,
    size_specs,
    typed_value,
)
from frontend.pages.hardware_form_drawing import drawn_facts, drawn_picture, where_words
from frontend.pages.hardware_form_values import built_values, value_lines, value_specs
from frontend.pages.hardware_form_view import chiplet_title, form_body, gutter_lines, mesh_grid, mistakes_list
from frontend.pages.run_words import person_name
from hardware.package_editing import resized, with_figure
from webapp.catalogue.service import store, validate
from webapp.teams.visibility import NotAllowed, editable_projects

CHIPLETS = {"type": Ids.CHIPLET_TYPE, "index": ALL}
CELLS = {"type": Ids.CELL_TYPE, "name": ALL}
SIZES = {"type": Ids.SIZE_TYPE, "name": ALL}
FIGURES = {"type": Ids.FIGURE_TYPE, "name": ALL}
VALUES = {"type": Ids.VALUE_TYPE, "name": ALL}
SIDES_WORDS = "Every chiplet at such a side has an interface"


def _lines(id_type: str) -> dict[str, Any]:
    return {"type": f"{id_type}-help", "name": ALL}


def _boxes(id_type: str) -> dict[str, Any]:
    return {"type": f"{id_type}-field", "name": ALL}


# -- the mesh ---------------------------------------------------------------------------------------------------------


@callback(
    Output(Ids.MESH, "data"),
    Output(CELLS, "value"),
    Output(Ids.CHIPLET_TITLE, "children"),
    Output(_lines(Ids.SIZE_TYPE), "children"),
    Output(_boxes(Ids.SIZE_TYPE), "className"),
    Input(CHIPLETS, "n_clicks"),
    Input(CELLS, "value"),
    Input(SIZES, "value"),
    State(CELLS, "id"),
    State(SIZES, "id"),
    State(Ids.SCOPE, "value"),
    State(Ids.MESH, "data"),
    State(Ids.BASE, "data"),
    prevent_initial_call=True,
)
def edit_mesh(
    clicks: list[int | None],
    values: list[Any],
    sizes: list[Any],
    ids: list[dict[str, str]],
    size_ids: list[dict[str, str]],
    scope: str,
    data: dict[str, Any],
    base: dict[str, Any],
) -> Any:
    """Another chiplet is chosen, figures of chiplets change, or the mesh gets another size."""
    mesh, specs = Mesh.from_json(data), cell_specs()
    names = [each["name"] for each in ids]
    asked = {
        each["name"]: parse_value(size_specs()[each["name"]], value)
        for each, value in zip(size_ids, sizes, strict=True)
    }
    changed = ctx.triggered_id if isinstance(ctx.triggered_id, dict) else {}
    if changed.get("type") == Ids.CHIPLET_TYPE:
        if not any(clicks):
            raise PreventUpdate
        mesh = Mesh(mesh.cells, int(changed["index"]))
    elif changed.get("type") == Ids.CELL_TYPE:
        mesh = _with_cell(
            mesh, scope, {name: typed_value(specs[name], value) for name, value in zip(names, values, strict=True)}
        )
    elif all(isinstance(size, int) and 1 <= size <= spec.maximum for size, spec in _sizes(asked)):
        cells = resized(mesh.cells, asked["rows"], asked["columns"])
        mesh = Mesh(cells, min(mesh.selected, len(cells) * len(cells[0]) - 1))
    wrong = {name for name, size in asked.items() if not _fits(size, size_specs()[name])}
    shown = [format_value(specs[name], mesh.chosen.figures[name]) for name in names]
    return (
        mesh.to_json(),
        shown,
        chiplet_title(base, mesh),
        [_size_words(each["name"], asked, wrong) for each in size_ids],
        [field_class(size_specs()[each["name"]], invalid=each["name"] in wrong) for each in size_ids],
    )


def _with_cell(mesh: Mesh, scope: str, typed: dict[str, Any]) -> Mesh:
    """The mesh with what differs in the fields from the chosen chiplet changed in all chiplets that it is for."""
    cells, indices = mesh.cells, mesh.indices(scope)
    for name, value in typed.items():
        if value != mesh.chosen.figures[name]:
            cells = with_figure(cells, indices, name, value)
    return Mesh(cells, mesh.selected)


def _sizes(asked: dict[str, Any]) -> list[tuple[Any, Any]]:
    return [(size, size_specs()[name]) for name, size in asked.items()]


def _fits(size: Any, spec: Any) -> bool:
    return isinstance(size, int) and spec.minimum <= size <= spec.maximum


def _size_words(name: str, asked: dict[str, Any], wrong: set[str]) -> str:
    words = help_text(size_specs()[name])
    return f"Must be a whole number, {words}. Got {asked[name]} instead" if name in wrong else words


# -- form -> document -------------------------------------------------------------------------------------------------


@callback(
    Output(Ids.DRAFT, "data"),
    Output(_lines(Ids.FIGURE_TYPE), "children"),
    Output(_boxes(Ids.FIGURE_TYPE), "className"),
    Output(_lines(Ids.CELL_TYPE), "children"),
    Output(_boxes(Ids.CELL_TYPE), "className"),
    Output(Ids.GRID, "children"),
    Output(Ids.SIDES_ERROR, "children"),
    Input(Ids.MESH, "data"),
    Input(FIGURES, "value"),
    Input(Ids.SIDES, "value"),
    State(FIGURES, "id"),
    State(CELLS, "id"),
    State(Ids.BASE, "data"),
    prevent_initial_call=True,
)
def build(
    data: dict[str, Any],
    values: list[Any],
    sides: list[str],
    ids: list[dict[str, str]],
    cell_ids: list[dict[str, str]],
    base: dict[str, Any],
) -> Any:
    """The document as the form describes it; mistakes beside their fields."""
    mesh = Mesh.from_json(data)
    names = [each["name"] for each in ids]
    content, mistakes = built(base, mesh, dict(zip(names, values, strict=True)), sides)
    lines, specs = help_lines(names, mistakes), figure_specs()
    wrong = cell_mistakes(mesh, base, mistakes)
    cells, own = cell_specs(), wrong.get(mesh.selected, {})
    cell_names = [each["name"] for each in cell_ids]
    beside = next((each.words for each in mistakes if each.key.startswith(SIDES_KEY)), "")
    return (
        draft_json(content, mistakes),
        [lines[name][0] for name in names],
        [field_class(specs[name], invalid=lines[name][1]) for name in names],
        [own.get(name) or help_text(cells[name]) for name in cell_names],
        [field_class(cells[name], invalid=name in own) for name in cell_names],
        mesh_grid(base, mesh, sorted(wrong)),
        html.Span(beside, className="err") if beside else SIDES_WORDS,
    )


@callback(
    Output(Ids.DRAFT, "data", allow_duplicate=True),
    Output(_lines(Ids.VALUE_TYPE), "children"),
    Output(_boxes(Ids.VALUE_TYPE), "className"),
    Input(VALUES, "value"),
    State(VALUES, "id"),
    State(Ids.BASE, "data"),
    prevent_initial_call=True,
)
def build_values(values: list[Any], ids: list[dict[str, str]], base: dict[str, Any]) -> Any:
    """The document as one field per figure describes it; mistakes beside their fields."""
    names = [each["name"] for each in ids]
    content, mistakes = built_values(base, dict(zip(names, values, strict=True)))
    lines = value_lines(base, names, mistakes)
    specs = value_specs(base)
    boxes = [field_class(specs[name], invalid=lines[name][1]) for name in names]
    return draft_json(content, mistakes), [lines[name][0] for name in names], boxes


# -- text -------------------------------------------------------------------------------------------------------------


@callback(
    Output(Ids.DRAFT, "data", allow_duplicate=True),
    Output(Ids.GUTTER, "children"),
    Input(Ids.TEXT, "value"),
    State(Ids.MODE, "value"),
    prevent_initial_call=True,
)
def check_text(text: str | None, mode: str) -> Any:
    """Whether the text reads as hardware; the line with the first mistake stands out."""
    if mode != "text":
        return no_update, gutter_lines(text or "", None)
    draft = _read(text or "")
    wrong = draft["mistakes"][0]["line"] if draft["mistakes"] else None
    return draft, gutter_lines(text or "", wrong)


def _read(text: str) -> dict[str, Any]:
    """The draft that a text describes; it is read in a process of its own, which takes a moment."""
    try:
        return draft_json(validate(current_user(), "hardware", text), [], text)
    except ProblemError as error:
        return draft_json(None, [mistake_of(error)], text)


@callback(
    Output(Ids.FORM, "hidden"),
    Output(Ids.TEXT_CARD, "hidden"),
    Output(Ids.TEXT, "value"),
    Output(Ids.FORM, "children"),
    Output(Ids.MODE, "value"),
    Output(Ids.MODE_ERROR, "children"),
    Output(Ids.DRAFT, "data", allow_duplicate=True),
    Input(Ids.MODE, "value"),
    State(Ids.DRAFT, "data"),
    State(Ids.TEXT, "value"),
    prevent_initial_call=True,
)
def change_mode(mode: str, draft: dict[str, Any], typed: str | None) -> Any:
    """From the form to the text and back; a text with a mistake stays a text."""
    if mode == "text":
        return (
            True,
            False,
            draft_text(draft),
            no_update,
            mode,
            None,
            draft_json(draft["content"], _mistakes(draft), draft_text(draft)),
        )
    draft = draft if draft["text"] == typed else _read(typed or "")
    if draft["mistakes"]:
        words = "The form shows documents without mistakes. Mend the text first."
        return True, False, no_update, no_update, "text", notice(words, tone="warn"), no_update
    content = draft["content"]
    source = f"assumed; chosen by {person_name(current_user())}"
    return False, True, no_update, form_body(content, source), mode, None, draft_json(content, [])


def _mistakes(draft: dict[str, Any]) -> list[Mistake]:
    return [Mistake(**each) for each in draft["mistakes"]]


# -- rail -------------------------------------------------------------------------------------------------------------


@callback(
    Output(Ids.PICTURE, "children"),
    Output(Ids.FACTS, "children"),
    Output(Ids.ERRORS, "children"),
    Output(Ids.SAVE, "disabled"),
    Output(Ids.WHERE, "children"),
    Output(Ids.UNSAVED, "children"),
    Input(Ids.DRAFT, "data"),
    Input(Ids.PROJECT, "value"),
    Input(Ids.STORED, "data"),
    Input(ShellIds.SCHEME, "data"),
    State(Ids.OPENED, "data"),
    prevent_initial_call=True,
)
def draw(
    draft: dict[str, Any],
    project: str | None,
    stored: dict[str, Any] | None,
    scheme: Any,
    opened: dict[str, Any] | None,
) -> Any:
    """Picture and figures of the document as it stands, what must be mended, and where it will be saved.

    With mistakes in it, picture and figures stay those of the last document without.
    """
    content, mistakes = draft["content"], _mistakes(draft)
    listed = mistakes_list(mistakes)
    where = where_words(current_user(), project, content)
    # Words typed right before the click on Save may arrive after it. The script asks before a page with such words is left.
    unsaved = ""
    if content != (stored or opened):
        unsaved = "Changed since it was saved." if stored else "Not saved yet."
    if mistakes:
        return no_update, no_update, listed, True, where, unsaved
    return drawn_picture(content, scheme), drawn_facts(content), listed, False, where, unsaved


@callback(
    Output(Ids.SAVED, "children"),
    Output(Ids.STORED, "data"),
    Input(Ids.SAVE, "n_clicks"),
    State(Ids.DRAFT, "data"),
    State(Ids.TEXT, "value"),
    State(Ids.MODE, "value"),
    State(Ids.PROJECT, "value"),
    prevent_initial_call=True,
    running=[(Output(Ids.SAVE, "disabled"), True, False)],
)
def save(clicks: int | None, draft: dict[str, Any], typed: str | None, mode: str, slug: str | None) -> Any:
    """Store the document as the next version of the one that its slug names, in the chosen project."""
    if not clicks:
        raise PreventUpdate
    principal = current_user()
    project = editable_projects(principal).filter(slug=slug).first()
    if project is None:
        return notice("Choose a project in which you may store documents.", tone="bad"), no_update
    content = (typed or "") if mode == "text" else draft["content"]
    try:
        version, new = store(principal, project, "hardware", content)
    except (ProblemError, NotAllowed) as error:
        return notice(str(error), tone="bad"), no_update
    name = f"{project.slug}/{version.document.slug}"
    words = (
        f"Saved as version {version.number} of {name}." if new else f"Version {version.number} of {name} says the same."
    )
    shown = find(principal, "hardware", name)
    href = explore_href(shown) if shown else None
    actions = [link_button("Start an exploration with this", href, icon="arrow-right")] if href else []
    if shown:
        actions.append(link_button("In the catalogue", address_of(shown.entry)))
    body = html.Div([notice(words), html.Div(actions, className="row wrap")], className="stack")
    return body, version.content


@callback(
    Output(Ids.DOWNLOAD_FILE, "data"),
    Input(Ids.DOWNLOAD, "n_clicks"),
    State(Ids.DRAFT, "data"),
    prevent_initial_call=True,
)
def download(clicks: int | None, draft: dict[str, Any]) -> Any:
    """The document as it stands, as YAML."""
    if not clicks:
        raise PreventUpdate
    slug = (draft["content"] or {}).get("slug") or "hardware"
    return dcc.send_string(draft_text(draft), f"{slug}.yaml", type="application/yaml")


clientside_callback(
    ClientsideFunction("hardware", "keepPlace"),
    Output(Ids.GRID, "title"),
    Input(Ids.GRID, "children"),
    prevent_initial_call=True,
)
