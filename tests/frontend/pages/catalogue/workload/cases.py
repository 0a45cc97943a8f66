from __future__ import annotations

from typing import Any

from frontend.pages.catalogue.document.frame import DocumentView, find
from tests.support.stored_runs import People


def found(people: People, slug: str) -> DocumentView:
    shown = find(people.owner, "workload", slug)
    assert shown is not None
    return shown


def controls(**changes: Any) -> dict[str, Any]:
    """What the browser sends of the comparison's controls."""
    values = {
        "layers-package.value": "simba-3x3-het-sides", "layers-sizes.value": ["4096"], "layers-mappings.value": ["kcp_ws", "dpt"],
        "layers-show.value": "edp", "layers-reference.value": "all", "layers-model.value": None, "layers-layer.value": "0",
        "scheme.data": "light", "viewport.data": {"width": 1440, "height": 900},
        "document-name.data": {"kind": "workload", "name": "resnet50", "version": 1},
    }  # fmt: skip
    return values | changes
