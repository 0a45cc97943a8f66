"""The form of a package: fields, the mesh being edited, mistakes."""

from __future__ import annotations

from typing import Any

import pytest

from engines.contract.errors import ProblemError
from frontend.components.form import format_value
from frontend.pages.hardware_form.data import (
    SOURCE,
    Mesh,
    built,
    cell_mistakes,
    cell_specs,
    figure_specs,
    help_lines,
    mistake_of,
    opening_mesh,
    value_at,
)
from hardware.package.loader import builtin_hardware, load_package
from hardware.package.package_edits import with_figure

BASE = dict(builtin_hardware()["simba-3x3-het-sides"])
SIDES = ["left", "right"]


def typed(**changed: str) -> dict[str, str]:
    """Every field as the page opens with it, and what was typed into some."""
    raw = {name: format_value(spec, value_at(BASE, name)) for name, spec in figure_specs().items() if name != SOURCE}
    return (
        raw | {SOURCE: "assumed; chosen by ada"} | {name.replace("__", ":"): value for name, value in changed.items()}
    )


@pytest.mark.parametrize("slug", builtin_hardware())
def test_a_form_that_nobody_touched_gives_the_document_itself(slug: str) -> None:
    base = dict(builtin_hardware()[slug])
    raw = {name: format_value(spec, value_at(base, name)) for name, spec in figure_specs().items() if name != SOURCE}
    content, mistakes = built(
        base, opening_mesh(base), raw | {SOURCE: "me"}, base["off_chip_memory"]["interface_sides"]
    )
    assert (content, mistakes) == (base, [])


def test_fields_cover_the_whole_document() -> None:
    shown = {name.replace(":", ".") for name in figure_specs()} | {"off_chip_memory.interface_sides", "package.layout"}
    shown |= {f"chiplets.{name}.{figure}" for name in BASE["chiplets"] for figure in cell_specs()}
    assert set(load_package(BASE).sources) <= shown | {"package.rows", "package.columns"}


def test_what_is_typed_is_in_the_document_with_its_source() -> None:
    content, mistakes = built(
        BASE, opening_mesh(BASE), typed(clock_mhz="700", network_on_package__hop_latency_ns="20.5"), SIDES
    )
    assert mistakes == []
    assert (content["clock_mhz"], content["network_on_package"]["hop_latency_ns"]) == (700, 20.5)
    assert load_package(content).sources["clock_mhz"] == "assumed; chosen by ada"


def test_sides_are_changed_and_must_not_be_empty() -> None:
    content, mistakes = built(BASE, opening_mesh(BASE), typed(), ["top"])
    assert (content["off_chip_memory"]["interface_sides"], mistakes) == (["top"], [])
    _, mistakes = built(BASE, opening_mesh(BASE), typed(), [])
    assert [(each.key, each.words) for each in mistakes] == [("off_chip_memory.interface_sides", "Must have a value")]


def test_all_mistakes_are_told_at_once_beside_their_fields() -> None:
    _, mistakes = built(
        BASE, opening_mesh(BASE), typed(clock_mhz="fast", slug="My chip", off_chip_memory__latency_ns=""), SIDES
    )
    lines = help_lines(list(figure_specs()), mistakes)
    assert {name for name, (_, wrong) in lines.items() if wrong} == {"clock_mhz", "slug", "off_chip_memory:latency_ns"}
    assert lines["clock_mhz"][0] == "Must be a number. Got fast instead"
    assert lines["off_chip_memory:latency_ns"][0].startswith("A value is needed: a number")
    assert lines["word_bytes"][0].startswith("1 to 8")


def test_a_change_without_a_source_is_a_mistake() -> None:
    _, mistakes = built(BASE, opening_mesh(BASE), typed() | {SOURCE: " "}, SIDES)
    assert [each.key for each in mistakes] == [SOURCE]


def test_mistakes_of_a_chiplet_are_told_for_every_chiplet_of_its_class() -> None:
    mesh = Mesh(with_figure(opening_mesh(BASE).cells, [3, 5], "processing_elements", 3))
    _, mistakes = built(BASE, mesh, typed(), SIDES)
    wrong = cell_mistakes(mesh, BASE, mistakes)
    assert set(wrong) == {3, 5}
    assert wrong[3] == {"processing_elements": "Must be a number at least 16. Got 3 instead"}


def test_a_mistake_is_told_in_the_unit_of_its_field() -> None:
    _, mistakes = built(BASE, opening_mesh(BASE), typed(clock_mhz="20000000"), SIDES)
    (wrong,) = mistakes
    assert wrong.title == "Clock"
    assert wrong.words.endswith("\u00a0MHz. Got 20000000\u00a0MHz instead") and " at most " in wrong.words


def test_what_is_no_number_has_no_unit() -> None:
    assert mistake_of(ProblemError("clock_mhz", "fast", "a number")).words == "Must be a number. Got fast instead"
    assert mistake_of(ProblemError("slug", "A", "small letters (simba-3x3)")).words.startswith(
        "Must be small letters (simba-3x3)."
    )
    above = mistake_of(ProblemError("units.gpu.frequencies_mhz.1", 100.0, "above 200"))
    assert above.words == "Must be above 200\u00a0MHz. Got 100\u00a0MHz instead"


@pytest.mark.parametrize(
    ("scope", "indices"),
    [("one", [4]), ("alike", [1, 4, 7]), ("row", [3, 4, 5]), ("column", [1, 4, 7]), ("all", list(range(9)))],
)
def test_a_change_is_for_the_chiplets_of_its_scope(scope: str, indices: list[int]) -> None:
    assert Mesh(opening_mesh(BASE).cells, 4).indices(scope) == indices


def test_a_mesh_survives_the_store_of_the_browser() -> None:
    mesh: Any = Mesh(opening_mesh(BASE).cells, 7)
    assert Mesh.from_json(mesh.to_json()) == mesh
