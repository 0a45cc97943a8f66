from __future__ import annotations

from dataclasses import replace

import pytest

from engines.methods.package_search.packages.limits import bounds_of
from engines.methods.package_search.packages.space import build_space
from engines.methods.package_search.params import PackageSearchParams
from tests.engines.methods.package_search.packages.cases import BASE, space


def test_limits() -> None:
    one = space(processing_elements="256, 4096", max_processing_elements=9 * 256)
    within = [g for g in one.genotypes() if one.violation(g) == 0]
    assert {one.candidate(g).processing_elements[0] for g in within} == {256} and len(within) == 168
    elements, area = bounds_of(one)
    assert elements.value == 9 * 256 and area.value == min(one.area_mm2(g) for g in one.genotypes())


@pytest.mark.parametrize("params", [{}, {"vary_dataflow": False}, {"mixed_sizes": True}])
def test_the_least_package_is_the_least_of_all(params: dict[str, object]) -> None:
    choices = {
        "memory_bandwidth_gb_per_s": "16, 64",
        "interface_sides": "left, left+right",
        "link_bandwidth_gb_per_s": "9, 99",
    }
    small = build_space(tiny_base(), PackageSearchParams(processing_elements="64, 256", **choices, **params))  # type: ignore[arg-type]
    least = small.least()
    areas = [small.area_mm2(genotype) for genotype in small.genotypes()]
    counts = [sum(small.candidate(genotype).processing_elements) for genotype in small.genotypes()]
    assert small.area_mm2(least) == min(areas)
    assert sum(small.candidate(least).processing_elements) == min(counts)


def tiny_base():  # type: ignore[no-untyped-def]
    chiplets = tuple(
        replace(BASE.chiplets[0], index=r * 2 + c, row=r, column=c, dataflow=("nvdla", "shi-diannao")[c])
        for r in range(2)
        for c in range(2)
    )
    return replace(BASE, rows=2, columns=2, chiplets=chiplets)
