from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.cost.soc.clocks import highest_clocks
from engines.mapping.problem.options import MappingOptions
from engines.mapping.problem.settings import highest_setting, searched_settings
from hardware.soc.loader import builtin_socs, load_soc

XAVIER = load_soc(builtin_socs()["jetson-agx-xavier"])


def test_fixed_clocks_are_one_setting_with_the_highest() -> None:
    found = searched_settings(XAVIER, None, MappingOptions())
    assert {name: clock.tolist() for name, clock in found.frequencies_hz.items()} == {
        name: clock.tolist() for name, clock in highest_clocks(XAVIER, None).frequencies_hz.items()
    }


def test_searched_clocks_are_every_combination_of_evenly_spread_steps() -> None:
    found = searched_settings(XAVIER, None, MappingOptions(clocks="searched", clock_steps=2))
    spread = {name: sorted(set(clock.tolist())) for name, clock in found.frequencies_hz.items()}
    assert len(found) == np.prod([len(steps) for steps in spread.values()]) > 1
    top = highest_setting(found)
    assert all(found.frequencies_hz[name][top] == steps[-1] for name, steps in spread.items())


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (MappingOptions(power_mode="none"), "params.power_mode"),
        (MappingOptions(clocks="searched", clock_choices="gpu: 1"), "params.clock_choices"),
    ],
)
def test_what_cannot_be_searched_is_named_by_its_field(options: MappingOptions, field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        searched_settings(XAVIER, None, options)
    assert caught.value.field == field
