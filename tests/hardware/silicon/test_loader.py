"""Costs of silicon read from documents, and what is said about documents that do not fit."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given, settings

from hardware.errors import HardwareError
from hardware.silicon.loader import builtin_silicon_costs, load_silicon_costs
from tests.hardware.silicon_for_tests import silicon_content
from tests.support.mutations import mutated


def test_figures_are_converted_once() -> None:
    costs = load_silicon_costs(silicon_content())
    old = costs.processes["old"]
    assert (old.defects_per_mm2, old.critical_share, old.gates_per_mm2) == (0.001, 1, 1000)
    assert costs.new_block.usd == pytest.approx(0.5) and costs.new_chiplet.back_end_usd == pytest.approx(0.5)
    assert (costs.reticle_mm2, costs.bond_yield, costs.verification_share) == (600, 0.9, 0.5)
    assert costs.sources["processes.old.wafer_usd"] == "made up"


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (0.2, "Got 0.2 instead. The density would be 2000 if it was per cm²"),
        (0.002, "Got 0.002 instead. The density would be 20 if it was per cm² and 2000 if it was per mm²"),
        (2e9, "one per mm² by 1,000,000"),
    ],
)  # fmt: skip
def test_a_density_in_another_unit_is_refused_with_the_plausible_one(got: float, words: str) -> None:
    with pytest.raises(HardwareError, match="from 10 to 100000 defects per m²") as caught:
        load_silicon_costs(silicon_content(processes__old__defects_per_m2=got))
    assert caught.value.key == "processes.old.defects_per_m2" and words in str(caught.value)
    with pytest.raises(HardwareError) as caught:
        load_silicon_costs(silicon_content(interposer__defects_per_m2=got))
    assert caught.value.key == "interposer.defects_per_m2"


@settings(max_examples=40)
@given(mutated(silicon_content()))
def test_a_document_loads_or_is_refused_but_never_crashes(content: dict[str, Any]) -> None:
    with contextlib.suppress(HardwareError):
        assert load_silicon_costs(content).reticle_mm2 > 0


@pytest.mark.parametrize("slug", builtin_silicon_costs())
def test_everything_built_in_loads(slug: str) -> None:
    assert load_silicon_costs(builtin_silicon_costs()[slug]).slug == slug
