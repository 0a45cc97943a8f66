"""Data of the page that edits hardware: fields of a package, the mesh being edited, mistakes. No components."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from engines.contract.encoding.document_text import to_yaml
from engines.contract.errors import ProblemError
from frontend.components.form import FieldSpec, field_specs, help_text, parse_value
from frontend.theme import hardware_style
from hardware.errors import HardwareError, explained
from hardware.figure_table import title_of, unit_of
from hardware.package.loader import check_package
from hardware.package.package_edits import CELL_FIGURES, Cell, Cells, cells_of, classes_of, edited
from hardware.package.schema import (
    MAX_MESH,
    SCHEMA,
    ArithmeticSection,
    ChipletSection,
    NetworkOnPackageSection,
    OffChipMemorySection,
    PackageDocument,
)
from hardware.value_edits import in_words

Scope = Literal["one", "alike", "row", "column", "all"]
SCOPES: tuple[tuple[Scope, str], ...] = (
    ("one", "This one"),
    ("alike", "All like it"),
    ("row", "Its row"),
    ("column", "Its column"),
    ("all", "All"),
)
# Of a changed figure; stands beside the fields as a field of its own, as every figure must say where it is from.
SOURCE = "source of changes"
SIDES_KEY = "off_chip_memory.interface_sides"
# Words about a document, which every kind of hardware has.
NAMES = ("title", "slug", "summary", "source")
# Dash takes no dots in ids.
SEPARATOR = ":"
# "a number at most 20", and not "small letters (simba-3x3)".
_NUMBER_LAST = re.compile(r"(?<![\w-])[-+]?\d[\d.]*(e[-+]?\d+)?$")
# Bounds that only keep out slips are no help to anybody.
_BEYOND_USE = 1e4


@dataclass(frozen=True)
class Mistake:
    """Something that is wrong with what was typed: dotted key, words, line of the text where that is known.

    The words have values in the unit of their field, which is that of the document.
    """

    key: str
    words: str
    line: int | None = None

    @property
    def title(self) -> str:
        """Return the title of its field."""
        return title_of(self.key)


@dataclass(frozen=True)
class Mesh:
    """The chiplets being edited, and the number of the one that is chosen."""

    cells: Cells
    selected: int = 0

    @property
    def chosen(self) -> Cell:
        """The chosen chiplet."""
        return self.cells[self.selected // len(self.cells[0])][self.selected % len(self.cells[0])]

    def indices(self, scope: str) -> list[int]:
        """Return the chiplets that a change is for."""
        columns = len(self.cells[0])
        everyone = range(len(self.cells) * columns)
        if scope == "one":
            return [self.selected]
        if scope == "alike":
            return [i for i in everyone if self.cells[i // columns][i % columns].figures == self.chosen.figures]
        row, column = divmod(self.selected, columns)
        if scope == "row":
            return [i for i in everyone if i // columns == row]
        return [i for i in everyone if scope == "all" or i % columns == column]

    def to_json(self) -> dict[str, Any]:
        """Return the content for a browser-side store."""
        rows = [[{"origin": cell.origin, "figures": dict(cell.figures)} for cell in row] for row in self.cells]
        return {"rows": rows, "selected": self.selected}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Mesh:
        """Return the mesh that `to_json` wrote."""
        return Mesh(tuple(tuple(Cell(**cell) for cell in row) for row in data["rows"]), data["selected"])


def opening_mesh(content: Mapping[str, Any]) -> Mesh:
    """Return the chiplets of a document, the first one chosen."""
    return Mesh(cells_of(content))


# -- fields -----------------------------------------------------------------------------------------------------------


def field_groups() -> tuple[tuple[str, tuple[FieldSpec, ...]], ...]:
    """Return title -> fields of everything but the chiplets; names are those of the ids."""
    document = {spec.name: spec for spec in field_specs(PackageDocument)}
    return (
        ("Name", name_specs()),
        ("Links between chiplets", _section("network_on_package", NetworkOnPackageSection)),
        ("Off-chip memory", _section("off_chip_memory", OffChipMemorySection)),
        ("Energy of arithmetic", _section("arithmetic", ArithmeticSection)),
        ("Whole package", tuple(_plain(document[name]) for name in ("clock_mhz", "process_node_nm", "word_bytes"))),
    )


def name_specs() -> tuple[FieldSpec, ...]:
    """Return the words about a document, and where changed figures are from."""
    document = {spec.name: spec for spec in field_specs(PackageDocument)}
    words = FieldSpec(SOURCE, "Source of your changes", "text", "", help="Every value has a source")
    return (*(document[name] for name in NAMES), words)


def figure_specs() -> dict[str, FieldSpec]:
    """Name -> field of everything but the chiplets."""
    return {spec.name: spec for _, specs in field_groups() for spec in specs}


def cell_specs() -> dict[str, FieldSpec]:
    """Name -> field of one chiplet."""
    specs = {spec.name: _plain(spec) for spec in field_specs(ChipletSection)}
    dataflow = specs["dataflow"]
    choices = tuple((value, hardware_style(str(value)).label) for value, _ in dataflow.choices)
    return specs | {"dataflow": replace(dataflow, choices=choices)}


def size_specs() -> dict[str, FieldSpec]:
    """Name -> field of the size of the mesh."""
    return {
        name: FieldSpec(name, name.capitalize(), "integer", None, minimum=1, maximum=MAX_MESH)
        for name in ("rows", "columns")
    }


def value_at(content: Mapping[str, Any], name: str) -> Any:
    """Return the entry of a document for a field; "" for words that it leaves out, None for figures."""
    section, _, key = name.rpartition(SEPARATOR)
    return content[section].get(key) if section else content.get(key, "")


def _section(key: str, model: Any) -> tuple[FieldSpec, ...]:
    specs = (spec for spec in field_specs(model) if f"{key}.{spec.name}" != SIDES_KEY)
    return tuple(replace(_plain(spec), name=f"{key}{SEPARATOR}{spec.name}") for spec in specs)


def _plain(spec: FieldSpec) -> FieldSpec:
    return replace(spec, maximum=None) if spec.maximum is not None and spec.maximum >= _BEYOND_USE else spec


# -- the document -----------------------------------------------------------------------------------------------------


def built(
    base: Mapping[str, Any], mesh: Mesh, raw: Mapping[str, Any], sides: Sequence[str]
) -> tuple[dict[str, Any], list[Mistake]]:
    """Return the document that a form describes, and everything that is wrong with it.

    Args:
        base: the valid document that was opened.
        mesh: its chiplets as they stand in the form.
        raw: name of a field -> what was typed.
        sides: sides with interfaces.
    """
    specs = figure_specs()
    typed = {name: typed_value(specs[name], value) for name, value in raw.items() if name != SOURCE}
    changes = {name.replace(SEPARATOR, "."): value for name, value in typed.items() if value != value_at(base, name)}
    if list(sides) != list(value_at(base, SIDES_KEY.replace(".", SEPARATOR))):
        changes[SIDES_KEY] = list(sides)
    source = str(raw.get(SOURCE) or "").strip()
    content = edited(base, mesh.cells, changes, source or "assumed")
    mistakes = [mistake_of(error) for error in check_package(content, "document")]
    return content, mistakes if source else [*mistakes, Mistake(SOURCE, "Words are needed")]


def typed_value(spec: FieldSpec, raw: Any) -> Any:
    """Return a typed value, with whole numbers as int, so that 100 stays 100 in the document."""
    value = parse_value(spec, raw)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def mistake_of(error: HardwareError | ProblemError) -> Mistake:
    """Return an error of a loader in words that stand next to a field."""
    key = error.key if isinstance(error, HardwareError) else error.field
    if error.got is None:
        words = f"A value is needed: {error.accepted}"
        return Mistake(key, explained(words, error.reason, error.remedies), error.line)
    if error.accepted == "not empty":
        return Mistake(key, "Must have a value", error.line)
    unit = unit_of(key)
    accepted = _with_unit(str(error.accepted), unit) if _NUMBER_LAST.search(str(error.accepted)) else error.accepted
    is_number = isinstance(error.got, int | float) and not isinstance(error.got, bool)
    got = _with_unit(in_words(error.got), unit) if is_number else error.got
    return Mistake(key, explained(f"Must be {accepted}. Got {got} instead", error.reason, error.remedies), error.line)


def _with_unit(words: str, unit: str) -> str:
    return f"{words}\u00a0{unit}".rstrip()


def mistakes_of(error: ProblemError) -> list[Mistake]:
    """Return everything that an error of a loader names, what is told first in front."""
    lines = error.other_lines or [None] * len(error.others)
    others = [ProblemError(*each, line) for each, line in zip(error.others, lines, strict=True)]
    return [mistake_of(each) for each in (error, *others)]


def cell_mistakes(mesh: Mesh, base: Mapping[str, Any], mistakes: Sequence[Mistake]) -> dict[int, dict[str, str]]:
    """Return number of a chiplet -> name of its field -> what is wrong with it."""
    found: dict[str, dict[str, str]] = {}
    for mistake in mistakes:
        section, _, rest = mistake.key.partition(".")
        name, _, figure = rest.partition(".")
        if section == "chiplets" and figure in CELL_FIGURES:
            found.setdefault(name, {})[figure] = mistake.words
    classes = [name for row in classes_of(base, mesh.cells) for name in row]
    return {index: found[name] for index, name in enumerate(classes) if name in found}


def help_lines(names: Sequence[str], mistakes: Sequence[Mistake]) -> dict[str, tuple[str, bool]]:
    """Return name of a field -> the line under it, and whether that is a mistake."""
    wrong = {mistake.key.replace(".", SEPARATOR): mistake.words for mistake in mistakes}
    specs = figure_specs()
    return {name: (wrong.get(name) or help_text(specs[name]), name in wrong) for name in names}


def is_package(content: Mapping[str, Any] | None) -> bool:
    """Return whether the document has chiplets to click on; every other kind has one field per figure."""
    return content is not None and content.get("schema") == SCHEMA


def draft_json(
    content: Mapping[str, Any] | None, mistakes: Sequence[Mistake], text: str | None = None
) -> dict[str, Any]:
    """Return the draft for saving, display and download: content of a form, or text with its parsed content."""
    return {"content": content, "text": text, "mistakes": [vars(mistake) for mistake in mistakes]}


def draft_text(draft: Mapping[str, Any]) -> str:
    """Return the draft as YAML."""
    return draft["text"] if draft["text"] is not None else to_yaml(draft["content"])
