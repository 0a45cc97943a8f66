from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import ProblemError, RegistrationError
from engines.cost.dataflow.model import mapping_costs, shapes_of
from engines.cost.estimators import registry
from engines.cost.estimators.closed_forms import DataflowEstimator, IdealArrayEstimator
from engines.cost.estimators.protocol import ComputeUnit, CostEstimator
from engines.cost.estimators.table import TableEstimator, read_costs, write_costs
from engines.cost.soc.calibrated_estimator import CalibratedEstimator, CalibratedUnit
from engines.cost.soc.clocks import highest_clocks
from engines.cost.soc.model import SocCostModel
from engines.testing import EstimatorSuite
from engines.workloads.loader import load_network
from engines.workloads.network import Network
from tests.engines.cost.estimators.networks_for_tests import NVDLA, SHI, network
from tests.engines.cost.soc_for_tests import board, calibration
from tests.engines.workloads.documents_for_tests import network_content

TABLE = (
    "network,layer,unit,latency_s,energy_j\ntiny,conv,shi-diannao-256,0.5,2\ntiny,depthwise,shi-diannao-256,0.25,1\n"
)
WHOLE = TABLE + "tiny,fc,shi-diannao-256,0.125,4\n"


class _OnAnArray(EstimatorSuite):
    @pytest.fixture
    def graph(self) -> Network:
        return network()

    @pytest.fixture
    def unit(self) -> ComputeUnit:
        return SHI


class TestDataflow(_OnAnArray):
    @pytest.fixture
    def estimator(self) -> CostEstimator:
        return DataflowEstimator()


class TestIdealArray(_OnAnArray):
    @pytest.fixture
    def estimator(self) -> CostEstimator:
        return IdealArrayEstimator()


class TestTable(_OnAnArray):
    @pytest.fixture
    def estimator(self) -> CostEstimator:
        return TableEstimator(WHOLE)


class TestCalibrated(EstimatorSuite):
    @pytest.fixture
    def estimator(self) -> CostEstimator:
        return CalibratedEstimator()

    @pytest.fixture
    def graph(self) -> Network:
        rows = [{"name": name, "kind": "gemm", "k": 64, "c": 64, "y": 1} for name in ("first", "second")]
        return load_network(network_content(*rows))

    @pytest.fixture
    def unit(self) -> ComputeUnit:
        return CalibratedUnit("gpu", SocCostModel(board(), calibration()), highest_clocks(board()))


def test_the_default_equals_the_closed_forms_to_the_last_digit() -> None:
    costs, plain = (
        DataflowEstimator().estimate(network(), SHI),
        mapping_costs("ykp_os", shapes_of(network().layers), SHI.figures),
    )
    np.testing.assert_array_equal(costs.cycles, plain.cycles)
    np.testing.assert_array_equal(costs.latency_s, plain.cycles / 500e6)
    np.testing.assert_array_equal(costs.energy_j, plain.energy_macs * (0.23 * 1e-12))
    np.testing.assert_array_equal(costs.buffer_bytes, plain.level2_accesses)
    assert np.isnan(costs.off_chip_bytes).all()


def test_an_ideal_array_writes_partial_sums_once_and_leaves_the_other_dataflow_alone() -> None:
    usual, ideal = (each.estimate(network(), SHI) for each in (DataflowEstimator(), IdealArrayEstimator()))
    conv, depthwise = 0, 1
    assert ideal.buffer_bytes[conv] < usual.buffer_bytes[conv] and ideal.energy_j[conv] < usual.energy_j[conv]
    assert ideal.energy_j[depthwise] == usual.energy_j[depthwise]
    usual, ideal = (each.estimate(network(), NVDLA) for each in (DataflowEstimator(), IdealArrayEstimator()))
    np.testing.assert_array_equal(usual.energy_j, ideal.energy_j)


def test_a_mapping_that_is_asked_for_counts() -> None:
    asked = DataflowEstimator().estimate(network(), SHI, "kcp_ws")
    np.testing.assert_array_equal(asked.cycles, DataflowEstimator().estimate(network(), NVDLA).cycles)


def test_a_table_comes_back_as_it_was_written() -> None:
    costs = DataflowEstimator().estimate(network(), SHI)
    again = TableEstimator(write_costs([(network(), SHI.name, costs)])).estimate(network(), SHI)
    np.testing.assert_array_equal(again.latency_s, costs.latency_s)
    np.testing.assert_array_equal(again.energy_j, costs.energy_j)
    np.testing.assert_array_equal(again.buffer_bytes, costs.buffer_bytes)
    np.testing.assert_array_equal(again.off_chip_bytes, costs.off_chip_bytes)


@pytest.mark.parametrize(
    ("text", "field", "line", "words"),
    [
        ("", "params.cost_table", None, "lacks network"),
        ("network,layer,unit,latency_s\n", "params.cost_table", None, "lacks energy_j"),
        (TABLE + "tiny,fc,shi-diannao-256,fast,1\n", "params.cost_table.latency_s", 4, "a number from 0 on"),
        (TABLE + "tiny,fc,shi-diannao-256,1,-1\n", "params.cost_table.energy_j", 4, "'-1'"),
        (TABLE + "tiny,fc,shi-diannao-256,1\n", "params.cost_table.energy_j", 4, "a number from 0 on"),
        (TABLE + "tiny,fc,shi-diannao-256,1,inf\n", "params.cost_table.energy_j", 4, "'inf'"),
        (TABLE + "tiny,conv,shi-diannao-256,1,1\n", "params.cost_table", 4, "one row per network, layer and unit"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_with_its_line(
    text: str, field: str, line: int | None, words: str
) -> None:
    with pytest.raises(ProblemError, match=words) as error:
        read_costs(text)
    assert (error.value.field, error.value.line) == (field, line)


def test_layers_that_a_table_lacks_are_named() -> None:
    with pytest.raises(ProblemError, match="no rows for fc") as error:
        TableEstimator(TABLE).estimate(network(), SHI)
    assert "every layer of tiny on shi-diannao-256" in error.value.accepted
    with pytest.raises(ProblemError, match="no rows for conv, depthwise, fc"):
        TableEstimator(WHOLE).estimate(network(), NVDLA)


class _Other(DataflowEstimator):
    name = "other"


def test_models_of_other_packages_are_found_and_cannot_take_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib import metadata

    here = f"{__name__}:_Other"
    points = [metadata.EntryPoint(name, here, registry.ENTRY_POINT_GROUP) for name in ("other", "dataflow", "misnamed")]
    monkeypatch.setattr(metadata, "entry_points", lambda group: points if group == registry.ENTRY_POINT_GROUP else [])
    caches = (registry._announced, registry._of_arrays)
    try:
        for each in caches:
            each.cache_clear()
        with pytest.warns(UserWarning, match="Estimator 'dataflow' .* left out"):
            assert registry.estimator_names()[-2:] == ("misnamed", "other")
        assert registry.estimator_class("other") is _Other
        with pytest.raises(RegistrationError, match="must be a cost model named 'misnamed'"):
            registry.estimator_class("misnamed")
    finally:
        for each in caches:
            each.cache_clear()


def test_unknown_models_and_models_of_other_units_are_refused() -> None:
    with pytest.raises(ProblemError, match=r"one of dataflow, ideal-array, table\. Got 'calibrated'"):
        registry.array_estimator("calibrated")
    with pytest.raises(ProblemError, match="Got 'zigzag'"):
        registry.estimator_class("zigzag")
