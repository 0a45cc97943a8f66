"""Thresholds, calibration and objectives of outputs made up."""

from dataclasses import replace

import numpy as np
import pytest

from engines.methods.eexnas.costs import cost_of
from engines.methods.eexnas.instance import EexnasInstance, instance_of
from engines.methods.eexnas.scoring import ExitOutputs, NetworkOutputs, Normal
from engines.search.ends.confidence import calibration_error
from tests.engines.methods.eexnas.problems import eexnas_problem

# Exit and last layer of four windows: the exit is right of two, one of which it is sure of, and sure of a wrong one.
OUTPUTS = np.log(
    [[[0.9, 0.1], [0.6, 0.4]], [[0.6, 0.4], [0.7, 0.3]], [[0.8, 0.2], [0.1, 0.9]], [[0.55, 0.45], [0.2, 0.8]]]
)
HELD = ExitOutputs(OUTPUTS, np.array([0, 0, 1, 1]))


@pytest.fixture(scope="module")
def instance() -> EexnasInstance:
    return instance_of(eexnas_problem({"accuracy_weight": 3.0}))


def test_windows_leave_where_the_exit_is_sure_enough() -> None:
    assert HELD.right.tolist() == [[True, True], [True, True], [False, True], [False, True]]
    assert [HELD.answered(threshold, 1.0) for threshold in (0.0, 0.7, 0.85, 1.0)] == [
        (0.5, 1.0), (0.75, 0.5), (1.0, 0.25), (1.0, 0.0),
    ]  # fmt: skip
    assert HELD.answered(0.7, 10.0) == (1.0, 0.0)  # nothing is sure at so high a temperature
    assert ExitOutputs(np.zeros((1, 2, 2)), np.array([0])).answered(0.5, 1.0) == (
        1.0,
        1.0,
    )  # as sure as it has to be


def test_columns_of_thresholds(instance: EexnasInstance) -> None:
    judged = NetworkOutputs(instance.space.smallest, HELD, replace(HELD, labels=np.array([1, 0, 1, 1])))
    columns = judged.columns(instance, (0.0, 1.0))
    cost = cost_of(judged.laid, instance.device)
    np.testing.assert_allclose(columns["latency_s"], [cost.early_s, cost.late_s])
    np.testing.assert_allclose(columns["energy_j"], instance.device.power_w * columns["latency_s"])
    assert columns["accuracy_percent"].tolist() == [50.0, 100.0]
    assert columns["test_accuracy_percent"].tolist() == [25.0, 75.0]
    assert columns["backbone_test_accuracy_percent"].tolist() == [75.0, 75.0]
    designs = judged.designs(instance, (0.0, 1.0))
    assert [each["threshold"] for each in designs.decisions] == [0.0, 1.0]


def test_the_error_of_calibration_is_least_near_the_fitted_temperature(instance: EexnasInstance) -> None:
    sure = np.zeros((200, 2, 2))
    sure[:, :, 0] = 6.0  # says 99.75 %, is right in 70 %
    labels = (np.arange(200) % 10 >= 7).astype(np.int64)
    judged = NetworkOutputs(instance.space.smallest, ExitOutputs(sure, labels), ExitOutputs(sure, labels))
    assert judged.temperature == pytest.approx(6 / np.log(7 / 3), rel=0.03)
    assert judged.calibration_percent(0, 1.0) == pytest.approx(29.75, abs=0.1)
    assert judged.calibration_percent(0, judged.temperature) < 1


def test_objectives_lie_between_the_least_and_the_most_of_the_space(instance: EexnasInstance) -> None:
    normal, space = Normal(instance), instance.space
    np.testing.assert_allclose(normal.weights, [3 / 8, 3 / 8, 1 / 8, 1 / 8])
    small, large = (normal.values(NetworkOutputs(laid, HELD, HELD)) for laid in (space.smallest, space.largest))
    assert small[0] == large[0] == 1.0  # the last layer is right of everything
    assert (small[2], large[2]) == (1.0, 0.0) and small[3] > large[3]
    np.testing.assert_allclose(normal.score(np.stack([small, large])), [small @ normal.weights, large @ normal.weights])


def test_columns_keep_windows_to_choose_by_apart_from_those_to_report_on(instance: EexnasInstance) -> None:
    validation = replace(HELD, labels=np.array([1, 0, 1, 1]))
    test = ExitOutputs(2 * OUTPUTS[:, ::-1], np.array([0, 0, 0, 0]))
    judged = NetworkOutputs(instance.space.smallest, validation, test)
    columns = {name: values.tolist() for name, values in judged.columns(instance, (1.0,)).items()}
    assert (columns["backbone_accuracy_percent"], columns["backbone_test_accuracy_percent"]) == ([75.0], [100.0])
    for name, temperature in (("ece_before_percent", 1.0), ("ece_percent", judged.temperature)):
        expected = 100 * calibration_error(test.outputs[:, 0], test.labels, temperature)
        assert columns[name] == [pytest.approx(expected)]


def test_an_accuracy_of_guessing_is_worth_nothing(instance: EexnasInstance) -> None:
    # Both classes are guessed right in half of the windows; three in four are half of the way to all.
    assert instance.space.classes == 2
    for labels, worth in ((np.array([1, 0, 1, 1]), 0.5), (np.array([1, 1, 1, 1]), 0.0), (np.array([1, 1, 0, 1]), 0.0)):
        values = Normal(instance).values(NetworkOutputs(instance.space.smallest, replace(HELD, labels=labels), HELD))
        assert values[0] == pytest.approx(worth)
