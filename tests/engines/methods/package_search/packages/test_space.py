from dataclasses import replace

import numpy as np
import pytest

from engines.methods.package_search.packages.candidate import candidate_of
from engines.methods.package_search.packages.space import build_space
from engines.methods.package_search.packages.symmetry import mesh_symmetries, moved
from engines.methods.package_search.params import PackageSearchParams
from hardware.package.loader import builtin_hardware, load_package
from tests.engines.methods.package_search.packages.cases import BASE, space


def test_nothing_varies_when_nothing_may() -> None:
    one = space(vary_dataflow=False)
    assert list(one.genotypes()) == [one.genotype(candidate_of(BASE))]


def test_choices_multiply() -> None:
    one = space(processing_elements="256, 1024", link_bandwidth_gb_per_s="50, 100, 200", memory_bandwidth_gb_per_s=[32])
    assert one.count() == 168 * 2 * 3 == len(list(one.genotypes()))


def test_sides_that_a_turn_makes_equal_count_once() -> None:
    assert space(interface_sides="left+right, top+bottom, top, left").sides == (("left", "right"), ("top",))
    # One side, two opposite, two next to each other, three, four.
    assert len(space(interface_sides="any").sides) == 5
    # Of a mesh that is no square, sides are of two lengths.
    narrow = replace(BASE, rows=1, columns=9, chiplets=tuple(replace(c, row=0, column=c.index) for c in BASE.chiplets))
    found = build_space(narrow, PackageSearchParams(interface_sides="any")).sides
    assert found == (("left",), ("top",), ("left", "right"))


def test_sides_of_a_fixed_layout_are_the_same_only_where_the_layout_is() -> None:
    # Rows "N S N": left is like right, and top like bottom, but left is not like top.
    fixed = space(vary_dataflow=False, interface_sides="left, right, top, bottom")
    assert fixed.sides == (("left",), ("top",)) and fixed.count() == 2
    # Rows "N N S": left is not like right either.
    lopsided = load_package(builtin_hardware()["simba-3x3-het-sides-left-right"])
    for counts in ("", "256, 1024"):
        params = PackageSearchParams(
            vary_dataflow=False, interface_sides="left, right, top, bottom", processing_elements=counts
        )
        assert build_space(lopsided, params).sides == (("left",), ("right",), ("top",))


@pytest.mark.parametrize("sides", ["left", "left+right", "left+top", "left+right+top", "left+right+top+bottom"])
def test_the_canonical_genotype_is_the_same_for_all_that_symmetries_make_of_a_package(sides: str) -> None:
    one = space(interface_sides=sides, processing_elements="256, 1024", mixed_sizes=True)
    random = np.random.default_rng(1)
    for _ in range(50):
        letters = tuple(random.integers(4, size=9).tolist())
        first = one.canonical((0, 0, 0, 0, *letters))
        same = [one.canonical((0, 0, 0, 0, *moved(letters, by))) for by in one.group(0, 0)]
        assert set(same) == {first}


def test_only_symmetries_that_keep_the_interfaces_count() -> None:
    assert len(space(interface_sides="left").group(0, 0)) == 2
    assert len(space().group(0, 0)) == 4
    assert len(space(interface_sides="left+right+top+bottom").group(0, 0)) == len(mesh_symmetries(3, 3))


def test_a_package_of_another_space_is_refused() -> None:
    with pytest.raises(ValueError, match="sizes of the space"):
        space(processing_elements="256").genotype(candidate_of(BASE))


def test_packages_that_are_the_same_have_the_same_area_to_the_last_bit() -> None:
    one = space(interface_sides="left+top", processing_elements="256, 1024", mixed_sizes=True)
    letters = (0, 1, 2, 3, 0, 1, 2, 3, 1)
    areas = {one.area_mm2((0, 0, 0, 0, *moved(letters, by))) for by in one.group(0, 0)}
    assert len(one.group(0, 0)) == 2 and len(areas) == 1
