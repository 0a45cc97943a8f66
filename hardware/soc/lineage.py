"""Which devices a document of a system on a chip was copied from, kept with every copy, whichever way it was made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardware.soc.schema import MAX_LINEAGE


def with_lineage(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document with its own slug first in its lineage, so that a copy under another slug names what it was copied from.

    A lineage that is no list comes back as it is: validation names what is wrong. Of one that is too long the middle goes: the
    nearest devices and the first of all may be calibrated.
    """
    slug, lineage = content.get("slug"), content.get("lineage", [])
    if not isinstance(lineage, list):
        return dict(content)
    names = [slug, *(name for name in lineage if name != slug)]
    if len(names) == MAX_LINEAGE + 1:
        names = [*names[: MAX_LINEAGE - 1], names[-1]]
    return {**content, "lineage": names}
