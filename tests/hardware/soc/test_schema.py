"""The published JSON Schema of systems on a chip."""

from __future__ import annotations

import json
import re
from typing import get_args

from engines.workloads.schema import OperationKind as kinds_of_networks  # noqa: N813 - a type as a value
from hardware.soc.family import SOC
from hardware.soc.model import PRECISIONS
from hardware.soc.schema import FORMATS, OperationKind, SocDocument, UnitSection, is_precision
from tests.hardware.documents_for_tests import soc_content

# Plain numbers: what they count is in their names.
COUNTS = {"count", "cores", "active_cores", "exponent", "processing_elements"}
# What boards have besides the small one of these tests.
OF_BOARDS = {"summary", "aliases", "vendor", "year", "price_usd", "power_range_w", "not_published", "confidence"}


def test_the_published_schema_is_json_and_names_every_key() -> None:
    schema = json.loads(json.dumps(SOC.json_schema()))
    assert schema["$id"] == "soc/1"
    assert set(soc_content()) | OF_BOARDS == set(schema["properties"])
    assert schema["properties"]["schema"]["const"] == "soc/1"
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) == {"schema", "slug", "title", "source", "sources"}


def test_every_figure_of_the_schema_has_a_unit_or_counts_something() -> None:
    for section in SOC.json_schema()["$defs"].values():
        for name, field in section["properties"].items():
            kinds = {field.get("type"), *(option.get("type") for option in field.get("anyOf", ()))}
            if kinds & {"number", "integer"}:
                assert name in COUNTS or field["unit"], name


def test_the_published_pattern_of_precisions_accepts_what_the_check_accepts() -> None:
    field = UnitSection.model_json_schema()["properties"]["operations_per_cycle"]
    assert field["additionalProperties"] is False
    pattern = re.compile(next(iter(field["patternProperties"])))
    widths = (
        *FORMATS,
        *PRECISIONS,
        "w4a16",
        "w8a8",
        "w1.58a8",
        "w3a4",
        "int3",
        "w4",
        "w4a7",
        "tops",
        "INT8",
        "fp64",
        "nvfp4",
    )
    for name in widths:
        assert (pattern.search(name) is not None) == is_precision(name), name
    assert all(map(is_precision, widths[:-7])) and not any(map(is_precision, widths[-7:]))


def test_units_run_kinds_of_operations_that_networks_have() -> None:
    assert get_args(OperationKind) == get_args(kinds_of_networks)


def test_a_document_reads_into_the_model_and_back() -> None:
    content = soc_content()
    document = SocDocument.model_validate(content)
    assert document.model_dump(by_alias=True, exclude_unset=True) == content
