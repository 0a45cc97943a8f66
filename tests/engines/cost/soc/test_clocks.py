"""Clock settings."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.cost.soc.clocks import clock_grid, clock_settings, highest_clocks
from hardware.soc.loader import builtin_socs, load_soc
from tests.engines.cost.soc_for_tests import board

XAVIER = load_soc(builtin_socs()["jetson-agx-xavier"])


def test_the_highest_setting_is_every_table_s_last_step() -> None:
    assert highest_clocks(board()).at(0) == {"cpu": 2e9, "gpu": 1e9, "npu": 1e9, "memory": 2e9}
    assert highest_clocks(board(), "low").at(0) == {"cpu": 2e9, "gpu": 5e8, "npu": 1e9, "memory": 1e9}


def test_the_grid_is_every_published_step() -> None:
    assert len(clock_grid(board())) == 2 * 2 * 1 * 2
    assert len(clock_grid(board(), mode="low")) == 2 * 1 * 1 * 1
    assert len(clock_grid(XAVIER)) == 29 * 14 * 7 * 9


def test_the_24_settings_of_magnas_are_steps_of_the_tables() -> None:
    grid = clock_grid(
        XAVIER, {"cpu": [1728, 2265], "gpu": [520, 900, 1377], "memory": [1065, 2133], "dla": [1050, 1395]}
    )
    assert len(grid) == 24
    assert sorted(set(grid.frequencies_hz["gpu"])) == [522.75e6, 905.25e6, 1377e6]


def test_named_settings_stand_at_their_highest_where_nothing_is_said() -> None:
    settings = clock_settings(board(), [{}, {"gpu": 505}])
    assert settings.frequencies_hz["gpu"].tolist() == [1e9, 5e8]
    assert settings.frequencies_hz["memory"].tolist() == [2e9, 2e9]


@pytest.mark.parametrize(
    ("clocks", "field", "words"),
    [
        ({"gpu": 600}, "clocks.gpu", "500, 1000"),
        ({"tpu": 600}, "clocks.tpu", "cpu, gpu, npu, memory"),
    ],
)
def test_a_clock_that_does_not_exist_is_refused(clocks: dict[str, float], field: str, words: str) -> None:
    with pytest.raises(ProblemError) as caught:
        clock_settings(board(), [clocks])
    assert caught.value.field == field and words in caught.value.accepted


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(ProblemError, match="low"):
        highest_clocks(board(), "turbo")
