"""Distances, interfaces and neighbours of a mesh."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hardware.package.loader import load_package
from hardware.package.model import ChipletPackage
from tests.hardware.documents_for_tests import package_content

SIDES = ("left", "right", "top", "bottom")


def mesh(rows: int, columns: int, sides: tuple[str, ...] = ("left", "right")) -> ChipletPackage:
    return load_package(
        package_content(
            package={"rows": rows, "columns": columns, "layout": ["A" * columns] * rows},
            off_chip_memory__interface_sides=list(sides),
        )
    )


@st.composite
def meshes(draw: st.DrawFn) -> ChipletPackage:
    sides = draw(st.lists(st.sampled_from(SIDES), min_size=1, max_size=4, unique=True))
    return mesh(draw(st.integers(1, 6)), draw(st.integers(1, 6)), tuple(sides))


@given(meshes(), st.data())
def test_hops_are_a_distance(package: ChipletPackage, data: st.DataObject) -> None:
    a, b, c = (data.draw(st.integers(0, len(package.chiplets) - 1)) for _ in range(3))
    assert package.hops(a, b) == package.hops(b, a)
    assert (package.hops(a, b) == 0) == (a == b)
    assert package.hops(a, c) <= package.hops(a, b) + package.hops(b, c)


@given(meshes())
def test_neighbours_are_mutual_and_one_hop_away(package: ChipletPackage) -> None:
    for chiplet in package.chiplets:
        for other in package.neighbours(chiplet.index):
            assert package.hops(chiplet.index, other) == 1
            assert chiplet.index in package.neighbours(other)
    links = sum(len(package.neighbours(c.index)) for c in package.chiplets)
    assert links == 2 * (package.rows * (package.columns - 1) + package.columns * (package.rows - 1))


@given(meshes())
def test_memory_is_reached_through_a_nearest_interface(package: ChipletPackage) -> None:
    interfaces = [c.index for c in package.chiplets if package.has_interface(c.index)]
    assert interfaces
    for chiplet in package.chiplets:
        through = package.interface_of(chiplet.index)
        assert through in interfaces
        assert package.hops(chiplet.index, through) == min(package.hops(chiplet.index, i) for i in interfaces)


def test_a_chiplet_is_found_by_row_and_column() -> None:
    package = mesh(3, 4)
    assert [package.chiplet_at(row, column).index for row in range(3) for column in range(4)] == list(range(12))


def test_the_middle_column_of_three_uses_the_left_interface_of_its_row() -> None:
    package = mesh(3, 3)
    assert [package.interface_of(index) for index in (1, 4, 7)] == [0, 3, 6]


def test_interfaces_sit_at_the_named_sides() -> None:
    package = mesh(3, 3, ("top",))
    assert [index for index in range(9) if package.has_interface(index)] == [0, 1, 2]
    assert package.interface_of(7) == 1
