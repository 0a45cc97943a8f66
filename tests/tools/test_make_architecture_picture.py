"""The picture of the architecture shows the packages as they import each other."""

from __future__ import annotations

from tests.test_circles import graph_of_all, part_graphs
from tools.make_architecture_picture import FILE, layer_rows, package_rows, picture


def test_the_stored_picture_shows_the_imports_as_they_are() -> None:
    assert FILE.read_text() == picture(layer_rows()), "python -m tools.make_architecture_picture"


def test_packages_import_only_those_in_rows_below() -> None:
    parts = part_graphs(graph_of_all())
    for layer, rows in layer_rows().items():
        row_of = {name: number for number, row in enumerate(rows) for name in row}
        for name, row in row_of.items():
            assert all(row_of.get(used, row + 1) > row for used in parts[layer].get(name, ()))


def test_a_single_module_carries_imports_but_has_no_box() -> None:
    parts = {"a.top": {"a.module"}, "a.module": {"a.basis"}, "a.beside": set[str]()}
    assert package_rows("a", parts, {"a.top", "a.basis", "a.beside"}) == [["a.top"], ["a.basis", "a.beside"]]
