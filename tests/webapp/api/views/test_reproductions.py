"""Reproductions over REST."""

from __future__ import annotations

from rest_framework.test import APIClient

from engines.registry import get_engine
from engines.reproductions import Comparison
from webapp.reproductions.models import Reproduction


def test_the_newest_of_each_engine(client: APIClient) -> None:
    assert client.get("/api/v1/reproductions/").json() == []
    row = vars(Comparison("A", "one", 2.0, 1.0, "x", "predicted", "a-2024", "Table 1", True)) | {"ours": None}
    Reproduction.objects.create(
        engine="scar",
        engine_version=get_engine("scar").version,
        quick=True,
        comparisons=[row],
        platform={},
        duration_s=1.0,
    )
    (found,) = client.get("/api/v1/reproductions/").json()
    assert (found["engine"], found["quick"], found["outdated"]) == ("scar", True, False)
    assert found["comparisons"] == [row]
