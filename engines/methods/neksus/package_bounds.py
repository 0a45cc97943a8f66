"""Values that packages cannot pass, without a look at their network: what cannot reach the front is left out by them.

What a package costs and its micro-bumps are known exactly. Of its traffic: blocks take their time to compute, and where no two of
them share a chiplet every transfer takes its time on one channel that nobody else uses.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.arrays import FloatArray
from engines.methods.neksus.dataflow import computing
from engines.methods.neksus.design import PackageDesign
from engines.methods.neksus.instance import NeksusInstance
from engines.methods.neksus.network import cycles_per_flit
from engines.methods.neksus.scoring import static_columns
from hardware.chiplet_system.model import ApplicationChain, ChipletSystem

_BITS = 8
# A last digit must not rule out what sums in another order would keep.
_SAFE = 1 - 1e-9


def bounds_of(instance: NeksusInstance, designs: Sequence[PackageDesign]) -> dict[str, FloatArray]:
    """Return the best that each package can have in every column that may span the front, shape `n` each."""
    columns, system = static_columns(instance, designs), instance.system
    known: dict[tuple[str, int], tuple[float, float, float]] = {}
    rows = []
    for design in designs:
        apart = all(len(blocks) == 1 for blocks in design.chiplets)
        key = (design.flow, cycles_per_flit(system, design) if apart else 0)
        if key not in known:
            known[key] = _of_flow(system, instance.chains, *key)
        latency, frames, power_w = known[key]
        always_w = system.router.static_w + len(design.chiplets) * system.router.interface_static_w
        rows.append((latency, frames, power_w + always_w))
    values = np.array(rows).reshape(len(designs), 3)
    bits = sum(sum(chain.bytes_handed_on) * chain.frames_per_s for chain in instance.chains) * _BITS
    return {
        "cost_usd": columns["cost_usd"],
        "frames_in_deadline_fraction": np.minimum(1.0, values[:, 1] / _SAFE),
        "energy_j_per_bit": values[:, 2] * (_SAFE / bits),
        "latency_s": values[:, 0] * _SAFE,
        "micro_bumps": columns["micro_bumps"],
    }


def _of_flow(
    system: ChipletSystem, chains: Sequence[ApplicationChain], flow: str, flit_cycles: int
) -> tuple[float, float, float]:
    """Return the latency in seconds, share of frames in their deadline, power in watts without what is always on."""
    latencies, frames, power_w = [], 0.0, 0.0
    for chain, (compute, _) in zip(chains, computing(system, chains), strict=True):
        handed_on = np.array(chain.bytes_handed_on)
        # Flits without heads, on one channel.
        moving = handed_on / system.router.flit_bytes * flit_cycles / system.router.hz
        active = np.maximum(compute, np.maximum(np.append(0.0, moving), np.append(moving, 0.0)))
        latency = float(active.sum()) if flow == "memory" else float(max(compute.max(), moving.max()))
        latencies.append(latency)
        frames += min(1.0, chain.deadline_s / latency) / len(chains)
        powers = np.array([system.blocks[name].power_w for name in chain.blocks])
        power_w += float((active * powers).sum()) * chain.frames_per_s
    return max(latencies), frames, power_w


def best_of(instance: NeksusInstance) -> float:
    """Return the least latency in seconds that any package can have: the slowest block of the slowest chain."""
    return _of_flow(instance.system, instance.chains, "direct", 0)[0] * _SAFE
