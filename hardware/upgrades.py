"""Documents of older schema numbers, brought up to the present one when they are read.

Stored versions are immutable; they are upgraded on the way in, one number at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hardware.errors import HardwareError
from hardware.package.schema import SCHEMA

Upgrade = Callable[[dict[str, Any]], dict[str, Any]]

# Old schema -> function that returns the content in the next one (which it names in `schema`). Empty until number 2 exists.
UPGRADES: dict[str, Upgrade] = {}


def upgrade(content: Mapping[str, Any], file: str = "") -> dict[str, Any]:
    """A copy of `content` in the present schema.

    Raises:
        HardwareError: `schema` is missing, unknown or newer than this version of the product.
    """
    current = dict(content)
    while (name := current.get("schema")) != SCHEMA:
        step = UPGRADES.get(name) if isinstance(name, str) else None
        if step is None:
            known = ", ".join([*UPGRADES, SCHEMA])
            raise HardwareError(file or str(content.get("slug", "hardware")), "schema", name, f"one of: {known}")
        current = step(current)
    return current
