"""Files that a run produced."""

from __future__ import annotations

import hashlib

from rest_framework.test import APIClient

from webapp.runs.models import Run


def test_it_lists_files(client: APIClient, run: Run) -> None:
    digest = hashlib.sha256(b"made for tests").hexdigest()
    assert client.get(f"/api/v1/runs/{run.pk}/files/").json() == [
        {"name": "notes.txt", "media_type": "text/plain", "size_bytes": 14, "sha256": digest}
    ]


def test_it_downloads_a_file(client: APIClient, run: Run) -> None:
    answer = client.get(f"/api/v1/runs/{run.pk}/files/notes.txt")
    assert (answer.status_code, answer.content) == (200, b"made for tests")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="run-{run.pk}-notes.txt"'
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_it_knows_no_other_files(client: APIClient, run: Run) -> None:
    for name in ("nothing.txt", "../notes.txt", "notes.txt/"):
        assert client.get(f"/api/v1/runs/{run.pk}/files/{name}").status_code == 404
