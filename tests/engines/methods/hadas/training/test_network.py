from __future__ import annotations

import numpy as np
import pytest

from engines.data.digits import digits
from engines.methods.hadas.training.params import TrainExitsParams
from engines.methods.hadas.training.shapes import BackboneShape, network_content
from engines.methods.hadas.training.trainer import Trainer
from engines.workloads.loader import load_network

torch = pytest.importorskip("torch")


SHAPE = BackboneShape(1, 8, 10, (4, 8, 16), (1, 2, 2))


PARAMS = TrainExitsParams(blocks=3, width=4, exit_channels=4, epochs=1, exit_epochs=1, batch_size=128)


def numbered() -> Trainer:
    return Trainer(SHAPE, digits(), PARAMS, lambda name, *rest: np.random.default_rng([len(name), *rest]))


def test_the_document_has_the_maps_of_the_torch_network() -> None:
    network = load_network(network_content(SHAPE, "tiny", "Tiny"))
    maps = numbered().network.backbone.maps(torch.zeros(1, 1, 8, 8))
    compute = [operation for operation in network.operations if operation.kind == "conv"]
    assert [(each.k, each.oy, each.ox) for each in compute] == [tuple(found.shape[1:]) for found in maps]
