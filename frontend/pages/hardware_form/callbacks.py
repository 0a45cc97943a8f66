"""Callbacks of the form for hardware: what is typed into it becomes a document."""

from __future__ import annotations

from typing import Any

from dash import ALL, ClientsideFunction, Input, Output, State, callback, clientside_callback, ctx, html
from dash.exceptions import PreventUpdate

from frontend.components.form import field_class, format_value, help_text, parse_value
from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.pages.hardware_form.data import (
    SIDES_KEY,
    Mesh,
    built,
    cell_mistakes,
    cell_specs,
    draft_json,
    figure_specs,
    help_lines,
    size_specs,
    typed_value,
)
from frontend.pages.hardware_form.values import built_values, value_lines, value_specs
from frontend.pages.hardware_form.view import chiplet_title, mesh_grid
from hardware.package.package_edits import resized, with_figure

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
    """Show another chiplet, changed values of chiplets, or another size of the mesh."""
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
    """Return the mesh with what differs in the fields from the chosen chiplet changed in all chiplets that it is for."""
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
    """Return the document as the form describes it; mistakes next to their fields."""
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
    """Return the document as one field per figure describes it; mistakes next to their fields."""
    names = [each["name"] for each in ids]
    content, mistakes = built_values(base, dict(zip(names, values, strict=True)))
    lines = value_lines(base, names, mistakes)
    specs = value_specs(base)
    boxes = [field_class(specs[name], invalid=lines[name][1]) for name in names]
    return draft_json(content, mistakes), [lines[name][0] for name in names], boxes


clientside_callback(
    ClientsideFunction("hardware", "keepPlace"),
    Output(Ids.GRID, "title"),
    Input(Ids.GRID, "children"),
    prevent_initial_call=True,
)
