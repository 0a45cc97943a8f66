from __future__ import annotations

from engines.reproduction.comparisons import Comparison
from webapp.reproductions import service
from webapp.reproductions.models import Reproduction


def stored(quick: bool, version: int, ours: float | None = 1.0) -> Reproduction:
    row = Comparison("A", "one", 2.0, 1.0, "x", "predicted", "a-2024", "Table 1", True)
    return Reproduction.objects.create(
        engine="scar", engine_version=version, quick=quick, comparisons=[service.to_json(row) | {"ours": ours}], platform={},
        duration_s=1.0,
    )  # fmt: skip
