"""Mapping with units that nobody measured."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.contract.results import Table
from engines.documents.builtin import builtin_documents
from engines.methods.soc_mapping.problem.instance import instance_of
from engines.running.inspection import estimator, explain
from engines.running.prepared_problems import ready_of
from tests.engines.methods.soc_mapping.datasheets_for_tests import DATASHEET, ENGINE
from tests.engines.methods.soc_mapping.problems import mapping_problem


@pytest.mark.parametrize(
    ("device", "units"),
    [
        ("jetson-agx-xavier", ("cpu", "gpu", "dla")),
        ("jetson-tx2", ("denver2", "a57", "gpu")),
        ("snapdragon-855", ("prime", "gold", "silver", "gpu")),
        ("x86-server", ("cpu",)),
    ],
)
@pytest.mark.parametrize("every", [24, pytest.param(4, marks=pytest.mark.long)])
def test_every_network_of_the_catalogue_can_be_estimated(device: str, units: tuple[str, ...], every: int) -> None:
    for slug in sorted(builtin_documents("workload"))[::every]:
        instance = instance_of(
            mapping_problem(DATASHEET | {"ignore_memory": True}, slug, hardware=device), highest_clocks_alone=True
        )
        assert instance.units == units and instance.allowed.any(axis=1).all(), slug


def test_without_asking_a_device_that_nobody_measured_is_refused_with_what_would_help() -> None:
    for choice in ("refused", "assumed"):
        with pytest.raises(ProblemError, match="Set unmeasured to datasheet") as refused:
            ready_of(ENGINE, mapping_problem({"unmeasured": choice}, hardware="snapdragon-855"))
        # Nothing of this device was measured, so "assumed" is refused too.
        assert [each[1:] for each in refused.value.remedies if each.field] == [("params.unmeasured", "datasheet")]


def test_a_device_of_which_too_little_is_known_is_refused_with_what_is_missing() -> None:
    with pytest.raises(ProblemError, match=r"memory\.bytes_per_cycle"):
        ready_of(ENGINE, mapping_problem(DATASHEET, hardware="google-edge-tpu"))


def test_measured_and_estimated_units_are_told_apart() -> None:
    problem = mapping_problem(DATASHEET, hardware="jetson-agx-xavier", calibration="xavier-magnas")
    instance = instance_of(problem)
    assert instance.datasheet_units == ("cpu",)
    decision = {"units": ["gpu"] * len(instance.blocks)}
    units = next(
        result for result in explain(problem, decision) if isinstance(result, Table) and result.name == "units"
    )
    column = next(column for column in units.table_columns if column.title == "Costs by")
    assert tuple(column.values) == ("data sheet", "calibration", "calibration")


def test_what_was_measured_is_the_same_with_and_without_estimates() -> None:
    plain = instance_of(mapping_problem(calibration="xavier-magnas"))
    wide = instance_of(mapping_problem(DATASHEET, calibration="xavier-magnas"))
    np.testing.assert_array_equal(plain.costs.latency_s, wide.costs.latency_s[:, 1:])
    np.testing.assert_array_equal(plain.costs.handover_j, wide.costs.handover_j)


def test_a_mapping_without_a_data_sheet_unit_is_as_certain_as_its_calibration() -> None:
    problem = mapping_problem(DATASHEET, calibration="xavier-magnas")
    found, latency = estimator(problem), next(each for each in ENGINE.quantities if each.name == "latency_s")
    column, gpu, cpu = (
        found.of(latency, units).certainty for units in (None, {"units": ["gpu", "dla"]}, {"units": ["gpu", "cpu"]})
    )
    assert column and gpu and cpu
    assert (column.word, gpu.word, cpu.word) == ("data sheet", "calibrated", "data sheet")
    assert (
        "Designs without CPU: calibrated." in column.sentence and "Designs without" not in gpu.sentence + cpu.sentence
    )
    alone = estimator(mapping_problem(calibration="xavier-magnas")).error_factors
    assert gpu.factor == alone["latency_s"] and column.factor is None and cpu.factor is None
    assert "Designs without CPU: calibrated." in found.number.sentence


def test_clocks_of_a_unit_do_not_count_as_its_use() -> None:
    problem = mapping_problem(DATASHEET, calibration="xavier-magnas")
    latency = next(each for each in ENGINE.quantities if each.name == "latency_s")
    number = estimator(problem).of(latency, {"units": ["gpu"], "clocks_mhz": {"cpu": 2265.6}}).certainty
    assert number is not None and number.word == "calibrated"


def test_a_device_without_any_measurement_has_no_surer_designs() -> None:
    assert not estimator(mapping_problem(DATASHEET, hardware="snapdragon-855")).surer.without
