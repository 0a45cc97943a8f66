"""Default documents of a problem, only for inputs with one clear choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.engine import Engine
from webapp.runs.inputs.documents import names_that_fit
from webapp.teams.visibility import Principal


def usual_inputs(principal: Principal, engine: Engine, given: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Return required slot that is not given -> the document to take and why, as forms in the browser preselect it.

    That is the slot's preferred document, else the only one that fits. Slots with neither are left out.
    """
    found = {}
    for slot, kind in engine.inputs.items():
        if not kind.required or given.get(slot):
            continue
        names = names_that_fit(principal, engine, slot)
        if kind.preferred in names:
            found[slot] = (kind.preferred, "preferred")
        elif len(names) == 1:
            found[slot] = (names[0], "the only one that fits")
    return found
