"""The log of changes over REST."""

from __future__ import annotations

from tests.support.stored_runs import People
from tests.webapp.changes.cases import signed_in, start_over_rest


def test_a_page_of_the_interface_goes_on_where_the_one_before_ended(people: People) -> None:
    start_over_rest(people)
    client = signed_in(people.viewer)
    found = client.get("/api/v1/changes/?kind=run").json()
    assert found["before"] is None and found["changes"][0]["differences"]
    assert client.get(f"/api/v1/changes/?before={found['changes'][-1]['number']}").json()["changes"] == []
    assert client.get("/api/v1/changes/?kind=cat").status_code == 400
    assert signed_in(people.stranger).get("/api/v1/changes/").json()["changes"] == []
