"""Changes to a package document, chiplet by chiplet, with classes named and sources kept as they must be.

A form changes single chiplets; a document names classes of chiplets. Here one becomes the other: chiplets with equal figures
share a class, and a figure that was changed gets a source of its own, while every other keeps where it is from.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hardware.package.loader import FIGURE_SECTIONS, load_package, row_names
from hardware.package.schema import ChipletSection
from hardware.sources import covers, spread_sources
from hardware.validation import figures_of

OPTIONAL_FIGURES = ("capacity_gib",)
CELL_FIGURES = tuple(ChipletSection.model_fields)


@dataclass(frozen=True)
class Cell:
    """One chiplet of a mesh that is being edited.

    Attributes:
        origin: the class that it had in the document the editing started from.
        figures: as under `chiplets.<class>`; values as people typed them, which need not be valid.
    """

    origin: str
    figures: Mapping[str, Any]


Cells = tuple[tuple[Cell, ...], ...]


def cells_of(content: Mapping[str, Any]) -> Cells:
    """Return the chiplets of a valid document, row by row."""
    classes = content["chiplets"]
    rows = (row_names(line, classes) for line in content["package"]["layout"])
    return tuple(tuple(Cell(name, dict(classes[name])) for name in row) for row in rows)


def resized(cells: Cells, rows: int, columns: int) -> Cells:
    """Return the mesh in another size: cut off, or continued with its last row and column."""
    wide = [(*row[:columns], *[row[-1]] * (columns - len(row))) for row in cells[:rows]]
    return (*wide, *[wide[-1]] * (rows - len(wide)))


def with_figure(cells: Cells, indices: Sequence[int], name: str, value: Any) -> Cells:
    """Return the chiplets of these numbers (row-major, from 0) with one figure changed."""
    chosen, columns = set(indices), len(cells[0])
    return tuple(
        tuple(
            replace(cell, figures={**cell.figures, name: value}) if row * columns + column in chosen else cell
            for column, cell in enumerate(line)
        )
        for row, line in enumerate(cells)
    )


def edited(base: Mapping[str, Any], cells: Cells, changes: Mapping[str, Any], source: str) -> dict[str, Any]:
    """Return the document with other chiplets and other values.

    Args:
        base: the valid document that the editing started from.
        cells: the mesh.
        changes: "key" or "section.key" -> value; None leaves an optional figure out.
        source: source of changed values.

    Returns:
        A document that may be invalid where typed values are; its sources cover its figures.
    """
    content: dict[str, Any] = {key: dict(value) if isinstance(value, Mapping) else value for key, value in base.items()}
    for dotted, value in changes.items():
        section, _, key = dotted.rpartition(".")
        place = content[section] if section else content
        place[key] = value
        if value is None and key in OPTIONAL_FIGURES:
            del place[key]
    names = _class_names(base["chiplets"], cells)
    layout = [" ".join(names[_key(cell)] for cell in row) for row in cells]
    content["package"] |= {"rows": len(cells), "columns": len(cells[0])}
    if cells_of(base) != cells:
        content["package"]["layout"] = layout
    origins = {names[_key(cell)]: cell.origin for cell in reversed(list(_flat(cells)))}
    used = {names[_key(cell)]: dict(cell.figures) for cell in _flat(cells)}
    content["chiplets"] = {**base["chiplets"], **used}
    content["sources"] = _sources(base, content, origins, source)
    return content


def classes_of(base: Mapping[str, Any], cells: Cells) -> tuple[tuple[str, ...], ...]:
    """Return the class of every chiplet, as `edited` names them."""
    names = _class_names(base["chiplets"], cells)
    return tuple(tuple(names[_key(cell)] for cell in row) for row in cells)


def _flat(cells: Cells) -> Iterator[Cell]:
    return (cell for row in cells for cell in row)


def _key(cell: Cell) -> str:
    # Typed values may be of any type (1 and "1" are different mistakes), so their words tell them apart.
    return repr([cell.figures.get(name) for name in CELL_FIGURES])


def _class_names(classes: Mapping[str, Mapping[str, Any]], cells: Cells) -> dict[str, str]:
    """Return figures of a chiplet -> name of its class: an old class of that very content, else its own if free, else a letter."""
    groups = {_key(cell): cell.origin for cell in reversed(list(_flat(cells)))}
    groups = {_key(cell): groups[_key(cell)] for cell in _flat(cells)}
    known: dict[str, list[str]] = {}
    for name, figures in classes.items():
        known.setdefault(_key(Cell(name, figures)), []).append(name)
    names = {key: _own_or_first(known[key], origin) for key, origin in groups.items() if key in known}
    taken = set(names.values())
    free = (letter for letter in string.ascii_uppercase if letter not in classes and letter not in taken)
    for key, origin in groups.items():
        if key not in names:
            names[key] = origin if origin not in taken else next(free, f"{origin}-{len(names)}")
            taken.add(names[key])
    return names


def _own_or_first(candidates: Sequence[str], origin: str) -> str:
    return origin if origin in candidates else candidates[0]


def _sources(
    base: Mapping[str, Any], content: Mapping[str, Any], origins: Mapping[str, str], source: str
) -> dict[str, str]:
    """Return the sources of `base` with those of changed figures, and without those that cover nothing any more."""
    before, slug = load_package(base).sources, str(base.get("slug"))
    old_figures = {key: _value(base, key) for key in before}
    wanted = {}
    for figure in figures_of(content, FIGURE_SECTIONS):
        old = _original(figure, origins)
        same = old in old_figures and old_figures[old] == _value(content, figure)
        wanted[figure] = before[old] if same else source
    kept = {key: words for key, words in base["sources"].items() if any(covers(key, figure) for figure in wanted)}
    covered = [figure for figure in wanted if any(covers(key, figure) for key in kept)]
    spread = spread_sources(kept, covered, slug)
    return kept | {figure: words for figure, words in wanted.items() if spread.get(figure) != words}


def _original(figure: str, origins: Mapping[str, str]) -> str:
    """Return the figure of `base` that a figure of the edited document was made from."""
    section, _, rest = figure.partition(".")
    if section != "chiplets":
        return figure
    name, _, key = rest.rpartition(".")
    return f"chiplets.{origins.get(name, name)}.{key}"


def _value(content: Mapping[str, Any], key: str) -> Any:
    section, _, rest = key.partition(".")
    if section == "chiplets":
        name, _, figure = rest.rpartition(".")
        return content["chiplets"][name][figure]
    return content[section][rest] if rest else content[section]
