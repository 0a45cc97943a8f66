"""Public measurements as pools to fit: which rows share a profile of costs, and which devices are alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import median

import numpy as np

from engines.survey.measurements.fit import BITS, Group, Pool
from engines.survey.measurements.rows import MeasuredRow, bits_name
from engines.survey.measurements.work import zoo_work
from hardware.bits import bit_widths, rate_of
from hardware.soc.loader import builtin_socs, load_soc

LEAST_NETWORKS = 5
_FAMILY_OF_SOURCE = {
    "quic/ai-hub-models": "Hexagon", "hailo-ai/hailo_model_zoo": "Hailo", "airockchip/rknn_model_zoo": "Rockchip",
}  # fmt: skip
_FAMILY_OF_VENDOR = {"Qualcomm": "Hexagon", "Hailo": "Hailo", "Rockchip": "Rockchip"}
_MILLI = 1e-3


@dataclass(frozen=True)
class PoolKey:
    """The properties that rows of one pool have in common.

    Attributes:
        family: family of accelerators.
        bits: bits of the measured networks.
        quantity: latency or throughput, which are different observations of one device.
        batch: inferences at a time.
    """

    family: str
    bits: str
    quantity: str
    batch: int


@dataclass(frozen=True)
class Accelerator:
    """An accelerator of a device, as far as it is known, to find others like it.

    Attributes:
        kind: name and generation in its document ("NPU Hexagon HTP v73"); "" where no document has the device.
        peak_per_s: published operations per second of the cores that ran; None where none is published.
    """

    kind: str = ""
    peak_per_s: float | None = None


def pool_key(row: MeasuredRow) -> PoolKey | None:
    """Return the pool of a row; None where its family, bits or quantity have none."""
    family = _FAMILY_OF_SOURCE.get(row.source.partition("@")[0], "")
    if not family and row.unit.startswith("NPU"):
        family = family_of_boards(row.devices)
    bits = bits_name(row.precision)
    if not family or bits not in BITS or row.quantity not in ("latency", "throughput"):
        return None
    return PoolKey(family, bits, row.quantity, row.batch)


def family_of_boards(boards: Sequence[str]) -> str:
    """Return the family of the accelerators of boards; "" where none was measured."""
    return next((_FAMILY_OF_VENDOR.get(str(builtin_socs()[slug].get("vendor")), "") for slug in boards), "")


def group_of(row: MeasuredRow) -> Group:
    """Return the group of rows with common costs: device, runtime and precision as in the source."""
    return row.device, row.runtime, row.precision


@lru_cache(maxsize=512)
def accelerator(boards: tuple[str, ...], unit: str) -> Accelerator:
    """Return the known values of a device's accelerator.

    Args:
        boards: slugs of the documents that it may be.
        unit: as the source names it ("NPU, one core").
    """
    for slug in boards:
        soc = load_soc(builtin_socs()[slug], slug)
        for name, each in soc.units.items():
            if each.kind == "npu":
                rate = rate_of(each.operations_per_cycle, bit_widths("int8"))
                peak = soc.peak_in_mode(name, rate.name) if rate and each.frequencies_hz else None
                cores = each.cores if "one core" in unit and each.cores else 1
                return Accelerator(each.label, peak / cores if peak else None)
    return Accelerator()


def likely_scale(
    own: Accelerator, runtime: str, others: Mapping[Group, float], known: Mapping[str, Accelerator]
) -> tuple[float, str]:
    """Return the scale of costs of a device without measurements, and what it is from in words.

    Args:
        own: its accelerator.
        runtime: that runs the networks; groups of the same runtime count where there are some.
        others: group -> scale, of devices with measurements.
        known: device -> accelerator of these.
    """
    same = {group: scale for group, scale in others.items() if group[1] == runtime} or dict(others)
    alike = [scale for group, scale in same.items() if own.kind and known[group[0]].kind == own.kind]
    if alike and own.kind[-1].isdigit():  # a name with its generation
        return median(alike), f"{own.kind} of other devices"
    peaks = [(scale, known[group[0]].peak_per_s) for group, scale in same.items()]
    rated = [scale * peak for scale, peak in peaks if peak]
    if own.peak_per_s and rated:
        return median(rated) / own.peak_per_s, "costs of the family, scaled by published peaks"
    return median(same.values()), "median of the family"


@dataclass(frozen=True)
class RowPool:
    """Rows of one pool.

    Attributes:
        key: common key of the group.
        rows: rows in order.
        pool: their work and times.
    """

    key: PoolKey
    rows: tuple[MeasuredRow, ...]
    pool: Pool

    def known(self) -> Mapping[str, Accelerator]:
        """Return device -> accelerator."""
        return {row.device: accelerator(row.devices, row.unit) for row in self.rows}

    def unknown_device_ms(self) -> np.ndarray:
        """Return each row as predicted without its network and without measurements of its device."""
        known = self.known()
        return self.pool.unknown_device_ms(
            lambda own, others: likely_scale(known[own[0]], own[1], others, known)[0], lambda group: group[0]
        )


def row_pools(rows: Iterable[MeasuredRow]) -> tuple[RowPool, ...]:
    """Return the pools of rows without a reason, those of at least `LEAST_NETWORKS` networks."""
    found: dict[PoolKey, list[MeasuredRow]] = {}
    for row in rows:
        key = None if row.reason else pool_key(row)
        if key is not None:
            found.setdefault(key, []).append(row)
    built: dict[PoolKey, RowPool] = {}
    for key in sorted(found, key=lambda each: each.bits != "fp16"):  # the others start from its profile
        if len({row.network for row in found[key]}) >= LEAST_NETWORKS:
            built[key] = _row_pool(key, found[key], built.get(replace(key, bits="fp16")))
    return tuple(built.values())


def _row_pool(key: PoolKey, rows: Sequence[MeasuredRow], parent: RowPool | None) -> RowPool:
    work = np.array([zoo_work(row.network, key.bits) for row in rows])
    times_ms = np.array([row.seconds / _MILLI for row in rows])
    groups, networks = [group_of(row) for row in rows], [row.network for row in rows]
    return RowPool(key, tuple(rows), Pool(groups, networks, work, times_ms, key.bits, parent.pool if parent else None))
