"""Actions of the buttons on the page of devices. No callbacks."""

from __future__ import annotations

import re

from engines.contract.errors import ProblemError
from engines.workloads.builtins import builtin_networks
from frontend.figures.numbers import many
from webapp.measuring import devices, jobs
from webapp.measuring.calibration_networks import FITTED, NEVER_FITTED
from webapp.measuring.calibrations import calibrate_device
from webapp.measuring.models import AgentDevice, Measurement
from webapp.teams.permissions import Principal


def done_on(principal: Principal, device: AgentDevice, name: str, text: str) -> str:
    """Do it, and say what was done; `text` names the networks to measure, or the board to share on."""
    counts = [int(peak["threads"]) for peak in device.machine["peaks"]]
    if name in ("measure", "again", "these"):
        networks = [*FITTED, *NEVER_FITTED] if name == "measure" else _measured(device)
        if name == "these":
            networks = [each for each in re.split(r"[\s,]+", text) if each]
        if not networks:
            raise ProblemError("networks", "none", "names of networks of the catalogue, separated by commas")
        asked = jobs.ask(principal, device, networks, counts, name == "again")
        waiting = many(len(asked.waiting), "measurement waits", "measurements wait")
        return f"{waiting} for the agent of {device.name}; {len(asked.known)} known."
    if name == "calibrate":
        measured = device.measurements.filter(state=Measurement.State.DONE, kind=device.kind)
        with_results = [count for count in counts if measured.filter(threads=count).count() > 1]
        if not with_results:
            raise ProblemError("networks", "one measured", "at least two networks measured with the same threads")
        for count in with_results:
            calibrate_device(principal, device, count, NEVER_FITTED)
        return f"{device.name} is calibrated to the measurements with {_threads(with_results)}."
    if name == "revoke":
        devices.revoke(principal, device.pk)
        return f"The agent of {device.name} gets no more jobs. Its measurements stay."
    if name == "share":
        if not text:
            raise ProblemError("board", "none", "a board of the list")
        devices.share(principal, device.pk, text)
        return f"Everybody on this site sees the measurements of {device.name} on the page of {text}."
    if name == "unshare":
        devices.share(principal, device.pk, "")
        return f"The measurements of {device.name} are visible in its project alone."
    if name == "delete":
        devices.delete(principal, device.pk)
        return f"{device.name} is deleted with its measurements. Its calibrations stay."
    devices.allow_again(principal, device.pk)
    return f"The agent of {device.name} may register again."


def _measured(device: AgentDevice) -> list[str]:
    """Return the networks of the zoo that were measured on it."""
    done = device.measurements.filter(state=Measurement.State.DONE, kind=device.kind)
    slugs = done.values_list("network__slug", flat=True).distinct().order_by("network__slug")
    return [slug for slug in slugs if slug in builtin_networks()]


def _threads(counts: list[int]) -> str:
    return " and ".join(many(count, "thread") for count in counts)
