"""Which devices a document of a system on a chip was copied from, kept with every copy, whichever way it was made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardware.soc.schema import MAX_LINEAGE

_FAMILY = "soc/"


def with_lineage(content: Mapping[str, Any]) -> dict[str, Any]:
    """The document with its own slug first in its lineage, so that a copy under another slug names what it was copied from.

    Content of other schemas, and a lineage that is no list, come back as they are: validation names what is wrong. Of a lineage
    that is too long the middle goes: the nearest devices and the first of all may be calibrated.
    """
    slug, lineage = content.get("slug"), content.get("lineage", [])
    if not str(content.get("schema", "")).startswith(_FAMILY) or not isinstance(lineage, list):
        return dict(content)
    names = [slug, *(name for name in lineage if name != slug)]
    if len(names) == MAX_LINEAGE + 1:
        names = [*names[: MAX_LINEAGE - 1], names[-1]]
    return {**content, "lineage": names}
