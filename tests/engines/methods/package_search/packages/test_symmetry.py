from itertools import product

import pytest

from engines.methods.package_search.packages.symmetry import (
    canonical,
    classes,
    count_classes,
    cycles,
    keeping,
    mesh_symmetries,
    moved,
)

SIDES_3X3 = [column != 1 for _ in range(3) for column in range(3)]  # left and right
MESHES = [(1, 1), (1, 4), (2, 2), (2, 3), (3, 2), (3, 3)]


def marks(rows: int, columns: int, sides: str) -> list[bool]:
    at = {"left": lambda r, c: c == 0, "right": lambda r, c: c == columns - 1, "top": lambda r, c: r == 0}
    return [any(at[s](r, c) for s in sides.split("+")) for r in range(rows) for c in range(columns)]


@pytest.mark.parametrize(("mesh", "count"), [((3, 3), 8), ((2, 2), 8), ((2, 3), 4), ((1, 4), 2), ((1, 1), 1)])
def test_a_mesh_has_the_symmetries_of_its_rectangle(mesh: tuple[int, int], count: int) -> None:
    assert len(mesh_symmetries(*mesh)) == count


@pytest.mark.parametrize("mesh", MESHES)
def test_symmetries_are_a_group(mesh: tuple[int, int]) -> None:
    group = mesh_symmetries(*mesh)
    assert {moved(a, b) for a, b in product(group, group)} == set(group)


@pytest.mark.parametrize("mesh", MESHES)
def test_symmetries_keep_which_chiplets_are_linked(mesh: tuple[int, int]) -> None:
    rows, columns = mesh
    places = [(r, c) for r in range(rows) for c in range(columns)]

    def hops(a: int, b: int) -> int:
        return sum(abs(x - y) for x, y in zip(places[a], places[b], strict=True))

    for by in mesh_symmetries(rows, columns):
        assert all(hops(by[a], by[b]) == hops(a, b) for a in range(len(places)) for b in range(len(places)))


def test_layouts_of_3x3_with_interfaces_left_and_right_are_168_by_burnside() -> None:
    # Identity 2^9, each mirror 2^6, half turn 2^5: (512 + 64 + 64 + 32) / 4.
    group = keeping(mesh_symmetries(3, 3), SIDES_3X3)
    assert len(group) == 4
    assert count_classes([(0, 1)] * 9, group) == (512 + 64 + 64 + 32) // 4 == 168


def test_layouts_of_3x3_with_interfaces_all_around_are_102_by_burnside() -> None:
    # Identity 2^9, two quarter turns 2^3, half turn 2^5, four mirrors 2^6.
    assert count_classes([(0, 1)] * 9, mesh_symmetries(3, 3)) == (512 + 2 * 8 + 32 + 4 * 64) // 8 == 102


@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize("sides", ["left", "left+right", "left+top", "left+right+top"])
@pytest.mark.parametrize("letters", [2, 3])
def test_counting_equals_listing_equals_orbits_of_all_labelled_layouts(
    mesh: tuple[int, int], sides: str, letters: int
) -> None:
    cells = mesh[0] * mesh[1]
    if letters**cells > 20_000:
        pytest.skip("too many to list one by one")
    group = keeping(mesh_symmetries(*mesh), marks(*mesh, sides))
    choices = [tuple(range(letters))] * cells
    orbits = {frozenset(moved(layout, by) for by in group) for layout in product(range(letters), repeat=cells)}
    listed = classes(choices, group)
    assert len(orbits) == len(listed) == count_classes(choices, group)
    assert {frozenset(moved(layout, by) for by in group) for layout in listed} == orbits


def test_the_canonical_layout_does_not_change_under_symmetries() -> None:
    group = keeping(mesh_symmetries(3, 3), SIDES_3X3)
    for layout in product((0, 1), repeat=9):
        first = canonical(layout, group)
        assert all(canonical(moved(layout, by), group) == first for by in group)
        assert canonical(first, group) == first


def test_chiplets_may_have_letters_of_their_own() -> None:
    # The corners choose among two letters, the rest have one: 2^4 labelled, 6 necklaces of four beads that may be flipped.
    corners = [r != 1 and c != 1 for r in range(3) for c in range(3)]
    choices = [(0, 1) if corner else (2,) for corner in corners]
    group = keeping(mesh_symmetries(3, 3), choices)
    assert len(group) == 8
    assert count_classes(choices, group) == len(classes(choices, group)) == 6


def test_cycles_partition_the_places() -> None:
    assert sorted(map(sorted, cycles((1, 0, 2, 4, 5, 3)))) == [[0, 1], [2], [3, 4, 5]]


def test_too_many_layouts_are_refused() -> None:
    with pytest.raises(ValueError, match="At most 300000 labelled layouts"):
        classes([(0, 1)] * 25, mesh_symmetries(5, 5))
