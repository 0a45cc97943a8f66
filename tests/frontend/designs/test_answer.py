"""Answers of runs, and the ratios in them."""

from __future__ import annotations

import re

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.quantities import Quantity
from engines.registry import get_engine
from engines.running.inspection import stated_limits
from frontend.designs.answer import answer_of, baseline_wins, difference, difference_sentence
from frontend.designs.run_designs import RunDesigns
from frontend.pages.run.tabs.table import kind_of
from tests.support.kept_runs import FOLDER, kept_run, problem_of, resume_of

ENGINES = sorted(file.name.partition(".")[0] for file in FOLDER.glob("*.json.xz"))
ENERGY = Quantity("energy_j", "Energy", "J", "minimise", "objective")
THROUGHPUT = Quantity("throughput_per_s", "Mean throughput", "1/s", "maximise", "objective")
ACCURACY = Quantity("accuracy_percent", "Accuracy", "%", "maximise", "objective")


@pytest.mark.parametrize(
    ("value", "reference", "quantity", "words"),
    [
        (1.0, 2.4, ENERGY, "2.40 × less energy than GPU alone"),
        (2.4, 1.0, ENERGY, "2.40 × the energy of GPU alone"),
        (5.7, 1.0, THROUGHPUT, "5.70 × the mean throughput of GPU alone"),
        (0.176, 1.0, THROUGHPUT, "5.68 × less mean throughput than GPU alone"),
        (0.97, 1.0, ENERGY, "3.0 % less energy than GPU alone"),
        (91.0, 88.0, ACCURACY, "3.0 percentage points more accuracy than GPU alone"),
        (1.0, 1.0, ENERGY, "the same energy as GPU alone"),
    ],
)
def test_ratios_exceed_one_and_name_their_reference(
    value: float, reference: float, quantity: Quantity, words: str
) -> None:
    assert difference_sentence(value, reference, quantity, "GPU alone") == words
    if value != reference:
        assert words.startswith(" ".join(difference(value, reference, quantity)))


def designs_of(name: str) -> RunDesigns | None:
    kept = kept_run(name)
    resume, problem = resume_of(kept)[0], problem_of(kept)
    if resume is None or not len(resume.designs):
        return None
    engine = get_engine(name)
    found: Designs = resume.designs
    return RunDesigns.empty(engine.quantities_of(problem.params), engine.primary_metric(problem)).extended(found)


@pytest.mark.parametrize("name", ENGINES)
def test_the_knee_is_selected_first_in_every_engine_and_within_a_stated_limit_the_best(name: str) -> None:
    # The best in the primary metric, one between, and the best in all others; each with room to the limits of its hardware.
    engine, problem = get_engine(name), problem_of(kept_run(name))
    quantities, primary = engine.quantities_of(problem.params), engine.primary_metric(problem)
    numbers = {}
    names = [each.name for each in quantities if each.role == "objective"]
    decided = {primary} if primary in names else {primary, names[0]}
    for each in quantities:
        costs = np.array([1.0, 2.0, 10.0] if each.name in decided else [10.0, 2.0, 1.0])
        numbers[each.name] = (
            np.full(3, 0.5) if each.role == "constraint" else costs if each.sense == "minimise" else 11 - costs
        )
    free = {**problem.params.model_dump(), **{limit.param: None for limit in engine.limits}}
    assert not stated_limits(engine, free)
    for limited in (False, True):
        found = Designs(numbers, [{}] * 3, origin=["search"] * 3)
        designs = RunDesigns.empty(quantities, primary, limited=limited).extended(found)
        assert designs.first_choice == (0 if limited or len(names) == 1 else 1), "1 is the knee"


@pytest.mark.parametrize("name", ENGINES)
def test_the_answer_of_every_engine_has_its_skeleton(name: str) -> None:
    designs = designs_of(name)
    found = None if designs is None else answer_of(designs, {})
    assert (found is None) == (designs is None or not designs.searched.any()), "no design, no answer"
    if found is None or designs is None:
        return
    assert found.result.endswith(".") and found.next_step and found.lines[0] == ("Result", found.result)
    for text in (found.result, found.why):
        ratios = [float(number) for number in re.findall(r"([\d.]+) ×", text)]
        assert all(ratio > 1 for ratio in ratios), text
    assert found.result.startswith("The baseline ") == baseline_wins(designs)


def test_a_baseline_on_other_hardware_names_it() -> None:
    baseline = Designs({"energy_j": [1.0, 2.0]}, [{}, {}], origin=["search", "baseline"], label=["", "Simba NVDLA"])
    hardware = {"Simba NVDLA": "package of NVDLA chiplets alone"}
    designs = RunDesigns.empty((ENERGY,), "energy_j", hardware=hardware).extended(baseline)
    found = answer_of(designs, {})
    assert found is not None and found.result.endswith(
        "less energy than Simba NVDLA (package of NVDLA chiplets alone)."
    )
    assert kind_of(designs, 1, np.zeros(2, bool)) == ("Simba NVDLA (package of NVDLA chiplets alone)", "baseline")
    assert designs.first(1).hardware == hardware and designs.label[1] == "Simba NVDLA"


def test_a_bound_that_is_reached_is_a_proof() -> None:
    designs = designs_of("scar")
    assert designs is not None
    best = designs.columns[designs.primary][designs.best(designs.primary)]
    found = answer_of(designs, {designs.primary: float(best)})
    assert found is not None and found.certainty.startswith("Proven optimal for the stated model.")
    unfinished = answer_of(designs, {}, unfinished=True)
    assert unfinished is not None and "Continue the run" in unfinished.next_step


def test_a_run_that_ties_with_its_best_baseline_says_so_first() -> None:
    both = Designs({"energy_j": [1.0, 1.0]}, [{}, {}], origin=["search", "baseline"], label=["", "GPU alone"])
    found = answer_of(RunDesigns.empty((ENERGY,), "energy_j").extended(both), {})
    assert found is not None and found.result == "No design beats the baseline GPU alone: energy 1.00\u00a0J."
    assert found.next_step.startswith("Use the baseline")


def test_readers_of_a_report_are_sent_to_no_tab() -> None:
    designs = designs_of("scar")
    assert designs is not None
    found, report = answer_of(designs, {}), answer_of(designs, {}, page=False)
    assert found is not None and report is not None
    assert "Open Why?" in found.next_step and report.next_step.startswith("Check the values of design ")


def test_a_baseline_that_wins_by_one_metric_names_what_it_has_worse() -> None:
    both = Designs(
        {"energy_j": [1.1, 1.0], "accuracy_percent": [91.0, 61.0]}, [{}, {}], origin=["search", "baseline"],
        label=["", "Always slow"],
    )  # fmt: skip
    found = answer_of(RunDesigns.empty((ENERGY, ACCURACY), "energy_j").extended(both), {})
    assert found is not None and found.result.startswith("The baseline Always slow wins in energy: ")
    assert found.result.endswith(", but it has 30 percentage points less accuracy.")
    assert not found.next_step.startswith("Use the baseline")


def test_a_design_that_wins_by_one_metric_names_what_it_has_worse() -> None:
    both = Designs(
        {"energy_j": [1.0, 1.36], "accuracy_percent": [71.0, 91.0]}, [{}, {}], origin=["search", "baseline"],
        label=["", "All in the car"],
    )  # fmt: skip
    found = answer_of(RunDesigns.empty((ENERGY, ACCURACY), "energy_j").extended(both), {})
    assert found is not None and found.result.endswith(
        " than All in the car, but it has 20 percentage points less accuracy."
    )


def test_without_a_baseline_a_design_is_compared_with_itself_without_the_method() -> None:
    exit_j = Quantity("exit_j", "Energy with exit", "J", "minimise", "objective", without="energy_j")
    designs = Designs({"energy_j": [2.0, 3.0], "exit_j": [1.0, 2.0]}, [{}, {}], origin=["search"] * 2)
    found = answer_of(RunDesigns.empty((ENERGY, exit_j), "energy_j").extended(designs), {})
    assert found is not None and found.result.endswith("J. It has 2.00 × less energy with exit than energy.")
