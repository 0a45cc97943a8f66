"""Measured values over REST: shown, stored when asked, listed, and refused with the reason."""

from __future__ import annotations

import io
from typing import Any

from rest_framework.test import APIClient

from tests.support.stored_runs import People
from tests.webapp.api.conftest import client_of

URL = "/api/v1/measured-values/"
TABLE = "Board,Model,dtype,result\nrk3588,resnet50,int8,20\nrk3588,nobodynet,int8,20\n"


def send(client: APIClient, text: str = TABLE, **fields: Any) -> Any:
    file = io.BytesIO(text.encode())
    file.name = "values.csv"
    return client.post(URL, {"file": file, "project": "lab", **fields}, format="multipart")


def test_a_table_is_mapped_shown_and_stored(client: APIClient, people: People) -> None:
    asked = send(client).json()
    assert (asked["columns"], asked["count"], asked["mapping"]["network"]) == (
        ["Board", "Model", "dtype", "result"],
        0,
        "Model",
    )
    given = {
        "column": ["device=Board", "network=Model", "precision=dtype", "value=result"], "unit_of_value": "ms",
        "source": "Lab", "licence": "CC0",
    }  # fmt: skip
    shown = send(client, **given).json()
    assert (shown["stored"], shown["count"], shown["unbounded"], shown["refused_count"]) == (False, 1, 0, 1)
    assert client.get(URL, {"device": "rk3588"}).json() == []
    refused = send(client, **given, store="true")
    assert (refused.status_code, refused.json()["reason"]) == (400, "row 2: The catalogue has no network nobodynet.")
    assert send(client, **given, store="true", leave_out="true").status_code == 201
    [listed] = client.get(URL, {"device": "rk3588"}).json()
    assert (listed["network"], listed["value"], listed["licence"], listed["project"]) == (
        "resnet50",
        0.02,
        "CC0",
        "lab",
    )
    assert client_of(people.stranger).get(URL, {"device": "rk3588"}).json() == []
    assert send(client_of(people.viewer), **given).status_code == 403
    assert send(client, column="network").json()["field"] == "column"
