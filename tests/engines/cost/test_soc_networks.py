import numpy as np
import pytest

from engines.contract.errors import ProblemError
from engines.cost.soc.model import NoEstimateError
from engines.cost.soc_networks import NetworkPricer, fused_table, layer_starts, usual_calibration
from engines.workloads.loader import builtin_network
from hardware.soc.loader import builtin_socs, load_soc

TX2 = load_soc(builtin_socs()["jetson-tx2"])


def test_every_layer_that_runs_is_priced_with_what_is_folded_into_it() -> None:
    network = builtin_network("resnet18")
    table = fused_table(network)
    starts = layer_starts(table)
    assert not any(table.runs[row] for row, kind in enumerate(table.kinds) if kind in ("activation", "batchnorm"))
    assert len(starts) == int(table.runs.sum())
    pricer = NetworkPricer(TX2, usual_calibration(TX2, [network]), "", "fp32", None)
    assert pricer.choose_unit([network]) == "gpu"
    costs = pricer.price(network)
    assert costs.latency_s.shape == costs.energy_j.shape == (len(starts),)
    assert np.all(costs.latency_s > 0) and np.all(costs.energy_j > 0)


def test_what_cannot_be_priced_is_named() -> None:
    network = builtin_network("bert-base-128")
    pricer = NetworkPricer(TX2, usual_calibration(TX2, [network]), "", "fp32", None)
    with pytest.raises(NoEstimateError, match="embedding"):
        pricer.choose_unit([network])
    with pytest.raises(ProblemError, match=r"params\.unit"):
        NetworkPricer(TX2, usual_calibration(TX2, []), "dla", "fp32", None)
    with pytest.raises(ProblemError, match="No calibration of this device is built in"):
        usual_calibration(load_soc(builtin_socs()["x86-server"]), [])
