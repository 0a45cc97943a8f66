"""Choices there and back, and what is no choice."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.methods.myml.block_floating_point import BlockFormat
from engines.methods.myml.choices import (
    choice_of,
    form_of,
    kept_channels,
    largest_rate,
    original,
    published,
    space_of,
)
from engines.methods.myml.instance import PUBLISHED_RATES
from engines.methods.myml.layers import four_blocks
from engines.methods.myml.params import MymlParams

LAYERS, _ = four_blocks(1, (8, 8), 10, 4, 1)
CHOICE = published("accelerator", (75.0, 50.0, 25.0, 0.0))


@pytest.mark.parametrize("channels", [2, 3, 4, 7, 16, 100])
def test_the_largest_rate_leaves_one_channel_and_a_little_more_none(channels: int) -> None:
    assert kept_channels(channels, largest_rate(channels)) == 1
    assert kept_channels(channels, largest_rate(channels) + 0.2) == 0


def test_halves_are_rounded_up() -> None:
    assert [kept_channels(4, rate) for rate in (0, 12.5, 30, 62.5)] == [4, 4, 3, 2]


def test_a_decision_gives_its_choice_again() -> None:
    assert choice_of(CHOICE.decision, LAYERS) == CHOICE
    assert choice_of(original("cpu").decision, LAYERS) == original("cpu")
    assert CHOICE.specific and not original("cpu").specific and not replace(CHOICE, order="user-agnostic").specific


def test_what_is_trained_is_the_same_for_both_platforms_and_differs_else() -> None:
    assert replace(CHOICE, platform="cpu").trained_name == CHOICE.trained_name
    changes: list[dict[str, Any]] = [{"batch": 9}, {"rates_percent": (75.0, 50.0, 25.0, 1.0)}, {"reduction": 1.0}]
    names = {replace(CHOICE, **change).trained_name for change in changes}
    assert len(names | {CHOICE.trained_name}) == 4


def test_names_of_formats() -> None:
    assert form_of("fp32") is None and form_of("bfp64x7") == BlockFormat(64, 7) == CHOICE.form
    for wrong in ("bfp0x7", "bfp4097x7", "bfp64x1", "bfp64x8", "fp16"):
        with pytest.raises(ValueError, match=wrong):
            form_of(wrong)


@pytest.mark.parametrize(
    ("change", "field", "accepted"),
    [
        ({"platform": "gpu"}, "platform", "cpu, accelerator"),
        ({"order": "sideways"}, "order", "bottom-up"),
        ({"rates_percent": [10, 20, 30]}, "rates_percent", "4 numbers from 0 to 87.5"),
        ({"rates_percent": [10, 20, 30, 88]}, "rates_percent", "4 numbers from 0 to 87.5"),
        ({"rates_percent": [10, 20, 30, True]}, "rates_percent", "4 numbers"),
        ({"precision": "bfp64x9"}, "precision", "fp32"),
        ({"learning_rate": 0}, "learning_rate", "from 1e-09 to 1"),
        ({"reduction": float("nan")}, "reduction", "from 1 to 1000"),
        ({"batch": 4097}, "batch", "a whole number from 1 to 4096"),
        ({"batch": 8.5}, "batch", "a whole number"),
    ],
)
def test_a_decision_that_cannot_be_is_refused_by_its_field(change: dict[str, Any], field: str, accepted: str) -> None:
    with pytest.raises(DecisionError, match=accepted) as refused:
        choice_of({**CHOICE.decision, **change}, LAYERS)
    assert refused.value.field == f"decision.{field}"


def test_every_row_of_genes_is_a_choice_of_its_own() -> None:
    params = MymlParams(rates_percent="0 50", orders="at-once", learning_rates="0.1", batches="8", reductions="1")
    space = space_of(params, LAYERS)
    assert space.sizes == (1, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2)
    rows = np.stack(np.meshgrid(*map(np.arange, space.sizes), indexing="ij"), -1).reshape(-1, len(space.sizes))
    choices = {space.design(row) for row in rows}
    assert len(choices) == len(rows) == 128
    assert all(choice_of(each.decision, LAYERS) == each for each in choices)


def test_the_published_choice_is_a_row_of_the_default_space() -> None:
    layers, _ = four_blocks(1, (8, 8), 10, 16, 2)
    space, choice = space_of(MymlParams(), layers), published("cpu", PUBLISHED_RATES)
    row = space.row(choice)
    assert row is not None and space.design(row) == choice
    assert space.row(original("cpu")) is None
