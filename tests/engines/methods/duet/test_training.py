"""Recommenders trained on clicks."""

from functools import partial

import numpy as np
import pytest
from sklearn.metrics import log_loss, roc_auc_score

from engines.contract.errors import DecisionError, ProblemError
from engines.contract.numeric.random_streams import random_stream
from engines.contract.results import Note, Table
from engines.data.click_log import rating_clicks
from engines.methods.duet.decomposition import decomposed
from engines.methods.duet.recommender import built_in
from engines.methods.duet.training.clicks import generated, loaded
from engines.methods.duet.training.engine import TrainRecommenderEngine
from engines.methods.duet.training.scores import area_under_roc, scores_of
from engines.methods.duet.training.stages import Stage, stage_of, stages_of
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.prepared_problems import ready_of
from tests.engines.methods.duet.problems import tiny_training, training_problem


def test_scores_are_those_of_scikit_learn() -> None:
    draw = np.random.default_rng(5)
    labels = draw.integers(2, size=300)
    probabilities = np.round(draw.random(300), 1)  # many of them equal
    found = scores_of(np.clip(probabilities, 0.05, 0.95), labels)
    assert found.auc == pytest.approx(roc_auc_score(labels, probabilities))
    assert found.log_loss == pytest.approx(log_loss(labels, np.clip(probabilities, 0.05, 0.95)))
    assert np.isnan(area_under_roc(np.array([0.1, 0.2]), np.array([1, 1])))


def test_the_generated_log_is_drawn_from_its_truth() -> None:
    log = generated(20_000, partial(random_stream, 3))
    assert log.truth is not None and log.static_share == 0.875
    assert abs(float((log.labels - log.truth).mean())) < 0.02
    half = log.truth > 0.5
    assert log.labels[half].mean() > 0.6 > 0.4 > log.labels[~half].mean()
    again = generated(20_000, partial(random_stream, 3))
    assert (again.labels == log.labels).all() and (again.history[0] == log.history[0]).all()
    rows = np.concatenate(log.splits())
    assert (rows == np.arange(len(log))).all()


def test_a_log_that_was_brought_along_has_tables_of_history_candidate_or_both() -> None:
    lines = [f"u{row % 3},i{row % 7},{row % 2},{row}" for row in range(60)]
    log = loaded(rating_clicks("\n".join(["user,item,label,timestamp", *lines]), "Mine"))
    assert [(table.side, table.lookups) for table in log.tables] == [("user", 1), ("shared", 9)]
    model = log.recommender((), (8, 1), 4)
    assert (model.user_features, model.item_features, len(log.history), len(log.candidate)) == (8, 4, 2, 1)


def test_one_layer_more_is_split_at_a_time_from_the_bottom_up() -> None:
    rm1 = built_in("rm1")
    assert stages_of(rm1) == (Stage(0, 0), Stage(1, 0), Stage(2, 0), Stage(2, 1), Stage(2, 2))
    parts = decomposed(rm1, True, 0, rm1.feature_share, 1)
    assert (parts.static, parts.dynamic, parts.joined) == ((112, 56), (16, 8), (64, 32))
    assert Stage(0, 0).macs(rm1) == (128 * 64 + 64 * 32 + 288 * 256 + 256 * 64 + 64, 0)
    assert Stage(2, 2).parts(rm1) == decomposed(rm1, True, 2, rm1.feature_share)
    with pytest.raises(DecisionError, match="stage"):
        stage_of({"bottom_layers": 0, "top_layers": 1}, stages_of(rm1))
    with pytest.raises(DecisionError, match="int8"):
        stage_of({"bottom_layers": 1, "top_layers": 0, "int8": True}, stages_of(rm1))


def test_a_run_measures_stages_checks_the_model_and_brings_both_halves() -> None:
    problem = tiny_training().problem
    steps = list(drive(TrainRecommenderEngine(), problem, LocalContext(problem)))
    tables = {each.name: each for each in steps[-1].results if isinstance(each, Table)}
    assert str(tables["stages"].table_columns[0].values[-1]).startswith("The truth")
    values = np.asarray(tables["checks"].table_columns[1].values)
    assert 0 <= values[0] <= 1e-5 and values[1] == 0 and 0 < values[2] < 0.5
    assert any(isinstance(each, Note) and each.name == "splitting" for each in steps[-1].results)
    assert {"user-half.onnx", "item-half.onnx", "recommender.safetensors"} <= {file.name for file in steps[-1].files}


@pytest.mark.parametrize(
    ("params", "field"),
    [({"bottom_mlp": "16-7"}, "bottom_mlp"), ({"top_mlp": "16-2"}, "top_mlp"), ({"top_mlp": "a"}, "top_mlp")],
)
def test_widths_that_do_not_fit_are_refused(params: dict[str, object], field: str) -> None:
    problem = training_problem(params)
    with pytest.raises(ProblemError, match=field):
        ready_of(get_engine("train-recommender"), problem)
