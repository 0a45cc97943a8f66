import pytest

from engines.contract.quantities import ObjectiveChoice, Quantity, by_name, objectives_of

LATENCY = Quantity("latency_s", "Latency", "s", "minimise", "objective")
ENERGY = Quantity("energy_j", "Energy", "J", "minimise", "objective")
WINDOWS = Quantity("windows", "Windows")


def test_objectives_keep_their_order() -> None:
    assert objectives_of([ENERGY, WINDOWS, LATENCY]) == (ENERGY, LATENCY)


def test_a_quantity_is_a_metric_by_default() -> None:
    assert (WINDOWS.role, WINDOWS.sense, WINDOWS.unit) == ("metric", "none", "")


def test_quantities_are_found_by_name() -> None:
    assert by_name([LATENCY, WINDOWS]) == {"latency_s": LATENCY, "windows": WINDOWS}


def test_two_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="'windows'"):
        by_name([WINDOWS, LATENCY, WINDOWS])


def test_what_was_chosen_spans_the_front_and_the_rest_of_the_choice_is_metrics() -> None:
    choice = ObjectiveChoice(("latency_s", "energy_j"), lambda params: params)
    latency, energy, windows = choice.roles([LATENCY, ENERGY, WINDOWS], ("energy_j",))
    assert (latency.role, energy.role, windows) == ("metric", "objective", WINDOWS)
