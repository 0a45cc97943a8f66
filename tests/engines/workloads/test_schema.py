"""The published JSON Schemas of workloads."""

from __future__ import annotations

import json
from typing import get_args

from engines.workloads.document_families import NETWORK, SCENARIO
from engines.workloads.network import COMPUTE_KINDS
from engines.workloads.schema import OperationKind


def test_the_published_schemas_are_json_and_strict() -> None:
    for schema, name in ((NETWORK.json_schema(), "network/1"), (SCENARIO.json_schema(), "scenario/1")):
        read = json.loads(json.dumps(schema))
        assert read["$id"] == name
        assert read["properties"]["schema"]["const"] == name
        assert read["additionalProperties"] is False


def test_every_compute_kind_may_be_written() -> None:
    assert set(COMPUTE_KINDS) < set(get_args(OperationKind))


def test_every_dimension_says_what_it_is() -> None:
    fields = NETWORK.json_schema()["$defs"]["OperationSection"]["properties"]
    assert all("description" in field for name, field in fields.items() if name not in ("name", "kind"))
