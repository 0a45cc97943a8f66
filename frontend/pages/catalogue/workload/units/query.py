"""The query of the comparison of a device's units: device, calibration, clocks, quantity; as the address says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engines.contract.errors import ProblemError
from engines.cost.preferences import QUANTITIES, Quantity
from engines.cost.soc.clocks import clock_names
from engines.cost.unit_preferences import UnitPreferences, unit_preferences
from engines.workloads.network import Network
from frontend.pages.catalogue.document_cache import loaded
from hardware.calibration.model import SocCalibration
from hardware.soc.model import Soc
from webapp.catalogue.service import DocumentEntry, list_documents
from webapp.teams.visibility import Principal

WITH_FALLBACK, OWN_ONLY = "fallback", "own"


@dataclass(frozen=True)
class UnitQuery:
    """The reader's choices.

    Attributes:
        soc, calibration: names of documents; "" where there is none to choose.
        clocks_mhz: unit or "memory" -> clock; what is left out stands at its highest.
        fallback: whether a unit may have what it does not run itself.
        operation: place of the picked operation.
    """

    soc: str
    calibration: str
    clocks_mhz: Mapping[str, float] = field(default_factory=dict)
    show: Quantity = "edp"
    fallback: bool = True
    operation: int = 0


def devices(principal: Principal) -> list[DocumentEntry]:
    """Return the systems on a chip that have a calibration which `principal` may use."""
    calibrated = {each.soc for e in list_documents(principal, "calibration") if (each := loaded(e)) is not None}
    entries = [entry for entry in list_documents(principal, "hardware") if entry.schema.startswith("soc/")]
    return [
        entry for entry in entries if isinstance(soc := loaded(entry), Soc) and not calibrated.isdisjoint(soc.names)
    ]


def calibrations(principal: Principal, soc: Soc) -> list[DocumentEntry]:
    """Return the calibrations of a device and of those that it was copied from."""
    entries = list_documents(principal, "calibration")
    return [entry for entry in entries if (found := loaded(entry)) is not None and found.soc in soc.names]


def units_asked(principal: Principal, network: Network, given: Mapping[str, Any]) -> UnitQuery:
    """Return the query from address or controls; invalid values become defaults.

    The calibration that covers most operations of the network is the default.
    """
    entries = {entry.name: entry for entry in devices(principal)}
    if not entries:
        return UnitQuery("", "")
    name = given.get("soc")
    name = name if name in entries else next(iter(entries))
    soc = loaded(entries[name])
    own = {entry.name: entry for entry in calibrations(principal, soc)}
    calibration = given.get("calibration")
    if calibration not in own:
        calibration = max(own, key=lambda each: _covered(network, soc, loaded(own[each])))
    show = given.get("show")
    return UnitQuery(
        name,
        str(calibration),
        _clocks(soc, given.get("clocks")),
        show if show in QUANTITIES else "edp",
        given.get("fallback") != OWN_ONLY,
        max(0, given["operation"]) if isinstance(given.get("operation"), int) else 0,
    )


def _covered(network: Network, soc: Soc, calibration: SocCalibration) -> int:
    try:
        return int(unit_preferences(network, soc, calibration).supported.sum())
    except ProblemError:
        return 0


def _clocks(soc: Soc, given: Any) -> dict[str, float]:
    """Return the clocks of a mapping, or of words of the form gpu=1377 separated by commas."""
    pairs = (
        given.items()
        if isinstance(given, Mapping)
        else [each.split("=", 1) for each in str(given or "").split(",") if "=" in each]
    )
    found = {}
    for name, value in pairs:
        try:
            if value and name in clock_names(soc):
                found[name] = float(value)
        except ValueError:
            continue
    return found


def compared_units(principal: Principal, network: Network, asked: UnitQuery) -> UnitPreferences:
    """Return the comparison for one network.

    Raises:
        ProblemError: a document is gone, or there is no such clock.
    """
    soc = next((loaded(entry) for entry in devices(principal) if entry.name == asked.soc), None)
    if not isinstance(soc, Soc):
        raise ProblemError("soc", asked.soc, "a system on a chip that has a calibration")
    entry = next((entry for entry in calibrations(principal, soc) if entry.name == asked.calibration), None)
    if entry is None:
        raise ProblemError("calibration", asked.calibration, f"a calibration of {soc.slug}")
    return unit_preferences(network, soc, loaded(entry), asked.clocks_mhz, fallback=asked.fallback)
