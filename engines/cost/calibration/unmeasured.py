"""The calibration of a device, and the treatment of units and operations without measurements: refused, or estimated on request."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from engines.contract.certainty import Certainty, estimate_certainty
from engines.contract.engine import Problem
from engines.contract.errors import ProblemError
from engines.contract.parameter_fields import choice
from engines.contract.results import Note
from engines.cost.calibration.assumed import with_assumed_kinds
from engines.cost.calibration.datasheet import datasheet_estimate, with_datasheet_units
from engines.cost.calibration.words import calibration_words, costs_notes, inheritance_words
from engines.cost.memory_capacity import MemoryDemand, memory_demand, memory_notes, require_memory
from engines.cost.soc.calibration_lineage import inheritance_of, inherited
from engines.cost.soc.model import SocCostModel, bits_of
from engines.workloads.network import ScenarioModel
from hardware.bits import BitWidths
from hardware.calibration.loader import builtin_calibrations, calibrations_of
from hardware.calibration.model import SocCalibration
from hardware.errors import Remedy
from hardware.soc.model import Soc

Rest = ParamSpec("Rest")
Built = TypeVar("Built")
Unmeasured = Literal["refused", "assumed", "datasheet"]
_ESTIMATES = {
    "assumed": "Set unmeasured to assumed to estimate them like others.",
    "datasheet": "Set unmeasured to datasheet to estimate units by their data sheet too.",
}


@dataclass(frozen=True)
class CalibrationCoverage:
    """A device with a calibration that covers the requested kinds of operations, by measurements or estimates.

    Attributes:
        soc: the device.
        calibration: parameters, both measured and estimated.
        assumed: measured unit -> kinds of operations without measurements that are estimated like others.
        datasheet_units: units without measurements, estimated from the device's document.
        memory: memory demand of the networks; None if it was not checked.
        bits: requested bits of weights and activations; "" for those of the network and the calibration.
    """

    soc: Soc
    calibration: SocCalibration
    assumed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    datasheet_units: tuple[str, ...] = ()
    memory: MemoryDemand | None = None
    bits: str = ""

    @property
    def widths(self) -> BitWidths:
        """Return the bits of weights and activations for networks that state none."""
        return bits_of(self.bits) if self.bits else self.calibration.bits

    def model(self, *, mode: str | None = None, fallback: bool = True) -> SocCostModel:
        """Return the cost model; arguments as of `SocCostModel`."""
        return SocCostModel(self.soc, self.calibration, mode=mode, fallback=fallback, bits=self.bits)

    def within_memory(
        self, models: Sequence[ScenarioModel], *, ignore: bool | None = None, slot: str = "hardware"
    ) -> CalibrationCoverage:
        """Return the coverage with the memory demand of models that run at the same time; several calls keep the largest demand.

        Args:
            models: networks with their batches.
            ignore: whether the user lifted the limit; None where no parameter does.
            slot: input that the device is.

        Raises:
            TooLittleMemoryError: the device has less.
        """
        widths, demand = self.widths, memory_demand(models, stated=not self.bits)
        require_memory(self.soc, demand, widths, ignore=ignore, slot=slot)
        largest = self.memory is None or self.memory.total_bytes(widths) < demand.total_bytes(widths)
        return replace(self, memory=demand) if largest else self

    def words(self, used: Collection[str] | None = None) -> str:
        """Return the source of the costs in words.

        Kinds of operations that are estimated like others are named: of all units, or of those in `used`.
        """
        words = calibration_words(self.calibration, self.soc, self.datasheet_units, self.bits)
        units = self.assumed if used is None else used
        kinds = sorted({kind for unit in units for kind in self.assumed.get(unit, ())})
        return f"{words}; {', '.join(kinds)} estimated like others" if kinds else words

    def certainty(self, used: Collection[str] | None = None) -> Certainty:
        """Return the word for costs on all units, or on those in `used`; other bits than the calibration's are extrapolated."""
        by_data_sheet = self.datasheet_units if used is None else set(self.datasheet_units) & set(used)
        copied = inheritance_of(self.calibration, self.soc)
        scaled = (copied is not None and not copied.same) or self.bits not in ("", self.calibration.precision)
        measured = bool(self.calibration.rows)  # a calibration that was changed by hand has none
        return estimate_certainty(calibrated=measured, scaled=scaled, data_sheet=bool(by_data_sheet))

    @property
    def surer_units(self) -> tuple[str, ...]:
        """Units whose costs are not from the data sheet; empty where those of all units, or of none, are."""
        measured = [name for name in self.calibration.covered if name not in self.datasheet_units]
        return tuple(measured) if self.datasheet_units else ()

    def notes(self, *, chosen: bool) -> list[Note]:
        """Return the notes on the costs; `chosen` says whether the device, not the user, selected the calibration."""
        costs = costs_notes(
            self.calibration, self.soc, chosen=chosen, assumed=self.assumed, datasheet_units=self.datasheet_units,
            precision=self.bits,
        )  # fmt: skip
        return costs if self.memory is None else [*costs, *memory_notes(self.soc, self.memory, self.widths)]

    def of(self, unit: str) -> CalibrationCoverage:
        """Return the coverage reduced to one compute unit."""
        kinds = {name: held for name, held in self.calibration.covered.items() if name == unit}
        return replace(
            self,
            calibration=replace(self.calibration, covered=kinds),
            assumed={name: kinds for name, kinds in self.assumed.items() if name == unit},
            datasheet_units=tuple(each for each in self.datasheet_units if each == unit),
        )


def chosen_calibration(problem: Problem[Any], coverage: CalibrationCoverage | None) -> dict[str, str]:
    """Return slot and slug of the built-in calibration that counts where the problem names none; empty where none does."""
    slug = "" if coverage is None or "calibration" in problem.inputs else coverage.calibration.slug
    return {"calibration": slug} if slug in builtin_calibrations() else {}


def unmeasured_field(group: str = "Units", default: Unmeasured = "refused") -> Any:
    """Declare the parameter for the treatment of units and operations without measurements."""
    return choice(
        default,
        "Operations that no calibration measured",
        group,
        {
            "refused": "Refused",
            "assumed": "Estimated like others",
            "datasheet": "Estimated, also units by their data sheet",
        },
        "Refused: the run does not start and names the operators. Estimated like others: their cost "
        "follows from the bandwidth, launches and peak share of units that run them. Units by their data "
        "sheet: costs follow from peak, bandwidth and power in the device description. The run names the "
        "units that it estimated; the error of these estimates is unknown.",
    )


def estimates_as_remedies(
    build: Callable[Concatenate[Problem[Any], Rest], Built],
) -> Callable[Concatenate[Problem[Any], Rest], Built]:
    """Decorate what builds something of a problem: a refusal for want of a measurement then has the estimates as remedies."""

    @wraps(build)
    def mendable(problem: Problem[Any], /, *rest: Rest.args, **named: Rest.kwargs) -> Built:
        try:
            return build(problem, *rest, **named)
        except ProblemError as error:
            if error.field == "inputs.calibration" or error.field.startswith("operations."):
                # An error that names the data sheet has no calibration at all, so "assumed" has nothing to estimate from.
                unknown = any(each.value == "datasheet" for each in error.remedies)
                helpful = ("datasheet",) if unknown else ("assumed", "datasheet")
                others = [each for each in helpful if each != problem.params.unmeasured]
                ways = [Remedy(_ESTIMATES[each], "params.unmeasured", each) for each in others]
                before = [each for each in error.remedies if each.field != "params.unmeasured"]
                error.remedies = (*before, *ways)
            raise

    return mendable


def builtin_calibration(soc: Soc, kinds: Sequence[str]) -> SocCalibration:
    """Return the built-in calibration of the device, or of the one that it was copied from, that covers most operations of `kinds`.

    Raises:
        ProblemError: there is none for the device.
    """
    return _most_covering(soc, _builtin_calibrations_of(soc), kinds)


def _most_covering(
    soc: Soc, fitting: Sequence[SocCalibration], kinds: Sequence[str], otherwise: bool = False
) -> SocCalibration:
    if not fitting:
        devices = ", ".join(sorted({content["soc"] for content in builtin_calibrations().values()}))
        raise ProblemError(
            "inputs.calibration",
            None,
            f"a calibration of {soc.slug}",
            reason=f"No calibration of this device is built in. There are calibrations of {devices}.",
            remedies=[
                "Name the original under lineage if this device is a copy of one of them.",
                *([Remedy(_ESTIMATES["datasheet"], "params.unmeasured", "datasheet")] if otherwise else []),
            ],
        )
    return max(fitting, key=lambda each: covered_kinds(each, kinds))


def covered_kinds(calibration: SocCalibration, kinds: Sequence[str]) -> int:
    """Return the number of operations of these kinds that the calibration covers, summed over units."""
    return sum(kind in held for held in calibration.covered.values() for kind in kinds)


def builtin_inheritance_words(soc: Soc) -> str:
    """Return a sentence on the built-in calibration that a copied device inherits; "" for other devices."""
    found = _builtin_calibrations_of(soc)
    copied = inheritance_of(found[0], soc) if found else None
    return "" if copied is None else inheritance_words(copied, soc)


def _builtin_calibrations_of(soc: Soc) -> list[SocCalibration]:
    """Return the calibrations of the device, else of the nearest one of its lineage that has any, as they count for this one."""
    nearest = next((found for name in soc.names if (found := calibrations_of(name))), ())
    return [inherited(calibration, soc) for calibration in nearest]


def covered(
    soc: Soc,
    given: SocCalibration | None,
    kinds: Sequence[str],
    unmeasured: Unmeasured,
    *,
    bits: str = "",
    power_needed: bool = True,
) -> CalibrationCoverage:
    """Return the device with a calibration for operations of `kinds`.

    Args:
        soc: the device.
        given: the calibration; None takes the built-in one that covers most, or the data sheet where that may take its place.
        kinds: kinds of the operations that run, one for each.
        unmeasured: treatment of units and operations without measurements.
        bits: requested bits; a data sheet has others by default.
        power_needed: whether a data sheet without power is enough for nothing.

    Raises:
        ProblemError: there is no calibration of the device, and no estimate without was asked for or is possible.
    """
    fitting = [inherited(given, soc)] if given else _builtin_calibrations_of(soc)
    if not fitting and unmeasured == "datasheet":
        found = datasheet_estimate(soc, bits, power_needed=power_needed).calibration
        return CalibrationCoverage(soc, found, datasheet_units=tuple(found.covered), bits=bits)
    given = _most_covering(soc, fitting, kinds, True)
    if unmeasured == "refused":
        return CalibrationCoverage(soc, given, bits=bits)
    calibration, assumed = with_assumed_kinds(given, soc, frozenset(kinds))
    if unmeasured == "assumed":
        return CalibrationCoverage(soc, calibration, assumed, bits=bits)
    calibration, units = with_datasheet_units(calibration, soc)
    return CalibrationCoverage(soc, calibration, assumed, units, bits=bits)
