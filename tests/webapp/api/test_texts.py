"""Text that no database stores is refused at every address that takes a body, with its field."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from webapp.runs.models import Run

BODIES: dict[str, Any] = {
    "plan/": {"engine": "toy", "params": {"note": "?"}},
    "runs/": {"engine": "toy", "title": "?"},
    "studies/": {"engine": "toy", "title": "?"},
    "studies/plan/": {"engine": "toy", "title": "?"},
    "documents/": {"content": {"slug": "mine", "source": {"deep": ["?"]}}},
    "reproductions/scar/": {"project": "?"},
    "runs/{run}/evaluate/": {"decisions": [{"parts": "?"}]},
    "runs/{run}/continue/": {"?": 1},
}


@pytest.mark.parametrize("text", ["\ud800", "a\0b"], ids=["surrogate", "nul"])
@pytest.mark.parametrize("path", BODIES)
def test_text_that_no_database_stores_is_refused(client: APIClient, run: Run, path: str, text: str) -> None:
    body = json.dumps(BODIES[path]).replace("?", json.dumps(text)[1:-1])
    answer = client.post(f"/api/v1/{path.format(run=run.pk)}", body, content_type="application/json")
    assert answer.status_code == 400 and "NUL" in answer.json()["accepted"], answer.content
    assert answer.json()["field"]


@pytest.mark.parametrize("title", ["   ", "\u200b", "a\u0007b", "a\nb"])
@pytest.mark.parametrize("path", ["runs/", "studies/", "reports/"])
def test_titles_that_show_nothing_are_refused(client: APIClient, path: str, title: str) -> None:
    answer = client.post(f"/api/v1/{path}", {**BODIES.get(path, {"text": "x"}), "title": title}, format="json")
    assert (answer.status_code, answer.json()["field"]) == (400, "title")


def test_names_of_files_and_fields_of_forms_too(client: APIClient) -> None:
    form = '--x\r\nContent-Disposition: form-data; name="project"\r\n\r\nla\0b\r\n--x--\r\n'
    for address in ("documents/upload/", "runs/import/", "calibrations/fit/", "measured-values/"):
        answer = client.post(f"/api/v1/{address}", form.encode(), content_type="multipart/form-data; boundary=x")
        assert (answer.status_code, answer.json()["field"]) == (400, "project")
