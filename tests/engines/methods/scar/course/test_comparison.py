from __future__ import annotations

from tests.engines.methods.scar.problems import designs_of, run, scar_problem


def test_baselines_are_marked_and_the_first_search_designs_are_not_among_them() -> None:
    found = designs_of(run(scar_problem()))
    labels = [label for label, origin in zip(found.label, found.origin, strict=True) if origin == "baseline"]
    assert labels == ["Simba NVDLA", "Standalone NVDLA", "Simba Shi-diannao", "Standalone Shi-diannao"]
    assert "baseline" not in designs_of(run(scar_problem({"baselines": False}))).origin
