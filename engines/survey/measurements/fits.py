"""Fits to public measurements that ship with the product, with bands that hold for 90 % of networks that a fit has not seen.

Bands are conformal: the quantile of the absolute logarithms of predicted over measured times of networks left out. A group of at
least `LEAST_ROWS` rows has its own, any other one that of its pool. A device without measurements has a third one: of devices left
out together with the network.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from engines.contract.arrays import FloatArray
from engines.survey.measurements.fit import Group
from engines.survey.measurements.pools import PoolKey, RowPool, accelerator
from engines.survey.measurements.work import KINDS

FITS = Path(__file__).parent / "fits.json"
LEAST_ROWS = 20
HELD_SHARE = 0.9
NEAR_SHARE = 0.25
_DIGITS = 4


@dataclass(frozen=True)
class Errors:
    """How far predictions of networks left out are from measured values.

    Attributes:
        rows: compared.
        median: median of absolute relative errors.
        near_share: share of rows with an error below `NEAR_SHARE`.
        band: factor up or down that holds for 90 % of rows.
        ratio: median of predicted over measured values.
    """

    rows: int
    median: float
    near_share: float
    band: float
    ratio: float


@dataclass(frozen=True)
class GroupFit:
    """A calibration to the measurements of one source on one device, with one runtime and precision.

    Attributes:
        device, runtime, precision: device, runtime and precision of the rows.
        boards: slugs of the device in the catalogue.
        unit: compute unit, as the source names it.
        source: repository and snapshot.
        scale: scale of the pool's profile.
        costs_ms: costs in milliseconds of each kind of `KINDS`, per unit of work.
        networks: different ones.
        errors: errors of left-out networks.
        seen: digests of the rows that the fit used.
    """

    device: str
    runtime: str
    precision: str
    boards: tuple[str, ...]
    unit: str
    source: str
    scale: float
    costs_ms: tuple[float, ...]
    networks: int
    errors: Errors
    seen: tuple[str, ...]

    @property
    def group(self) -> Group:
        """The device, runtime and precision of its rows."""
        return self.device, self.runtime, self.precision


@dataclass(frozen=True)
class PoolFit:
    """Calibrations of one metric for one family of devices.

    Attributes:
        key: common key of the group.
        profile_ms: costs of each kind for a scale of 1.
        errors: errors of left-out networks over all groups.
        unknown: errors of networks and devices that are both left out; None for one device.
        groups: the calibrations.
    """

    key: PoolKey
    profile_ms: tuple[float, ...]
    errors: Errors
    unknown: Errors | None
    groups: tuple[GroupFit, ...]


def band_of(ratios: Iterable[float]) -> float:
    """Return the conformal band of ratios of predicted over measured values: a factor; at least one ratio."""
    sizes = sorted(abs(math.log(ratio)) for ratio in ratios)
    place = math.ceil((len(sizes) + 1) * HELD_SHARE)
    return math.exp(sizes[min(place, len(sizes)) - 1])


def errors_of(predicted: FloatArray, measured: FloatArray, quantity: str = "latency") -> Errors:
    """Return the errors of predicted times, shape `n` each; of a throughput those of its own value."""
    ratios = (measured / predicted if quantity == "throughput" else predicted / measured).tolist()
    sizes = [abs(ratio - 1) for ratio in ratios]
    near = sum(size <= NEAR_SHARE for size in sizes) / len(sizes)
    return Errors(len(sizes), median(sizes), near, band_of(ratios), median(ratios))


def pool_fit(found: RowPool) -> PoolFit:
    """Return the calibrations to a pool."""
    costs, pool = found.pool.fit(), found.pool
    left_out, times = pool.left_out_ms(), pool.times_ms
    unknown = found.unknown_device_ms()
    known = np.isfinite(unknown)
    groups = []
    for place, group in enumerate(pool.groups):
        own = pool.of_group(group)
        rows = [row for row, mine in zip(found.rows, own, strict=True) if mine]
        boards, networks = rows[0].devices, len({row.network for row in rows})
        errors, seen = errors_of(left_out[own], times[own], found.key.quantity), sorted(row.digest for row in rows)
        costs_ms = tuple(costs.of_groups[place].tolist())
        origin = (group[0], group[1], group[2], boards, rows[0].unit, rows[0].source)
        groups.append(GroupFit(*origin, float(costs.scales[place]), costs_ms, networks, errors, tuple(seen)))
    return PoolFit(
        found.key,
        tuple(costs.profile.tolist()),
        errors_of(left_out, times, found.key.quantity),
        errors_of(unknown[known], times[known], found.key.quantity) if known.any() else None,
        tuple(groups),
    )


def write_fits(fits: Sequence[PoolFit], path: Path = FITS) -> None:
    """Write fits, one line per calibration."""
    lines = []
    for fit in fits:
        head, groups = _short(asdict(fit)), [json.dumps(each) for each in _short(asdict(fit))["groups"]]
        head["groups"] = []
        lines.append(json.dumps(head)[:-2] + "\n" + ",\n".join(groups) + "]}")
    path.write_text(
        json.dumps({"kinds": KINDS})[:-1] + ', "pools": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8"
    )


def _short(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _short(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_short(each) for each in value]
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


@cache
def builtin_fits() -> tuple[PoolFit, ...]:
    """Return the fits that ship with the product; read once per process."""
    content = json.loads(FITS.read_text(encoding="utf-8"))
    return tuple(_pool(entry) for entry in content["pools"])


def _pool(entry: Mapping[str, Any]) -> PoolFit:
    unknown = entry["unknown"]
    return PoolFit(
        PoolKey(**entry["key"]), tuple(entry["profile_ms"]), Errors(**entry["errors"]),
        Errors(**unknown) if unknown else None, tuple(_group(each) for each in entry["groups"]),
    )  # fmt: skip


def _group(entry: Mapping[str, Any]) -> GroupFit:
    lists = {name: tuple(entry[name]) for name in ("boards", "costs_ms", "seen")}
    return GroupFit(**{**entry, **lists, "errors": Errors(**entry["errors"])})


@cache
def fit_of(key: PoolKey) -> PoolFit | None:
    """Return the calibrations of a pool; None where there is none."""
    return next((fit for fit in builtin_fits() if fit.key == key), None)


@cache
def known_accelerators(key: PoolKey) -> Mapping[str, Any]:
    """Return device -> accelerator of the groups of a pool."""
    fit = fit_of(key)
    return {each.device: accelerator(each.boards, each.unit) for each in fit.groups} if fit else {}


@cache
def seen_digests() -> frozenset[str]:
    """Return the digests of all rows that some fit used."""
    return frozenset(digest for fit in builtin_fits() for group in fit.groups for digest in group.seen)
