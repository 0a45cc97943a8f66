"""Extension of a calibration to kinds of operations without measurements, on request of the user and with a note."""

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
    """Return the calibration extended to `kinds` on every calibrated unit that can run them.

    Such operations use the unit's share of the bandwidth and its launch time. Operations that multiply, without a group of their
    own, also use its share of the peak for convolutions and products. Depthwise convolutions are then mostly bound by memory. A
    unit without a known share of its peak gets no operations that multiply.

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
