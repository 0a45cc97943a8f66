"""Which calibration a device has, and what becomes of what it does not cover: refused, or estimated on request and said aloud."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from engines.cost.calibration_assumed import with_assumed_kinds
from engines.cost.calibration_datasheet import datasheet_estimate, with_datasheet_units
from engines.errors import ProblemError
from engines.parameter_fields import choice
from hardware.soc import Soc
from hardware.soc_calibration import SocCalibration
from hardware.soc_calibration_loader import builtin_calibrations, load_calibration
from hardware.soc_summary import unit_title

Unmeasured = Literal["refused", "assumed", "datasheet"]
OTHERWISE = (
    "; or take “Operations that no calibration measured” as “Estimated, also units by their data sheet” "
    "(unmeasured=datasheet)"
)


@dataclass(frozen=True)
class Covered:
    """A device with a calibration that answers for as much as was asked for.

    Attributes:
        soc: the device; with peaks of wider precisions where its data sheet counts.
        calibration: covers what was measured and what is estimated.
        assumed: measured unit -> kinds of operations that are estimated there like others.
        datasheet_units: units that nobody measured, estimated from the device's document.
    """

    soc: Soc
    calibration: SocCalibration
    assumed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    datasheet_units: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Where costs come from, for people."""
        if not self.datasheet_units:
            return f"calibration {self.calibration.slug}"
        return f"{', '.join(map(unit_title, self.datasheet_units))} by the data sheet, not measured"

    def of(self, unit: str) -> Covered:
        """What matters where one unit alone computes."""
        assumed = {name: kinds for name, kinds in self.assumed.items() if name == unit}
        return replace(
            self, assumed=assumed, datasheet_units=tuple(each for each in self.datasheet_units if each == unit)
        )


def unmeasured_field(group: str = "Units") -> Any:
    """The parameter that decides; `group` is its heading in the form."""
    return choice(
        "refused",
        "Operations that no calibration measured",
        group,
        {
            "refused": "Refused",
            "assumed": "Estimated like others",
            "datasheet": "Estimated, also units by their data sheet",
        },
        "Refused: the run does not start, and says which. Estimated like others: on units that run them, by the unit's bandwidth, "
        "launches and share of the peak. Units by their data sheet: units and devices that nobody measured, by peak, bandwidth "
        "and power in the device's document. The run says where that was done; nobody has measured how far such figures are off.",
    )


def builtin_calibration(soc: Soc, kinds: Sequence[str], otherwise: str = "") -> SocCalibration:
    """The built-in calibration of the device that covers most operations.

    Args:
        soc: the device.
        kinds: of the operations that run, one for each.
        otherwise: what else would do, for the error.

    Raises:
        ProblemError: there is none for the device.
    """
    known = [load_calibration(content) for content in builtin_calibrations().values()]
    fitting = [calibration for calibration in known if calibration.soc == soc.slug]
    if not fitting:
        devices = ", ".join(sorted({calibration.soc for calibration in known}))
        accepted = f"a calibration of {soc.slug}: none is built in (there are some of {devices}){otherwise}"
        raise ProblemError("inputs.calibration", None, accepted)
    return max(fitting, key=lambda each: sum(kind in held for held in each.covered.values() for kind in kinds))


def covered(soc: Soc, given: SocCalibration | None, kinds: Sequence[str], unmeasured: Unmeasured) -> Covered:
    """The device with a calibration for operations of `kinds`.

    Args:
        soc: the device.
        given: the calibration; None takes the built-in one that covers most, or the data sheet where that may take its place.
        kinds: of the operations that run, one for each.
        unmeasured: what becomes of what the calibration lacks.

    Raises:
        ProblemError: there is no calibration of the device, and no estimate without was asked for or is possible.
    """
    if given is None:
        known = any(load_calibration(content).soc == soc.slug for content in builtin_calibrations().values())
        if not known and unmeasured == "datasheet":
            found = datasheet_estimate(soc)
            return Covered(found.soc, found.calibration, {}, tuple(found.calibration.covered))
        given = builtin_calibration(soc, kinds, OTHERWISE)
    if unmeasured == "refused":
        return Covered(soc, given)
    calibration, assumed = with_assumed_kinds(given, soc, frozenset(kinds))
    if unmeasured == "assumed":
        return Covered(soc, calibration, assumed)
    wider, calibration, units = with_datasheet_units(calibration, soc)
    return Covered(wider, calibration, assumed, units)
