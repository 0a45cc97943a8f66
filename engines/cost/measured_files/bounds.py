"""The shortest time that published peaks of a device allow for a network.

A value below it is a mistake of unit, batch, network or device. Published peaks are dense ones at the highest clocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engines.cost.measured_files.value import MeasuredValue, RefusedValueError
from engines.workloads.index import read_index
from engines.workloads.loader import builtin_network
from engines.workloads.network import Network
from hardware.bits import FORMATS, bit_widths
from hardware.soc.model import ProcessingUnit, Soc

_OPERATIONS_PER_MAC = 2
_SLACK = 1.02  # published peaks are rounded


@dataclass(frozen=True)
class NetworkWork:
    """The least work of one sample of a network: multiply-accumulates, and parameters that its layers read."""

    macs: int
    parameters: int

    @classmethod
    def of(cls, network: Network) -> NetworkWork:
        """Return the work of a loaded network; tables of which single rows are read do not count."""
        return cls(network.macs, network.weight_elements)


def check_bound(value: MeasuredValue, soc: Soc, work: NetworkWork) -> bool:
    """Refuse a latency or throughput beyond the published roofline.

    Args:
        value: with its precision and, where known, its unit.
        soc: the device.
        work: operations and bytes of one sample of the network.

    Returns:
        Whether there was a bound to compare with.

    Raises:
        RefusedValueError: names the bound.
    """
    if value.metric == "energy" or not value.precision:
        return False
    peak = _peak(value, soc)
    bounds: dict[str, float] = {}
    if peak:
        bounds[f"the peak of {peak / 1e12:.3g} TOPS"] = _OPERATIONS_PER_MAC * work.macs / peak
    if soc.memory is not None:
        on_chip = sum((unit.on_chip_memory_bytes or 0) * unit.count for unit in soc.units.values())
        unknown = any(unit.on_chip_memory_bytes is None and unit.kind == "npu" for unit in soc.units.values())
        moved = work.parameters * bit_widths(value.precision).weight_bytes - on_chip
        bandwidth = soc.memory.bandwidth_bytes_per_s()
        if moved > 0 and not unknown:
            bounds[f"the memory bandwidth of {bandwidth / 1e9:.3g} GB/s"] = moved / bandwidth / value.batch
    if not bounds:
        return False
    name, seconds = max(bounds.items(), key=lambda each: each[1])
    measured = 1 / value.value if value.metric == "throughput" else value.value / value.batch
    if measured * _SLACK < seconds:
        raise RefusedValueError(
            f"{measured * 1e3:.3g} ms per inference is shorter than {seconds * 1e3:.3g} ms, which {name} of {soc.slug} allows. "
            "Check unit, batch, network and device."
        )
    return True


def check_zoo_bound(value: MeasuredValue, soc: Soc) -> bool:
    """Refuse a latency or throughput beyond the published roofline, of a network of the zoo; arguments as of `check_bound`.

    Raises:
        RefusedValueError: names the bound.
    """
    figures = read_index()[value.network].figures
    try:  # more parameters than are read give a bound that is too strict, but needs no network
        return check_bound(value, soc, NetworkWork(figures.macs, figures.parameters))
    except RefusedValueError:
        return check_bound(value, soc, _zoo_work(value.network))


@lru_cache(maxsize=512)
def _zoo_work(slug: str) -> NetworkWork:
    return NetworkWork.of(builtin_network(slug))


def _peak(value: MeasuredValue, soc: Soc) -> float | None:
    """Return operations per second of the named unit, or of all together; None where one that counts has no published peak."""
    named = [unit for name, unit in soc.units.items() if value.unit and value.unit in (name, unit.kind)]
    units = named or list(soc.units.values())
    peaks = [_unit_peak(unit, value.precision) for unit in units]
    # What a processor adds to an accelerator is small.
    counted = [bool(named) or unit.kind not in ("cpu", "mcu") for unit in units]
    lacking = any(peak is None and counts for peak, counts in zip(peaks, counted, strict=True))
    return None if lacking else sum(filter(None, peaks)) or None


def _unit_peak(unit: ProcessingUnit, precision: str) -> float | None:
    """Return the peak of all units of a kind; of a format that is not published, the highest of narrower ones."""
    if not unit.frequencies_hz or not precision:
        return None
    arithmetic = bit_widths(precision).arithmetic
    exact = unit.operations_per_cycle.get(arithmetic)
    narrower = [
        rate
        for name, rate in unit.operations_per_cycle.items()
        if name in FORMATS and FORMATS[name].bits < FORMATS[arithmetic].bits
    ]
    rate = exact or max(narrower, default=None)
    return None if rate is None else rate * unit.frequencies_hz[-1] * unit.count
