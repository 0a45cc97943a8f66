from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from engines.workloads.builtins import builtin_networks
from engines.workloads.families.network_builder import Row
from engines.workloads.families.residual import resnet
from engines.workloads.families.sequential import vgg
from engines.workloads.loader import builtin_network
from tests.engines.workloads.families.shapes import figures_of, moved, network


@pytest.mark.parametrize(
    ("slug", "draw"),
    [
        ("resnet50", partial(resnet, (3, 4, 6, 3))),
        ("vgg16", partial(vgg, 16)),
        ("vgg19", partial(vgg, 19)),
    ],
)
def test_the_definition_gives_the_traced_layers_exactly(slug: str, draw: Callable[[], list[Row]]) -> None:
    rows = draw()
    assert [figures_of(layer) for layer in network(rows).layers] == list(map(figures_of, builtin_network(slug).layers))
    assert moved(rows) == moved(builtin_networks()[slug]["operations"])
