"""Reproductions over REST."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from engines.registry import get_engine
from engines.reproduction.reproductions import listed, reproducible_engines, shipped_of, versions_of
from webapp.reproductions.models import Reproduction
from webapp.reproductions.service import to_json


def test_what_is_printed_and_not_compared_comes_with_the_reason(client: APIClient) -> None:
    found = client.get("/api/v1/reproductions/magnas/").json()
    entries = found["not_compared"]
    named = {value["name"]: value for entry in entries for value in entry["values"]}
    assert named["table3.3.CIFAR-10.a0.latency"] == {
        "anchor": "odema-2023", "name": "table3.3.CIFAR-10.a0.latency", "value": 16.02, "unit": "ms", "where": "Table 2",
    }  # fmt: skip
    assert named["table3.4.GPU-only.stem"]["value"] == "G" and all(entry["because"] for entry in entries)
    shown = {name for row in found["comparisons"] for name in row["sources"]}
    assert len(shown) > 60 and not shown & set(named)


def test_every_method_comes_with_what_was_computed_at_release_and_here(client: APIClient) -> None:
    every = {found["method"]: found for found in client.get("/api/v1/reproductions/").json()}
    assert set(every) == set(reproducible_engines())
    assert all([made["at"] for made in found["computed"]] == ["release"] for found in every.values())
    assert {row["computed_at"] for row in every["scar"]["comparisons"]} == {"release"}
    shipped = shipped_of("scar")
    assert shipped is not None and every["scar"]["computed"][0]["computed"] == shipped.computed.isoformat()
    row = listed("scar")[0]
    Reproduction.objects.create(
        engine="scar",
        engine_version=get_engine("scar").version,
        quick=True,
        versions=versions_of("scar"),
        comparisons=[to_json(row) | {"ours": 7.0}],
        platform={},
        duration_s=1.0,
    )
    found = client.get("/api/v1/reproductions/scar/").json()
    assert [(made["at"], made["quick"], made["outdated"]) for made in found["computed"]] == [
        ("site", True, False),
        ("release", False, False),
    ]
    assert [found["comparisons"][at]["computed_at"] for at in (0, 1)] == ["site", "release"]
    assert found["comparisons"][0]["ours"] == 7


def test_a_method_is_shown_where_nothing_is_computed(client: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.reproductions.service.shipped_of", lambda _: None)
    found = client.get("/api/v1/reproductions/soc-mapping/").json()
    assert (found["method"], found["computed"], found["outdated"]) == ("magnas", [], False)
    row = next(row for row in found["comparisons"] if row["name"] == "Latency at most 20 % above GPU alone")
    assert row["published"] == 0.74 and row["ours"] is None and row["verdict"] == "not computed" and row["where"]
    assert set(found["expected_s"]) == {"quick", "full"} and "agrees" in found["verdicts"]
    assert (row["test"], row["baseline"], row["seeds"]) == ("effect", 1.0, None)
    answer = client.get("/api/v1/reproductions/toy/")
    assert answer.status_code == 404 and "seesaw" in answer.json()["message"]


def test_it_is_started_as_a_run(client: APIClient) -> None:
    answer = client.post("/api/v1/reproductions/sbrs/", {"quick": True}, format="json")
    assert answer.status_code == 201
    run = answer.json()
    assert (run["engine"], run["status"], run["params"]) == (
        "reproduction",
        "queued",
        {"method": "sbrs", "quick": True},
    )
    assert client.get(f"/api/v1/runs/{run['id']}/").status_code == 200
    refused = client.post("/api/v1/reproductions/sbrs/", {"quick": "perhaps"}, format="json")
    assert refused.status_code == 400 and refused.json()["field"] == "quick"


def test_it_is_saved_as_csv(client: APIClient) -> None:
    answer = client.get("/api/v1/reproductions/sbrs/comparisons.csv")
    assert answer.status_code == 200 and "reproduction-sbrs.csv" in answer["Content-Disposition"]
    assert answer.content.decode().startswith("publication,table,compared")
