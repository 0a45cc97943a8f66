"""Rows of the published results."""

import pytest

from engines.methods.myml.reproduction.networks import kept_at, layers_of
from engines.methods.myml.reproduction.tables import arithmetic, counts


def test_counts_are_the_printed_ones() -> None:
    for row in counts():
        high = row.published if row.published_high is None else row.published_high
        assert row.published * 0.999 <= row.ours <= high * 1.001, row.name


def test_printed_figures_agree_but_for_the_energies() -> None:
    off = [row.name for row in arithmetic() if row.ours != pytest.approx(row.published, rel=0.02)]
    assert len(off) == 2 and all("energy" in name for name in off)


@pytest.mark.parametrize("asymmetric", [True, False])
def test_networks_are_pruned_to_the_size_that_is_asked_for(asymmetric: bool) -> None:
    whole = sum(layer.weights for layer in layers_of("resnet50"))
    kept = kept_at("resnet50", 2.6, asymmetric)
    assert sum(each.weights for each in kept) == pytest.approx(whole / 2.6, rel=0.01)
    assert kept[0].channels == 3 and kept[-1].filters == 5
