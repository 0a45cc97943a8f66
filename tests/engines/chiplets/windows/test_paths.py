from __future__ import annotations

from itertools import pairwise

from engines.chiplets.windows.paths import directed_paths, path_set, paths_of_length
from tests.engines.chiplets.cases import package, tables

SQUARE = ((1, 2), (0, 3), (0, 3), (1, 2))  # a 2 x 2 mesh


def test_a_path_set_holds_every_length_and_its_mask() -> None:
    found = path_set(SQUARE, (0,), 4, 100)
    assert found.paths == ((0,), (0, 1), (0, 2), (0, 1, 3), (0, 2, 3), (0, 1, 3, 2), (0, 2, 3, 1))
    assert found.mask.tolist() == [1, 3, 5, 11, 13, 15, 15]
    assert found.cut_lengths == ()
    assert path_set(SQUARE, (0,), 3, 1).cut_lengths == ((2, 1), (3, 1))


def test_a_spread_of_paths_is_simple_over_links_and_told() -> None:
    mesh = package(6, 6)
    near = tuple(mesh.neighbours(c) for c in range(36))
    found = directed_paths(near, (0, 5, 30), 20)
    assert len(set(found.paths)) == len(found.paths)
    for path in found.paths:
        assert path[0] in (0, 5, 30) and len(set(path)) == len(path)
        assert all(b in near[a] for a, b in pairwise(path))
    assert {len(path) for path in found.paths} >= {1, 2, 6, 18}
    assert sum(count for _, count in found.cut_lengths) == len(found.paths)


def test_paths_of_one_length_are_all_on_small_packages_and_a_spread_on_large_ones() -> None:
    small = tables({"a": [[1], [1]]}, on=package(2, 2))
    assert len(paths_of_length(small, 0, (0,), 3)) == 2
    large = tables({"a": [[1], [1]]}, on=package(6, 6))
    found = paths_of_length(large, 0, (0, 35), 7)
    assert found.shape[1] == 7 and 2 <= len(found) <= 8
