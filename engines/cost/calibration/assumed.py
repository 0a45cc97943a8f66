"""A calibration that answers for kinds of operations that it never measured, on request and said aloud."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from engines.workloads.network import COMPUTE_KINDS
from hardware.calibration.model import Parameter, SocCalibration
from hardware.soc.model import Soc

UNPRICED = "unpriced"  # what a user chose to leave out of every figure


def with_assumed_kinds(
    calibration: SocCalibration, soc: Soc, kinds: Iterable[str]
) -> tuple[SocCalibration, Mapping[str, tuple[str, ...]]]:
    """Return the calibration, covering `kinds` as well on every calibrated unit that runs them itself.

    Such operations take the unit's share of the bandwidth and its launches; those that multiply also the share of the peak of
    convolutions and products, where they have no group of their own. Depthwise convolutions then mostly wait for memory, as
    they do little per byte. A unit without any share of its peak gets none that multiply.

    Returns:
        The widened calibration, and unit -> the kinds that were added there, sorted.
    """
    covered, parameters = dict(calibration.covered), dict(calibration.parameters)
    added: dict[str, tuple[str, ...]] = {}
    for unit, measured in calibration.covered.items():
        own = soc.units[unit].supported_operations if unit in soc.units else frozenset()
        new = {kind for kind in kinds if kind not in measured and kind != UNPRICED and (own is None or kind in own)}
        dense = parameters.get(f"{unit}.dense_share")
        for kind in sorted(new & set(COMPUTE_KINDS)):
            if _has_share(calibration, unit, kind):
                continue
            if dense is None:
                new.remove(kind)
                continue
            name = f"{unit}.{kind}_share"
            parameters[name] = Parameter(name, dense.value, "assumed", "not measured: as of convolutions")
        if new:
            covered[unit] = measured | new
            added[unit] = tuple(sorted(new))
    return replace(calibration, covered=covered, parameters=parameters), added


def _has_share(calibration: SocCalibration, unit: str, kind: str) -> bool:
    try:
        calibration.share(unit, kind)
    except KeyError:
        return False
    return True
