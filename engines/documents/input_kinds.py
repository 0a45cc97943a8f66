"""Slots for documents: of a family, and those that several engines have, with the words of forms that are the same everywhere."""

from __future__ import annotations

from typing import Any

from engines.contract.engine import InputKind
from engines.recordings.family import RECORDING
from engines.workloads.document_families import NETWORK, SCENARIO
from hardware.calibration.family import CALIBRATION
from hardware.family import DocumentFamily
from hardware.package.family import PACKAGE
from hardware.soc.family import SOC


def slot(
    family: DocumentFamily[Any],
    help_text: str,
    *,
    title: str = "",
    also: tuple[DocumentFamily[Any], ...] = (),
    required: bool = True,
    preferred: str = "",
) -> InputKind:
    """Return a slot for documents of a family.

    Args:
        family: whose loader reads them.
        help_text: words for forms.
        title: likewise; that of the family by default.
        also: other families that the loader reads.
        required: as in `InputKind`.
        preferred: likewise.
    """
    schemas = tuple(each.schema for each in (family, *also))
    return InputKind(family.kind, title or family.title, help_text, family.load, schemas, required, preferred)


def soc_slot(help_text: str, preferred: str = "", *, title: str = "", required: bool = True) -> InputKind:
    """Return the input kind of a system on a chip."""
    return slot(SOC, help_text, title=title, required=required, preferred=preferred)


def calibration_slot(otherwise: str) -> InputKind:
    """Return a calibration of the device; `otherwise` says which built-in one counts where none is given."""
    help_text = f"Calibration with the costs of operators on the compute units. Empty: {otherwise}."
    return slot(CALIBRATION, help_text, title="Calibration", required=False)


def package_slot(title: str, help_text: str, preferred: str = "simba-3x3-het-sides") -> InputKind:
    """Return the input kind of a chiplet package."""
    return slot(PACKAGE, help_text, title=title, preferred=preferred)


def workload_slot(title: str, help_text: str, *, preferred: str = "", required: bool = True) -> InputKind:
    """Return a scenario, or a network as a scenario of one model."""
    return slot(SCENARIO, help_text, title=title, also=(NETWORK,), required=required, preferred=preferred)


def trace_slots() -> dict[str, InputKind]:
    """Return the recordings of a channel and of a server's queue, by name of the slot."""
    channel = "A recording of the bandwidth (CSV: time_s,bandwidth_mbps). Empty: the channel of the parameters."
    queue = (
        "A recording of the time before the server starts (CSV: time_s,delay_ms). Empty: the queue of the parameters."
    )
    return {
        "channel_trace": slot(RECORDING, channel, title="Trace of the channel", required=False),
        "queue_trace": slot(RECORDING, queue, title="Trace of the queue", required=False),
    }


def measured_slot(laid_over: str) -> InputKind:
    """Return the input for values measured on a device; `laid_over` describes the predictions that they are compared with."""
    help_text = f"A recording of the device's power or charge (CSV), laid over {laid_over}."
    return slot(RECORDING, help_text, title="Measured", required=False)
