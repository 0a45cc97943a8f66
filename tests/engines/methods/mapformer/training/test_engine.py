import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.mapformer.estimator.shape import EstimatorShape
from engines.methods.mapformer.training.engine import TrainEstimatorEngine
from engines.methods.mapformer.training.params import (
    TrainEstimatorParams,
    report_steps,
    seconds_of,
    seconds_per_mapping,
)
from engines.testing.conformance import run_all
from tests.engines.methods.mapformer.problems import TINY_TRAINING, tiny_training, training_problem


@pytest.mark.parametrize("shape", [EstimatorShape(4, 61), EstimatorShape(3, 20, layers=2, width=16, inner=40)])
def test_weights_are_counted_as_torch_counts_them(shape: EstimatorShape) -> None:
    pytest.importorskip("torch")
    from engines.methods.mapformer.estimator.network import Estimator

    assert shape.weight_count == sum(each.numel() for each in Estimator(shape).parameters())


def test_the_published_transformer_has_about_the_published_size() -> None:
    assert 200_000 < EstimatorShape(4, 61).weight_count < 300_000


def test_it_learns() -> None:
    pytest.importorskip("torch")
    settings = {**TINY_TRAINING, "mixes": 40, "mappings": 16, "epochs": 8, "width": 16, "learning_rate": 0.01}
    tiny = tiny_training()
    steps = run_all(tiny, problem=training_problem(settings))
    found = steps[-1].metrics
    assert found["power_near_fraction"] > 0.6 and found["throughput_near_fraction"] > 0.4  # by chance: 0.18
    losses = [result.series[0].y for step in steps for result in step.results if result.name == "loss"][-1]
    assert losses[-1] < 0.8 * losses[0] and np.isfinite(losses).all()


@pytest.mark.parametrize(
    ("params", "field"), [({"unseen_networks": 4}, "params.unseen_networks"), ({"width": 12}, "params.width")]
)
def test_what_cannot_be_trained_is_refused(params: dict[str, int], field: str) -> None:
    problem = training_problem(params)
    with pytest.raises(ProblemError) as error:
        TrainEstimatorEngine().prepare(problem)
    assert error.value.field == field


def test_a_device_without_power_of_its_memory_is_refused() -> None:
    problem = make_problem("train-estimator", {"hardware": get_builtin("hardware", "jetson-tx2")}, {})
    with pytest.raises(ProblemError, match=r"without memory\.power"):
        TrainEstimatorEngine().prepare(problem)


def test_there_is_a_checkpoint_at_least_once_a_minute_and_the_default_takes_a_quarter_of_an_hour_at_most() -> None:
    for params in (TrainEstimatorParams(), TrainEstimatorParams(mappings=1000, epochs=100)):
        assert report_steps(params) * params.batch_size * seconds_per_mapping(params) < 60.0
    assert seconds_of(TrainEstimatorParams()) < 900.0
