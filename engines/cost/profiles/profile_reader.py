"""The reader that fits a calibration to profiles of an agent. It runs in a limited child process.

Some networks are fitted, others only predicted; their error is that of the fit on unseen networks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.cost.calibration.matching import match_rows
from engines.cost.calibration.measurements import MeasuredRow
from engines.cost.calibration.own import About, own_calibration
from engines.cost.profiles.measured_operators import operator_report
from engines.cost.profiles.measured_profile import Profile, measured_lines
from engines.cost.soc.operations import operation_table
from engines.workloads.loader import load_network
from engines.workloads.network import Network
from hardware.calibration.loader import calibration_content
from hardware.soc.loader import load_soc

LEAST_NETWORKS = 2


def read_profiles(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    """Return the calibration that is fitted to the profiles.

    Args:
        data: JSON: a list of `network`, `role` ("fitted" or "predicted") and `result` as an agent answers.
        name: source of the rows.
        options: `soc` as a document, `networks` (slug -> document), `about` (fields of `About`).

    Returns:
        content: the calibration.
        report: `operators`, as `operator_report` gives them; `skipped`, as `uncovered` does.

    Raises:
        ProblemError: too few networks, or a profile that is not its network's.
    """
    given = json.loads(data)
    profiles = [Profile.of(each["network"], each["result"], each["role"]) for each in given]
    fitted = [profile for profile in profiles if profile.role == "fitted"]
    if len(fitted) < LEAST_NETWORKS:
        raise ProblemError("networks", f"{len(fitted)} measured", f"at least {LEAST_NETWORKS} networks to fit to")
    networks = {slug: load_network(content) for slug, content in options["networks"].items()}
    soc = load_soc(options["soc"])
    skipped = uncovered(profiles, networks)
    rows = profile_rows([profile for profile in profiles if profile.network not in skipped], networks, name)
    calibration = own_calibration(rows, soc, networks.__getitem__, About(**options["about"]))
    return ReadDocument(
        calibration_content(calibration),
        report={"operators": operator_report(fitted, networks, soc, calibration), "skipped": skipped},
    )


def uncovered(profiles: Sequence[Profile], networks: Mapping[str, Network]) -> dict[str, list[str]]:
    """Return network -> operation kinds that no fitted network contains, for the networks to predict that have any."""
    kinds = {each.network: set(operation_table(networks[each.network].operations).running_kinds) for each in profiles}
    known = {kind for each in profiles if each.role == "fitted" for kind in kinds[each.network]}
    return {name: sorted(found - known) for name, found in kinds.items() if found - known}


def profile_rows(profiles: Sequence[Profile], networks: Mapping[str, Network], where: str) -> list[MeasuredRow]:
    """Return the rows to fit to, by operations and whole; of networks that are only predicted the whole alone."""
    rows: list[MeasuredRow] = []
    for profile in profiles:
        lines = measured_lines(profile, networks[profile.network])
        used = lines if profile.role == "fitted" else lines[-1:]
        found = match_rows(used, networks.__getitem__, where=where).rows
        rows += [replace(row, role="fitted" if profile.role == "fitted" else "predicted") for row in found]
    return rows
