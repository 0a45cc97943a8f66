"""Any point of the AttentiveNAS space; A0 to A6 and the largest are traced."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.workloads.builtins import builtin_networks
from engines.workloads.errors import WorkloadError
from engines.workloads.families.attentive_nas import AttentiveSubnet, attentivenas, attentivenas_network
from engines.workloads.loader import builtin_network, load_network
from tests.engines.workloads.families.shapes import figures_of, moved, network

# facebookresearch/AttentiveNAS at c4c16f1, configs/eval_attentive_nas_models.yml: resolution, width, depth, kernel, expansion
SUBNETS = {
    "a0": (192, (16, 16, 24, 32, 64, 112, 192, 216, 1792), (1, 3, 3, 3, 3, 3, 1), (3,) * 7, (1, 4, 4, 4, 4, 6, 6)),
    "a1": (224, (16, 16, 24, 32, 64, 112, 192, 216, 1984), (1, 3, 3, 3, 3, 3, 1), (3, 3, 3, 5, 3, 5, 3), (1, 4, 4, 4, 4, 6, 6)),
    "a2": (224, (16, 16, 24, 32, 64, 112, 200, 224, 1984), (1, 3, 3, 3, 3, 4, 1), (3, 3, 3, 3, 3, 5, 3), (1, 4, 5, 4, 4, 6, 6)),
    "a3": (224, (16, 16, 24, 32, 64, 112, 208, 224, 1984), (2, 3, 3, 4, 3, 5, 1), (3, 3, 3, 5, 3, 3, 3), (1, 4, 4, 4, 4, 6, 6)),
    "a4": (256, (16, 16, 24, 32, 64, 112, 192, 216, 1984), (1, 3, 3, 4, 3, 5, 1), (3, 3, 3, 5, 3, 5, 3), (1, 4, 4, 5, 4, 6, 6)),
    "a5": (256, (16, 16, 24, 32, 72, 112, 192, 216, 1792), (1, 3, 3, 3, 4, 6, 1), (3, 3, 3, 5, 3, 3, 3), (1, 4, 5, 4, 4, 6, 6)),
    "a6": (288, (16, 16, 24, 32, 64, 112, 216, 224, 1984), (1, 3, 3, 4, 4, 6, 1), (3, 3, 3, 3, 3, 5, 3), (1, 4, 6, 5, 4, 6, 6)),
    "max": (288, (24, 24, 32, 40, 72, 128, 216, 224, 1984), (2, 5, 6, 6, 8, 8, 2), (5,) * 7, (1, 6, 6, 6, 6, 6, 6)),
}  # fmt: skip


@pytest.mark.parametrize("name", SUBNETS)
def test_the_configuration_gives_the_traced_layers_exactly(name: str) -> None:
    rows, traced = attentivenas(AttentiveSubnet(*SUBNETS[name])), builtin_network(f"attentivenas-{name}")
    assert [figures_of(layer) for layer in network(rows).layers] == [figures_of(layer) for layer in traced.layers]
    assert moved(rows) == moved(builtin_networks()[f"attentivenas-{name}"]["operations"])


@pytest.mark.parametrize(
    ("change", "key", "got"),
    [
        ({"resolution": 200}, "resolution", 200),
        ({"depth": (1, 3)}, "depth", [1, 3]),
        ({"depth": (1, 2, 3, 3, 3, 3, 1)}, "depth.1", 2),
        ({"kernel_size": (3, 3, 7, 3, 3, 3, 3)}, "kernel_size.2", 7),
        ({"expand_ratio": (1, 4, 4, 4, 4, 4, 6)}, "expand_ratio.5", 4),
        ({"width": (16, 16, 24, 32, 64, 112, 192, 216, 1800)}, "width.8", 1800),
        ({"width": (18, 16, 24, 32, 64, 112, 192, 216, 1792)}, "width.0", 18),
    ],
)
def test_what_is_not_in_the_space_is_named(change: dict[str, object], key: str, got: object) -> None:
    with pytest.raises(WorkloadError) as caught:
        attentivenas(replace(AttentiveSubnet(*SUBNETS["a0"]), **change))  # type: ignore[arg-type]
    assert (caught.value.key, caught.value.got) == (key, got)


def test_a_point_is_a_document() -> None:
    subnet = AttentiveSubnet(*SUBNETS["a3"])
    document = attentivenas_network("mine", "Mine", "Mine", subnet)
    assert load_network(document).macs == builtin_network("attentivenas-a3").macs
    with pytest.raises(WorkloadError):
        attentivenas_network("mine", "Mine", "Mine", replace(subnet, resolution=1))
