from __future__ import annotations

from dataclasses import replace

from engines.cost.calibration.estimates import estimates, prepare_rows
from engines.cost.calibration.measurements import AssumedParameter, FittedParameter, MeasuredRow, Measurements
from engines.cost.soc.model import SocCostModel
from engines.workloads.loader import load_network
from engines.workloads.network import Network
from tests.engines.cost.soc_for_tests import ELTWISE, GEMM, VALUES, board, calibration, network_content

FITTED = ("gpu.dense_share", "gpu.memory_share", "gpu.launch_us", "gpu.base_power_w", "gpu.mac_energy_pj")


SIZES = {"wide": (3000, 1), "tall": (40, 5), "long": (100, 40)}


def networks(slug: str) -> Network:
    """GEMMs of a size, each followed by additions."""
    size, additions = SIZES[slug]
    gemm = {**GEMM, "k": size, "c": size}
    rows = [{**ELTWISE, "name": f"add{index}"} for index in range(additions)]
    return load_network(network_content(gemm, *rows, slug=slug))


def estimate(row: MeasuredRow, model: SocCostModel) -> float:
    return float(estimates(prepare_rows([row], board(), networks), model)[0])


def measured(**changes: float) -> Measurements:
    """Rows that the model itself gives with known parameters: three workloads, latency and energy."""
    model = SocCostModel(board(), calibration(**changes))
    rows = [
        MeasuredRow(f"{slug} {quantity}", slug, "gpu", quantity, unit, 1.0, "a test")
        for slug in SIZES
        for quantity, unit in (("latency", "ms"), ("energy", "mJ"))
    ]  # fmt: skip
    exact = [replace(row, measured=estimate(row, model)) for row in rows]
    return Measurements(
        "mine", "Mine", "", "a test", "ann", "board", "fp16", "cpu",
        fitted=tuple(FittedParameter(name, VALUES[name] * 1.7, 10, highest=1 if "share" in name else None) for name in FITTED),
        assumed=tuple(AssumedParameter(name, value, "known") for name, value in VALUES.items()
                      if name not in FITTED and not name.startswith("npu")),
        rows=tuple(exact),
    )  # fmt: skip
