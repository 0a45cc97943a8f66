"""OmniBoost with a network that is never wrong, and with the one that ships."""

from typing import Any

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.contract.results import Table
from engines.methods.mapformer.engine import MapFormerEngine
from engines.methods.mapformer.managers.omniboost import OmniBoostManager, OmniBoostPowerManager
from engines.simulation.board import Board, Mappings
from engines.simulation.steady_state import steady_state
from tests.engines.methods.mapformer.problems import mix_problem, task
from tests.engines.simulation.boards import drawn_board

pytest.importorskip("torch")


class _Faultless(OmniBoostManager):
    def _told(self, mappings: Mappings) -> Any:
        return steady_state(self.task.board, mappings).mean_per_s


def drawn() -> Board:
    return drawn_board(np.random.default_rng(4), networks=2, units=3, layers=9, clocks=2)


def rounds_of(manager: OmniBoostManager) -> tuple[list[Any], dict[str, Any]]:
    found, state = list[Any](), dict[str, Any]()
    for number in range(manager.rounds):
        found.append(manager.round(number, state))
        state = dict(found[-1].state)
    return found, state


def test_with_a_faultless_network_it_finds_one_of_the_best_ways() -> None:
    manager = _Faultless(task(drawn()))
    rounds, _ = rounds_of(manager)
    ways = [range(len(each)) for each in manager._ways]
    everything = manager._mappings([[first, second] for first in ways[0] for second in ways[1]])
    rates = steady_state(manager.task.board, everything).mean_per_s
    assert max(each.steady.mean_per_s.max() for each in rounds) >= np.quantile(rates, 0.98)
    assert not any(each.mappings.steps[:, 2].any() for each in rounds)  # of DLAs it knows nothing


def test_what_ships_is_asked_and_told_beside_the_simulator() -> None:
    own = task(drawn(), power_limit_w=12.0)
    for kind, words in ((OmniBoostManager, "at the highest clocks"), (OmniBoostPowerManager, "within 12 W")):
        manager = kind(own)
        rounds, state = rounds_of(manager)
        (table,) = manager.results(state)
        assert isinstance(table, Table) and table.table_columns[2].title == f"Simulated {words}"
        assert len(set(map(tuple, state["taken"][state["handed"]].tolist()))) == len(rounds)


def test_a_device_without_a_network_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.methods.mapformer.engine.shipped_for", lambda _: None)
    with pytest.raises(ProblemError, match="No network of OmniBoost is built in for jetson-agx-xavier"):
        MapFormerEngine().prepare(mix_problem({"manager": "omniboost"}))
