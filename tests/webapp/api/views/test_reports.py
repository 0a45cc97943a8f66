"""Reports over REST."""

from __future__ import annotations

from tests.support.stored_runs import People, finished_run
from tests.webapp.api.conftest import client_of


def test_a_report_is_written_read_changed_and_deleted(people: People) -> None:
    run, client = finished_run(people, steps=1, designs_per_step=3), client_of(people.editor)
    body = {"title": "Which?", "text": f"[[front run={run.pk}]]", "project": "lab"}
    made = client.post("/api/v1/reports/", body, format="json")
    assert made.status_code == 201 and made.json()["runs"] == [run.pk] and made.json()["changed_since"] == []
    address = f"/api/v1/reports/{made.json()['id']}/"
    changed = client.patch(address, {"text": "Neither.", "version": 1}, format="json").json()
    assert (changed["version"], changed["versions"], changed["title"]) == (2, 2, "Which?")
    assert client.get(f"{address}?version=1").json()["text"] == body["text"]
    assert [each["version"] for each in client.get(f"{address}versions/").json()] == [2, 1]
    assert [each["id"] for each in client.get("/api/v1/reports/?project=lab").json()["results"]] == [changed["id"]]
    late = client.patch(address, {"text": "Both.", "version": 1}, format="json")
    assert late.status_code == 409 and "the newest" in late.json()["detail"]
    assert client.delete(address).status_code == 204 and client.get(address).status_code == 404


def test_what_is_wrong_is_named(people: People) -> None:
    answer = client_of(people.editor).post("/api/v1/reports/", {"title": "A", "text": "[[picture]]"}, format="json")
    assert answer.status_code == 400 and "line 1" in str(answer.json())
