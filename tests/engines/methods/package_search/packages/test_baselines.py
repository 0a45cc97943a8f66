from __future__ import annotations

from engines.methods.package_search.packages.candidate import candidate_of
from hardware.package.loader import load_package


def test_published_patterns_are_baselines_of_their_mesh() -> None:
    from engines.methods.package_search.packages.baselines import baseline_packages
    from hardware.package.loader import builtin_hardware

    base = load_package(builtin_hardware()["simba-3x3-nvdla-256"])
    named = baseline_packages(base)
    assert list(named)[:3] == ["Simba NVDLA", "Simba Shi-diannao", "Simba 3x3 Het-CB"]
    assert all(set(candidate.processing_elements) == {256} for candidate in named.values())
    assert candidate_of(base) == named["Simba NVDLA"] and "Given package" not in named
