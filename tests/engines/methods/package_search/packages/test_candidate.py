from __future__ import annotations

from dataclasses import replace

from engines.methods.package_search.packages.candidate import build_package, candidate_of
from engines.methods.package_search.packages.space import build_space
from engines.methods.package_search.params import PackageSearchParams
from tests.engines.methods.package_search.packages.cases import BASE, space


def test_the_given_package_belongs_to_the_space() -> None:
    one = space()
    genotype = one.genotype(candidate_of(BASE))
    assert one.candidate(genotype) == candidate_of(BASE)
    assert (one.labelled(), one.count()) == (512, 168)


def test_fixed_dataflows_with_mixed_sizes_keep_the_pattern() -> None:
    one = space(vary_dataflow=False, mixed_sizes=True, processing_elements="256, 1024")
    dataflows = candidate_of(BASE).dataflows
    assert {one.candidate(genotype).dataflows for genotype in one.genotypes()} == {dataflows}
    assert one.count() == 168


def test_a_genotype_comes_back_from_its_package() -> None:
    one = space(processing_elements="256, 1024", interface_sides="left, left+right")
    for genotype in list(one.genotypes())[::37]:
        assert one.genotype(one.candidate(genotype)) == genotype


def test_mixed_sizes_of_the_given_package_stay() -> None:
    sizes = tuple(replace(c, processing_elements=256 if c.dataflow == "nvdla" else 1024) for c in BASE.chiplets)
    given = replace(BASE, chiplets=sizes)
    one = build_space(given, PackageSearchParams())
    assert one.alphabets == ((("nvdla", 256), ("shi-diannao", 1024)),)
    assert build_package(given, one.candidate(one.genotype(candidate_of(given)))) == given
