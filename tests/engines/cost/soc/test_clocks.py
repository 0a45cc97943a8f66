"""Clock settings."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.cost.soc.clocks import clock_grid, clock_settings, highest_clocks
from engines.cost.soc.model import SocCostModel
from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.soc.loader import builtin_socs, load_soc
from tests.engines.cost.soc_for_tests import board

XAVIER = load_soc(builtin_socs()["jetson-agx-xavier"])
_CALIBRATION = load_calibration(builtin_calibrations()["xavier-magnas"])


def test_the_highest_setting_is_every_table_s_last_step() -> None:
    assert highest_clocks(board()).at(0) == {"cpu": 2e9, "gpu": 1e9, "npu": 1e9, "memory": 2e9}
    assert highest_clocks(board(), "low").at(0) == {"cpu": 2e9, "gpu": 5e8, "npu": 1e9, "memory": 1e9}


def test_the_grid_is_every_published_step() -> None:
    assert len(clock_grid(board())) == 2 * 2 * 1 * 2
    assert len(clock_grid(board(), mode="low")) == 2 * 1 * 1 * 1
    assert len(clock_grid(XAVIER)) == 29 * 14 * 7 * 9


@pytest.mark.parametrize("words", ["mode-10w", "10W", "10 W", " MODE_10W "])
def test_every_cost_model_takes_a_power_mode_by_the_words_that_people_use(words: str) -> None:
    mode = "mode-10w"
    assert highest_clocks(XAVIER, words).at(0) == highest_clocks(XAVIER, mode).at(0) != highest_clocks(XAVIER).at(0)
    assert len(clock_grid(XAVIER, mode=words)) == len(clock_grid(XAVIER, mode=mode))
    assert SocCostModel(XAVIER, _CALIBRATION, mode=words).mode == mode


def test_an_unknown_power_mode_is_refused_with_the_names_that_are_known() -> None:
    accepted = r"params\.power_mode.*empty, or one of: maxn, mode-10w"
    for refused in (highest_clocks, lambda soc, mode: SocCostModel(soc, _CALIBRATION, mode=mode)):
        with pytest.raises(ProblemError, match=accepted):
            refused(XAVIER, "turbo")
        with pytest.raises(ProblemError, match=r"No sustained clocks of this device are published"):
            refused(XAVIER, "Sustained")


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
