"""The conformance suite of cost models for pytest. Derive a class from `EstimatorSuite` and override its three fixtures."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.cost.estimators.protocol import COST_COLUMNS, ComputeUnit, CostEstimator
from engines.workloads.network import Network


@dataclass(frozen=True)
class _OtherUnit(ComputeUnit):
    """A compute unit of a class that no cost model takes."""


class EstimatorSuite:
    """The tests that every cost model must pass."""

    @pytest.fixture
    def estimator(self) -> CostEstimator:
        """Return the cost model under test."""
        raise NotImplementedError("A suite must override the fixture estimator.")

    @pytest.fixture
    def graph(self) -> Network:
        """Return a network of at least two layers that the cost model can evaluate."""
        raise NotImplementedError("A suite must override the fixture graph.")

    @pytest.fixture
    def unit(self) -> ComputeUnit:
        """Return a compute unit that the cost model supports."""
        raise NotImplementedError("A suite must override the fixture unit.")

    def test_it_is_declared_fit_for_forms_and_tables(self, estimator: CostEstimator, unit: ComputeUnit) -> None:  # noqa: D102
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", estimator.name)
        assert estimator.title and estimator.words and estimator.version >= 1
        assert isinstance(unit, estimator.units)

    def test_every_layer_has_a_row_of_finite_costs(  # noqa: D102
        self, estimator: CostEstimator, graph: Network, unit: ComputeUnit
    ) -> None:
        costs = estimator.estimate(graph, unit)
        assert len(costs.layers) == len(set(costs.layers)) >= 2
        assert set(costs.layers) <= {operation.name for operation in graph.operations}
        for name in COST_COLUMNS:
            assert getattr(costs, name).shape == (len(costs.layers),), name
        for values in (costs.cycles, costs.latency_s, costs.energy_j):
            assert np.isfinite(values).all() and (values >= 0).all()
        for stated in (costs.buffer_bytes, costs.off_chip_bytes):
            assert np.isnan(stated).all() or (stated >= 0).all()
        assert all(note.endswith(".") for note in costs.notes)

    def test_cycles_and_seconds_differ_by_one_clock(  # noqa: D102
        self, estimator: CostEstimator, graph: Network, unit: ComputeUnit
    ) -> None:
        costs = estimator.estimate(graph, unit)
        busy = costs.latency_s > 0
        np.testing.assert_allclose(
            costs.cycles[busy] / costs.latency_s[busy], costs.cycles.sum() / costs.latency_s.sum()
        )

    def test_totals_are_the_sums_of_the_rows(self, estimator: CostEstimator, graph: Network, unit: ComputeUnit) -> None:  # noqa: D102
        costs = estimator.estimate(graph, unit)
        assert costs.totals()["latency_s"] == pytest.approx(sum(costs.latency_s.tolist()))
        assert costs.totals()["energy_j"] == pytest.approx(sum(costs.energy_j.tolist()))

    def test_the_same_question_has_the_same_answer(  # noqa: D102
        self, estimator: CostEstimator, graph: Network, unit: ComputeUnit
    ) -> None:
        first, second = estimator.estimate(graph, unit), estimator.estimate(graph, unit)
        for field in fields(first):
            np.testing.assert_array_equal(getattr(first, field.name), getattr(second, field.name))

    def test_a_layer_costs_the_same_alone(self, estimator: CostEstimator, graph: Network, unit: ComputeUnit) -> None:  # noqa: D102
        whole, name = estimator.estimate(graph, unit), graph.layers[0].name
        operations = tuple(each for each in graph.operations if each.name == name)
        alone = estimator.estimate(replace(graph, layers=graph.layers[:1], operations=operations), unit)
        place = whole.layers.index(name)
        assert alone.latency_s[0] == whole.latency_s[place] and alone.energy_j[0] == whole.energy_j[place]

    def test_another_kind_of_unit_is_refused_by_name(self, estimator: CostEstimator, graph: Network) -> None:  # noqa: D102
        with pytest.raises(ProblemError) as error:
            estimator.estimate(graph, _OtherUnit("abacus"))
        assert error.value.field == "unit" and error.value.got == "abacus"
