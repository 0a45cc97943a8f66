"""Units of a system on a chip, added and removed in a document."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from typing import Any

from hardware.errors import HardwareError

_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")


def with_unit(content: Mapping[str, Any], name: str, like: str, source: str) -> dict[str, Any]:
    """Return a copy of the document with one more unit, a copy of `like`; power modes limit both in the same way.

    Args:
        content: a document of the schema `soc/1`.
        name: name of the new unit.
        like: like of the unit that is copied.
        source: source of its values.

    Raises:
        HardwareError: the name is none or taken, or there is no unit to copy.
    """
    units = content["units"]
    if not _NAME.fullmatch(name):
        raise HardwareError(
            "form", "units", name, "a name of small letters, digits and hyphens that begins with a letter"
        )
    if name in units:
        raise HardwareError("form", "units", name, "a name that no other unit has")
    if like not in units:
        raise HardwareError("form", "units", like, f"one of the units: {', '.join(units)}")
    made = copy.deepcopy(dict(content))
    made["units"][name] = copy.deepcopy(units[like])
    for mode in made.get("power_modes", {}).values():
        if like in mode.get("units", {}):
            mode["units"][name] = copy.deepcopy(mode["units"][like])
    made["sources"] = {**made["sources"], f"units.{name}": source}
    return made


def without_unit(content: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a copy of the document without a unit, what power modes say of it, and its sources.

    Raises:
        HardwareError: there is no such unit, or no other.
    """
    if name not in content["units"]:
        raise HardwareError("form", "units", name, f"one of the units: {', '.join(content['units'])}")
    if len(content["units"]) == 1:
        raise HardwareError("form", "units", name, "one of at least two units")
    made = copy.deepcopy(dict(content))
    del made["units"][name]
    for mode in made.get("power_modes", {}).values():
        mode.get("units", {}).pop(name, None)
    gone = re.compile(rf"(power_modes\.[^.]+\.)?units\.{re.escape(name)}(\..*)?")
    for section in ("sources", "confidence"):
        if section in made:
            made[section] = {key: words for key, words in made[section].items() if not gone.fullmatch(key)}
    if "not_published" in made:
        made["not_published"] = [key for key in made["not_published"] if not gone.fullmatch(key)]
    return made
