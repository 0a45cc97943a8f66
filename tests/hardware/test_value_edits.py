"""Figures changed one by one."""

from __future__ import annotations

from typing import Any

import pytest

from hardware.battery.loader import builtin_batteries
from hardware.chiplet_system.loader import builtin_chiplet_systems, load_chiplet_system
from hardware.figure_table import figure_table
from hardware.radio.loader import builtin_radios, load_radio
from hardware.sensor_node.loader import builtin_sensor_nodes
from hardware.silicon.loader import builtin_silicon_costs, load_silicon_costs
from hardware.soc.loader import builtin_socs, load_soc
from hardware.value_edits import in_words, typed_like, with_values
from tests.hardware.test_figure_table import LOADERS

ALL = {
    **builtin_socs(), **builtin_sensor_nodes(), **builtin_radios(), **builtin_batteries(), **builtin_silicon_costs(),
    **builtin_chiplet_systems(),
}  # fmt: skip
NEWER = {"soc/1": load_soc, "silicon-cost/1": load_silicon_costs, "chiplet-system/1": load_chiplet_system}


def at(content: Any, key: str) -> Any:
    for part in key.split("."):
        content = content[part]
    return content


@pytest.mark.parametrize("slug", ALL)
def test_every_figure_reads_back_as_what_it_was(slug: str) -> None:
    content = ALL[slug]
    sources = {**LOADERS, **NEWER}[content["schema"]](content).sources
    for row in figure_table(content, sources):
        value = at(content, row.key)
        assert typed_like(value, in_words(value)) == value


@pytest.mark.parametrize(
    "value", [1 / 3, 0.1 + 0.2, 123456789012345, 1e-7, 2.5e20, 120.0, True, [1.0, 1 / 7, 3], ["conv", "gemm"], "cpu"]
)
def test_what_nobody_touches_is_no_change(value: Any) -> None:
    assert typed_like(value, in_words(value)) == value
    assert in_words(120.0) == "120"


def test_changed_figures_say_where_they_are_from_and_others_keep_it() -> None:
    base = builtin_radios()["wifi-smartphone"]
    changed = with_values(base, {"transfer_power.base_mw": 100, "slug": "mine", "title": "Mine"}, "measured by ada")
    radio = load_radio(changed)
    assert (radio.slug, radio.title, radio.base_power_w) == ("mine", "Mine", 0.1)
    before = load_radio(base).sources
    assert {key for key in before if radio.sources[key] != before[key]} == {"transfer_power.base_mw"}
    assert radio.sources["transfer_power.base_mw"] == "measured by ada"
    assert base["transfer_power"]["base_mw"] == 132.86


def test_a_table_of_clocks_is_typed_with_commas() -> None:
    base = builtin_socs()["efm32-giant-gecko"]
    typed = typed_like(base["units"]["core"]["frequencies_mhz"], "14, 28.5,48")
    board = load_soc(with_values(base, {"units.core.frequencies_mhz": typed}, "me"))
    assert board.units["core"].frequencies_hz == (14e6, 28.5e6, 48e6)


@pytest.mark.parametrize(
    ("old", "typed", "value"),
    [
        (1.5, "1 200", 1200),
        (1, "0.25", 0.25),
        (1, "ten", "ten"),
        ("cpu", " gpu ", "gpu"),
        ([1], "", []),
        ([1], "1, x", [1, "x"]),
        ([1], "1,024", "1,024"),
        (1, "1,024", "1,024"),
    ],
)
def test_what_is_typed_gets_the_type_of_what_was_there(old: Any, typed: str, value: Any) -> None:
    assert typed_like(old, typed) == value
