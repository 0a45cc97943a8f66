from functools import cache

import pytest

from engines.methods.sbrs.reproduction.runs import DEFAULT, PRINTED
from engines.reproduction.comparisons import Comparison, flips
from engines.reproduction.reproductions import comparisons_of, readings_of


@cache
def quick() -> tuple[Comparison, ...]:
    return tuple(comparisons_of("sbrs", quick=True))


def row(name: str, reading: str = DEFAULT) -> Comparison:
    return next(each for each in quick() if each.name == name and each.reading == reading)


def test_figure_8_is_reached() -> None:
    assert row("Figure 8 (a): naive switching").ours == 17.5
    assert row("Figure 8 (b): SBRS-TP").ours == 12.5
    assert row("Algorithm 3: steps with the printed least delay").ours == 6


def test_figure_6_selects_another_network_by_its_values() -> None:
    assert list(readings_of("sbrs")) == [DEFAULT, PRINTED]
    assert row("CNN_3: sum of weighted ranks").ours == pytest.approx(3.1)
    assert row("CNN_6: sum of weighted ranks", PRINTED).ours == pytest.approx(3.1)
    assert {flip.name for flip in flips(quick())} == {"CNN_3: sum of weighted ranks", "CNN_6: sum of weighted ranks"}


def test_conflicts_of_the_text_are_told() -> None:
    assert row("PAMAP2, naive switch from 2 to 1, from Table 8").ours == pytest.approx(2.71, abs=0.005)
    assert row("PAMAP2: separate networks, summed").ours == pytest.approx(23.29)
    assert row("Samples in a window").ours == 90


def test_table_10_saves_what_it_prints() -> None:
    for name, saved in (("Pascal VOC, A = {I, O, par}", 77.71), ("CIFAR-10, A = {I, O}", 4.58)):
        assert row(f"{name}: memory saved, from the printed memories").ours == pytest.approx(saved, abs=0.005)


def test_only_algorithms_of_the_method_on_printed_inputs_are_exact() -> None:
    """Algorithm 3's example: ranks, sums, memories and set numbers are figures of the paper put together."""
    exact = [each for each in quick() if each.kind == "exact" and each.reading == DEFAULT]
    assert [each.name for each in exact] == ["Algorithm 3: steps with the printed least delay"]
    own = [each for each in quick() if each.kind == "arithmetic"]
    assert sum("number of the selected scenario" in each.name for each in own) == 13
    assert sum("memory saved" in each.name for each in own) == 6


def test_every_difference_has_a_reason() -> None:
    for each in quick():
        if not each.as_printed:
            assert each.why, each.name


def test_networks_of_the_published_spaces_order_as_published() -> None:
    found = [each for each in comparisons_of("sbrs") if each.kind == "predicted"]
    assert len(found) >= 15 and all(each.ordering in (None, True) for each in found)
