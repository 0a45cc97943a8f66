"""Notes, tags and stars over REST; who may is in the matrix of permissions."""

from __future__ import annotations

import pytest

from tests.support.stored_runs import People, finished_run
from tests.webapp.api.conftest import client_of
from webapp.runs.models import Run


@pytest.fixture
def run(people: People, toys: None) -> Run:
    return finished_run(people, steps=2, designs_per_step=3)


def test_a_note_is_written_read_changed_and_deleted(people: People, run: Run) -> None:
    eve, vic = client_of(people.editor), client_of(people.viewer)
    address = f"/api/v1/notes/run/{run.pk}/"
    made = eve.post(address, {"text": "**Hot** @vic @sam", "design": 1, "pinned": True}, format="json").json()
    assert (made["author"], made["design"], made["pinned"], made["not_told"]) == ("eve", 1, True, ["sam"])
    assert made["html"] == "<p><strong>Hot</strong> @vic @sam</p>\n" and made["created"]
    listed = vic.get(address).json()
    assert listed["count"] == 1 and listed["results"][0]["text"] == "**Hot** @vic @sam"
    assert vic.get(address, {"design": 2}).json()["count"] == 0
    one = f"/api/v1/notes/{made['id']}/"
    changed = eve.patch(one, {"pinned": False}, format="json").json()
    assert not changed["pinned"] and changed["text"] == made["text"] and changed["edited"] is None
    assert eve.delete(one).status_code == 204 and vic.get(one).status_code == 404
    assert eve.post(f"/api/v1/deleted/note/{made['id']}/restore/").status_code == 200
    assert vic.get(one).status_code == 200


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "text"), ({"text": ""}, "text"), ({"text": "a\0"}, "text"), ({"text": "x", "design": 99}, "design"),
        ({"text": "x", "design": "1"}, "design"), ({"text": "x", "pinned": True}, "pinned"), ({"text": "x", "more": 1}, "more"),
    ],
)  # fmt: skip
def test_a_refused_note_names_the_field(people: People, run: Run, body: dict[str, object], field: str) -> None:
    answer = client_of(people.editor).post(f"/api/v1/notes/run/{run.pk}/", body, format="json")
    assert answer.status_code == 400 and answer.json()["field"] == field
    assert answer["Content-Type"].startswith("application/problem+json")


def test_halves_of_surrogate_pairs_are_refused(people: People, run: Run) -> None:
    body = '{"text": "a\\ud800b"}'
    answer = client_of(people.editor).post(f"/api/v1/notes/run/{run.pk}/", body, content_type="application/json")
    assert answer.status_code == 400


def test_tags_and_stars_filter_lists(people: People, run: Run) -> None:
    eve, other = client_of(people.editor), finished_run(people)
    tags = f"/api/v1/tags/run/{run.pk}/"
    assert eve.put(tags, {"tags": ["Paper", "for review"]}, format="json").json() == {"tags": ["for review", "paper"]}
    assert eve.get(tags).json()["tags"] == ["for review", "paper"]
    assert eve.get("/api/v1/tags/", {"kind": "run"}).json()[1] == {"word": "paper", "things": 1}
    assert eve.get("/api/v1/tags/", {"kind": "x"}).json()["field"] == "kind"
    runs = "/api/v1/runs/"
    assert [each["id"] for each in eve.get(runs, {"tag": "Paper,for review"}).json()["results"]] == [run.pk]
    assert eve.get(runs, {"tag": "paper,none"}).json()["count"] == 0
    assert eve.get("/api/v1/studies/", {"tag": "paper", "favourite": "1"}).json()["count"] == 0
    star = f"/api/v1/favourites/run/{other.pk}/"
    assert eve.put(star).status_code == 204
    assert [each["id"] for each in eve.get(runs, {"favourite": "1"}).json()["results"]] == [other.pk]
    assert [each["number"] for each in eve.get("/api/v1/favourites/").json()] == [other.pk]
    assert client_of(people.owner).get("/api/v1/favourites/").json() == []
    assert eve.delete(star).status_code == 204 and eve.get("/api/v1/favourites/").json() == []
    for address in ("/api/v1/tags/project/1/", "/api/v1/favourites/version/1/", "/api/v1/notes/document/1/"):
        assert eve.get(address).status_code in (404, 405)
