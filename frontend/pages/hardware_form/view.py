"""The parts of the page on which hardware is edited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html
from dash.development.base_component import Component

from frontend.components.button import button
from frontend.components.card import card
from frontend.components.form import FieldSpec, form_field
from frontend.components.icon import icon
from frontend.components.pictures.figure import plot
from frontend.components.pictures.legend import hardware_swatch
from frontend.figures.numbers import integer, significant
from frontend.ids.hardware_form import HardwareFormIds as Ids
from frontend.pages.catalogue.hardware.pictures import picture_of
from frontend.pages.drafts import hardware_facts
from frontend.pages.hardware_form.data import (
    NAMES,
    SCOPES,
    SEPARATOR,
    SIDES_KEY,
    SOURCE,
    Mesh,
    Mistake,
    cell_specs,
    field_groups,
    is_package,
    name_specs,
    opening_mesh,
    size_specs,
    value_at,
)
from frontend.pages.hardware_form.values import MOST_OPEN, ValueGroup, at, units_of, value_groups
from frontend.theme import Scheme, hardware_style
from hardware.package.model import ChipletPackage
from hardware.package.package_edits import classes_of
from hardware.package.schema import SIDES

PICTURE_WIDTH_PX, PICTURE_HEIGHT_PX = 374, 262
_MESH_PX, _LARGEST_CELL_PX, _SMALLEST_CELL_PX, _CELL_GAP_PX = 300, 64, 24, 4
_ROOMY_CELL_PX = 34


def form_body(content: Mapping[str, Any], source: str) -> list[Component]:
    """Return the form of a document: a package has its mesh and every other field, other kinds have one field per figure.

    Args:
        content: a valid document.
        source: text of the field for the source of changes.
    """
    return package_body(content, source) if is_package(content) else values_body(content, source)


def values_body(content: Mapping[str, Any], source: str) -> list[Component]:
    """Return one field per figure, in groups; long groups are folded."""
    words = {name: str(content.get(name, "")) for name in NAMES} | {SOURCE: source}
    groups = [ValueGroup("Name", name_specs(), words), *value_groups(content)]
    last = max((at for at, group in enumerate(groups) if group.unit), default=len(groups) - 1) + 1
    before, after = groups[:last], groups[last:]
    return [
        dcc.Store(id=Ids.BASE, data=dict(content)),
        *[_value_card(content, group) for group in before],
        unit_card(units_of(content)),
        *[_value_card(content, group) for group in after],
    ]


def unit_card(units: Sequence[str]) -> Component:
    """Return where a unit is added, alike one that is there; unseen for hardware without units, as callbacks name it."""
    name: Component = dmc.TextInput(id=Ids.UNIT_NAME, value="", label="Name of the new unit", size="xs", w=220)
    like: Component = dmc.Select(
        id=Ids.UNIT_LIKE, data=list(units), value=units[0] if units else None, label="Alike", allowDeselect=False, size="xs",
        w=160,
    )  # fmt: skip
    add = button("Add unit", id=Ids.UNIT_ADD, icon="plus")
    body = html.Div(
        [html.Div([name, like, add], className="row g12 hardware-add"), html.Div(id=Ids.UNIT_ERROR, role="alert")],
        className="stack",
    )
    return html.Div(card("Another unit", body), hidden=not units)


def _value_card(content: Mapping[str, Any], group: ValueGroup) -> Component:
    fields = [_value_field(content, spec, group.values[spec.name]) for spec in group.fields]
    grid: Component = html.Div(fields, className="form-grid")
    if len(fields) > MOST_OPEN:
        grid = html.Details([html.Summary(f"Show all {len(fields)}", className="form-more"), grid])
    unless = " unless it has another source" if group.sources else ""
    lines = [f"Source{unless}: {group.source}"] if group.source else []
    lines += [f"{number} {source}" for number, source in enumerate(group.sources, start=1)]
    told = html.Div([html.Div(line) for line in lines], className="xs t3 hardware-source") if lines else None
    remove = html.Button(
        [icon("trash", "s"), "Remove"],
        id={"type": Ids.UNIT_REMOVE_TYPE, "name": group.unit},
        className="btn quiet small",
        type="button",
        title=f"Remove the unit {group.unit}",
    )
    several = group.unit and len(units_of(content)) > 1
    return card(
        group.title, html.Div(grid, className="form hardware-values"), told, actions=[remove] if several else ()
    )


def _value_field(content: Mapping[str, Any], spec: FieldSpec, words: str) -> Component:
    field = form_field(spec, words, Ids.VALUE_TYPE)
    table = isinstance(at(content, spec.name.replace(SEPARATOR, ".")), list)
    return html.Div(field, className="hardware-wide") if table else field


def package_body(content: Mapping[str, Any], source: str) -> list[Component]:
    """Return the form of a package: its mesh, and every other field; arguments as for `form_body`."""
    mesh = opening_mesh(content)
    name, *others = field_groups()
    return [
        dcc.Store(id=Ids.BASE, data=dict(content)),
        dcc.Store(id=Ids.MESH, data=mesh.to_json()),
        _group_card(name, content, {SOURCE: source}),
        mesh_card(content, mesh),
        *[_group_card(group, content, {}) for group in others],
    ]


def _group_card(group: tuple[str, Any], content: Mapping[str, Any], values: Mapping[str, Any]) -> Component:
    title, specs = group
    shown = {
        spec.name: values.get(spec.name, None if spec.name == SOURCE else value_at(content, spec.name))
        for spec in specs
    }
    fields: list[Component] = [form_field(spec, shown[spec.name], Ids.FIGURE_TYPE) for spec in specs]
    if title == "Off-chip memory":
        fields.append(_sides(value_at(content, SIDES_KEY.replace(".", ":"))))
    return card(title, html.Div(html.Div(fields, className="form-grid"), className="form"))


def _sides(chosen: Sequence[str]) -> Component:
    boxes = [dmc.Checkbox(label=side.capitalize(), value=side, size="xs") for side in SIDES]
    group: Component = dmc.CheckboxGroup(
        html.Div(boxes, className="row g12 hardware-sides"), id=Ids.SIDES, value=list(chosen), label=None
    )
    words = html.Div("Every chiplet along a selected side has an interface", id=Ids.SIDES_ERROR, className="h")
    return html.Fieldset([html.Legend("Interfaces at"), group, words], className="field wide hardware-fieldset")


# -- mesh -------------------------------------------------------------------------------------------------------------


def mesh_card(content: Mapping[str, Any], mesh: Mesh) -> Component:
    """Return the mesh as a grid of buttons, and the fields of the chosen chiplet."""
    sizes = {"rows": len(mesh.cells), "columns": len(mesh.cells[0])}
    size = html.Div(
        [form_field(spec, sizes[name], Ids.SIZE_TYPE) for name, spec in size_specs().items()],
        className="hardware-size form",
    )
    grid = html.Div(mesh_grid(content, mesh, ()), id=Ids.GRID)
    scope: Component = dmc.SegmentedControl(
        id=Ids.SCOPE, data=[{"value": value, "label": words} for value, words in SCOPES], value="one", size="xs"
    )
    fields = [form_field(spec, mesh.chosen.figures[name], Ids.CELL_TYPE) for name, spec in cell_specs().items()]
    chosen = html.Div(
        [
            html.Div(chiplet_title(content, mesh), id=Ids.CHIPLET_TITLE, className="hardware-chosen", role="status"),
            html.Div([html.Span("Changes apply to", className="sm t2"), scope], className="row wrap"),
            html.Div(html.Div(fields, className="form-grid two"), className="form"),
        ],
        className="stack grow",
    )
    body = html.Div([html.Div([size, grid], className="stack"), chosen], className="row top hardware-mesh")
    return card("Chiplets", body, subtitle="click one to change it")


def mesh_grid(content: Mapping[str, Any], mesh: Mesh, wrong: Sequence[int]) -> Component:
    """Return one button per chiplet, in its tint and pattern."""
    columns = len(mesh.cells[0])
    fitting = (_MESH_PX - _CELL_GAP_PX * (columns - 1)) / columns
    size = max(_SMALLEST_CELL_PX, min(_LARGEST_CELL_PX, fitting))
    classes = [name for row in classes_of(content, mesh.cells) for name in row]
    buttons = []
    for index, cell in enumerate(cell for row in mesh.cells for cell in row):
        words = _chiplet_words(index, classes[index], cell.figures)
        label = html.Span(classes[index], className="mesh-label") if size >= _ROOMY_CELL_PX else None
        state = " on" if index == mesh.selected else ""
        buttons.append(
            html.Button(
                [hardware_swatch(str(cell.figures["dataflow"])), label],
                id={"type": Ids.CHIPLET_TYPE, "index": index},
                className=f"mesh-cell{state}{' wrong' if index in wrong else ''}",
                type="button",
                title=words,
                style={"width": size, "height": size},
                **{"aria-label": words, "aria-pressed": str(index == mesh.selected).lower()},
            )
        )
    style = {"gridTemplateColumns": f"repeat({columns}, {size:g}px)", "gap": _CELL_GAP_PX}
    return html.Div(buttons, className="mesh-grid", style=style, role="group", **{"aria-label": "Chiplets"})


def _chiplet_words(index: int, name: str, figures: Mapping[str, Any]) -> str:
    dataflow = hardware_style(str(figures["dataflow"])).label
    return f"C{index}, class {name}: {dataflow}, {_amount(figures['processing_elements'])} PE, {_amount(figures['buffer_mib'])} MiB"


def _amount(value: Any) -> str:
    if not isinstance(value, int | float):
        return str(value)
    return integer(value) if float(value).is_integer() else significant(value)


def chiplet_title(content: Mapping[str, Any], mesh: Mesh) -> list[Component]:
    """Return the title of the selected chiplet, with the number of equal ones."""
    name = [each for row in classes_of(content, mesh.cells) for each in row][mesh.selected]
    others = len(mesh.indices("alike")) - 1
    like = "no other is equal to it" if not others else f"{others} other{'s' if others > 1 else ''} equal to it"
    return [
        html.Span(f"C{mesh.selected}", className="b"),
        html.Span(f"class {name}, {like}", className="sm t2"),
    ]


# -- text -------------------------------------------------------------------------------------------------------------


def text_card(text: str, hidden: bool = True) -> Component:
    """Return the document as text, with numbers of lines."""
    area: Component = dmc.Textarea(
        id=Ids.TEXT,
        value=text,
        debounce=500,
        autosize=True,
        minRows=20,
        spellCheck=False,
        classNames={"input": "hardware-text mono"},
        className="grow",
        **{"aria-label": "The document as YAML"},
    )
    gutter = html.Div(
        gutter_lines(text, None), id=Ids.GUTTER, className="hardware-gutter mono", **{"aria-hidden": "true"}
    )
    body = html.Div([gutter, area], className="hardware-editor")
    return html.Div(card("YAML", body, flush=True), id=Ids.TEXT_CARD, hidden=hidden)


def gutter_lines(text: str, wrong: int | None) -> list[Component]:
    """Return the numbers of the lines; the one with a mistake stands out."""
    return [
        html.Div(str(number), className="bad" if number == wrong else "") for number in range(1, text.count("\n") + 2)
    ]


# -- rail -------------------------------------------------------------------------------------------------------------


def picture(value: Any, scheme: Scheme) -> list[Component]:
    """Return the picture of the current hardware; an empty list for a kind without a picture."""
    drawn = picture_of(value)
    if drawn is None:
        return []
    figure = drawn.figure(value, scheme, PICTURE_WIDTH_PX, PICTURE_HEIGHT_PX)
    return [html.Div([plot(figure, height_px=PICTURE_HEIGHT_PX, summary=drawn.sentence(value)), drawn.legend(value)])]


def facts(package: ChipletPackage) -> Component:
    """Return the facts of the package: chiplets, links and memory."""
    cells = [
        html.Div([html.Span(label, className="xs t3"), html.Div(value, className="sm m5 num")])
        for label, value in hardware_facts(package)
    ]
    return html.Div(cells, className="new-facts three")


def mistakes_list(mistakes: Sequence[Mistake]) -> Component | None:
    """Return the list of mistakes that prevent saving."""
    if not mistakes:
        return None
    lines = [html.Li([html.Span(_place(each), className="m5", title=each.key), f" {each.words}."]) for each in mistakes]
    title = "One problem to fix" if len(lines) == 1 else f"{len(lines)} problems to fix"
    head = html.Div([icon("alert-triangle", "s"), html.Span(title, className="b")], className="row")
    return html.Div([head, html.Ul(lines)], className="notice bad hardware-mistakes", role="alert")


def _place(mistake: Mistake) -> str:
    return f"Line {mistake.line}, {mistake.title}:" if mistake.line else f"{mistake.title}:"
