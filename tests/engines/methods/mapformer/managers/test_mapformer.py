from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engines.contract.results import Matrix, Table
from engines.methods.mapformer.managers.manager import Round, Task
from engines.methods.mapformer.managers.mapformer import CANDIDATES, STARTS, MapFormerManager
from engines.simulation.steady_state import steady_state
from tests.engines.methods.mapformer.problems import task
from tests.engines.simulation.boards import drawn_board


def asked(power_limit_w: float = np.inf, **terms: Any) -> Task:
    board = drawn_board(np.random.default_rng(2), networks=3, units=3, layers=6, clocks=3)
    return replace(task(board, 2, power_limit_w), iterations=30, **terms)


def rounds_of(manager: MapFormerManager) -> tuple[list[Round], dict[str, Any]]:
    found, state = list[Round](), dict[str, Any]()
    for number in range(manager.rounds):
        found.append(manager.round(number, state))
        state = dict(found[-1].state)
    return found, state


def test_it_asks_at_most_as_often_as_it_was_told_to_and_of_no_mapping_twice() -> None:
    rounds, state = rounds_of(MapFormerManager(asked()))
    assert 30 < len(state["values"]) <= STARTS + 30 * CANDIDATES
    keys = np.concatenate(
        [state[name].reshape(len(state["values"]), -1) for name in ("ends", "units", "steps")], axis=1
    )
    assert len(np.unique(keys, axis=0)) == len(keys)
    assert len(set(state["handed"].tolist())) == len(state["handed"]) == sum(len(each.mappings) for each in rounds)


def test_with_a_faultless_estimator_what_it_hands_over_is_of_the_highest_class() -> None:
    one = asked(operation_mode="hp")
    rounds, _ = rounds_of(MapFormerManager(one))
    handed = np.concatenate([each.steady.mean_per_s for each in rounds[1:]])
    assert (handed >= one.judge().throughput_edges[-2]).all()  # a sixteenth of random mappings is


def test_the_limit_is_held_against_the_upper_end_of_the_class() -> None:
    judge = asked().judge()
    limit = float(judge.power_edges[8])
    rounds, _ = rounds_of(MapFormerManager(asked(limit)))
    for each in rounds[-1:]:
        assert (each.steady.power_w <= judge.power_edges[7]).all()  # a tie rejects


def test_weights_of_the_operation_mode_decide() -> None:
    power = {}
    for mode in ("hp", "pr"):
        rounds, _ = rounds_of(MapFormerManager(asked(operation_mode=mode)))
        power[mode] = float(rounds[-1].steady.power_w[0])
    assert power["pr"] < power["hp"]


def test_what_was_told_stands_beside_what_was_simulated() -> None:
    manager = MapFormerManager(asked())
    rounds, state = rounds_of(manager)
    results = {result.name: result for result in manager.results(state)}
    matrix, table = results["confusion-throughput"], results["handed-over"]
    assert isinstance(matrix, Matrix) and isinstance(table, Table)
    assert matrix.values.sum() == np.trace(matrix.values) == len(state["values"])
    handed = np.concatenate([steady_state(manager.task.board, each.mappings).mean_per_s for each in rounds])
    np.testing.assert_array_equal(table.table_columns[3].values, handed)
    regions = results["regions"]
    assert isinstance(regions, Table)
    assert sum(np.asarray(regions.table_columns[1].values, np.float64)) == len(state["values"])


def test_without_an_estimator_there_is_none_to_ask() -> None:
    with pytest.raises(AssertionError):
        replace(asked(), estimator=None).judge()
