from __future__ import annotations

from typing import Any

from tests.support.stored_runs import People
from webapp.comparisons import service


def entries(people: People, *runs: Any, **designs: Any) -> list[service.Entry]:
    return service.entries_of(people.owner, [{"run": run.pk, "design": designs.get(f"d{run.pk}")} for run in runs])
