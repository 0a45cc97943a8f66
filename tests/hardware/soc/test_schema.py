"""The published JSON Schema of systems on a chip."""

from __future__ import annotations

import json
from typing import get_args

from engines.workloads.schema import OperationKind as kinds_of_networks  # noqa: N813 - a type as a value
from hardware.soc.family import SOC
from hardware.soc.model import PRECISIONS
from hardware.soc.schema import OperationKind, SocDocument, UnitSection
from tests.hardware.documents_for_tests import soc_content

# Plain numbers: what they count is in their names.
COUNTS = {"count", "cores", "active_cores", "exponent", "processing_elements"}


def test_the_published_schema_is_json_and_names_every_key() -> None:
    schema = json.loads(json.dumps(SOC.json_schema()))
    assert schema["$id"] == "soc/1"
    assert set(soc_content()) | {"summary"} == set(schema["properties"])
    assert schema["properties"]["schema"]["const"] == "soc/1"
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) == {"schema", "slug", "title", "source", "sources"}


def test_every_figure_of_the_schema_has_a_unit_or_counts_something() -> None:
    for section in SOC.json_schema()["$defs"].values():
        for name, field in section["properties"].items():
            kinds = {field.get("type"), *(option.get("type") for option in field.get("anyOf", ()))}
            if kinds & {"number", "integer"}:
                assert name in COUNTS or field["unit"], name


def test_the_schema_knows_the_precisions_of_the_model() -> None:
    field = UnitSection.model_json_schema()["properties"]["operations_per_cycle"]
    assert tuple(field["propertyNames"]["enum"]) == PRECISIONS


def test_units_run_kinds_of_operations_that_networks_have() -> None:
    assert get_args(OperationKind) == get_args(kinds_of_networks)


def test_a_document_reads_into_the_model_and_back() -> None:
    content = soc_content()
    document = SocDocument.model_validate(content)
    assert document.model_dump(by_alias=True, exclude_unset=True) == content
