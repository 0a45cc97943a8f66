from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from rest_framework.test import APIClient

from webapp.runs.models import Run


def get(client: APIClient, run: Run, rest: str, **query: Any) -> dict[str, Any]:
    answer: HttpResponse = client.get(f"/api/v1/runs/{run.pk}/{rest}", query)
    assert answer.status_code == 200, answer.content
    return answer.json()  # type: ignore[attr-defined, no-any-return]
