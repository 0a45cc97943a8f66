"""The space of backbones and the outer search's operators."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.errors import DecisionError
from engines.methods.hadas.space import (
    BASELINES,
    COUNTS,
    SPACE_SIZE,
    BackboneOperators,
    as_decision,
    decode,
    from_decision,
)
from engines.workloads.families.attentive_nas import attentivenas_network
from engines.workloads.loader import builtin_network, load_network


def test_the_space_has_more_than_the_backbones_of_table_2_1() -> None:
    assert SPACE_SIZE > 2.94e11


def test_every_row_is_a_point_of_the_space_and_comes_back_from_its_decision() -> None:
    for genes in np.random.default_rng(0).integers(COUNTS, size=(20, len(COUNTS))):
        subnet = decode(genes)
        subnet.check()
        assert from_decision(as_decision(subnet)) == subnet


@pytest.mark.parametrize("name", ["a0", "a6"])
def test_the_published_networks_are_those_of_the_zoo(name: str) -> None:
    drawn = load_network(attentivenas_network(name, name, name, BASELINES[name]))
    assert drawn.macs == builtin_network(f"attentivenas-{name}").macs


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"resolution": 225}, "decision.backbone.resolution"),
        ({"depth": [9] * 7}, "decision.backbone.depth.0"),
        ({"width": 16}, "decision.backbone.width"),
    ],
)
def test_what_is_no_backbone_is_named(change: dict[str, object], field: str) -> None:
    with pytest.raises(DecisionError) as error:
        from_decision(as_decision(BASELINES["a0"]) | change)
    assert error.value.field == field


def test_children_are_new_and_different() -> None:
    operators, random = BackboneOperators(COUNTS, 0.3, 0.8), np.random.default_rng(1)
    parents = operators.first(random, 8)
    operators.seen.update(map(tuple, parents.tolist()))
    children = operators.children(parents, random, 16)
    rows = set(map(tuple, children.tolist()))
    assert len(rows) == len(children) > 0
    assert not rows & operators.seen
    assert (children < COUNTS).all() and (children >= 0).all()
