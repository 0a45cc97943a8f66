from dataclasses import replace

import pytest

from engines.methods.package_search.packages.candidate import build_package, candidate_of
from engines.methods.package_search.packages.document import CHOSEN, package_document, package_yaml
from hardware.errors import HardwareError
from hardware.package.loader import builtin_hardware, load_package, parse_package

CONTENT = builtin_hardware()["simba-3x3-het-sides"]
BASE = load_package(CONTENT)
GIVEN = candidate_of(BASE)
CHANGED = replace(
    GIVEN,
    processing_elements=(256,) * 4 + (1024,) * 5,
    link_bandwidth_gb_per_s=50.0,
    memory_bandwidth_gb_per_s=12.8,
    interface_sides=("left", "top"),
)


@pytest.mark.parametrize("candidate", [GIVEN, CHANGED])
def test_the_yaml_reads_as_the_package(candidate) -> None:  # type: ignore[no-untyped-def]
    read = load_package(parse_package(package_yaml(CONTENT, candidate)).content)
    expected = build_package(BASE, candidate)
    assert read == replace(expected, slug=read.slug, title=read.title, sources=read.sources)


def test_figures_keep_their_sources_and_chosen_ones_say_so() -> None:
    sources = load_package(package_document(CONTENT, CHANGED)).sources
    assert sources["clock_mhz"] == BASE.sources["clock_mhz"]
    assert sources["network_on_package.bandwidth_gb_per_s"] == CHOSEN
    assert sources["off_chip_memory.interface_sides"] == CHOSEN
    assert sources["chiplets.N1024.processing_elements"] == CHOSEN
    same = load_package(package_document(CONTENT, GIVEN)).sources
    assert same["network_on_package.bandwidth_gb_per_s"] == BASE.sources["network_on_package.bandwidth_gb_per_s"]
    assert same["off_chip_memory.interface_sides"] == BASE.sources["off_chip_memory.interface_sides"]


def test_different_packages_have_different_slugs() -> None:
    slugs = {package_document(CONTENT, candidate)["slug"] for candidate in (GIVEN, CHANGED)}
    assert len(slugs) == 2


def test_what_the_schema_does_not_take_is_refused() -> None:
    with pytest.raises(HardwareError, match="bandwidth"):
        package_document(CONTENT, replace(GIVEN, link_bandwidth_gb_per_s=1e9))
