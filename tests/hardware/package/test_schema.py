"""The published JSON Schema."""

from __future__ import annotations

import json

from hardware.package.family import PACKAGE
from hardware.package.model import DATAFLOWS
from hardware.package.schema import ChipletSection, PackageDocument
from tests.hardware.documents_for_tests import package_content


def test_the_published_schema_is_json_and_names_every_key() -> None:
    schema = json.loads(json.dumps(PACKAGE.json_schema()))
    assert schema["$id"] == "chiplet-package/1"
    assert set(package_content()) <= set(schema["properties"])
    assert schema["properties"]["schema"]["const"] == "chiplet-package/1"
    assert schema["additionalProperties"] is False
    # A summary is the only thing that may be left out.
    assert set(schema["properties"]) - set(schema["required"]) == {"summary"}


def test_every_figure_of_the_schema_has_a_unit_or_counts_something() -> None:
    definitions = PACKAGE.json_schema()["$defs"]
    counts = {"rows", "columns", "processing_elements"}
    for section in definitions.values():
        for name, field in section["properties"].items():
            if field.get("type") in ("number", "integer"):
                assert name in counts or field["unit"], name


def test_the_schema_knows_the_dataflows_of_the_package() -> None:
    assert tuple(ChipletSection.model_json_schema()["properties"]["dataflow"]["enum"]) == DATAFLOWS


def test_a_document_reads_into_the_model_and_back() -> None:
    content = package_content()
    document = PackageDocument.model_validate(content)
    assert document.model_dump(by_alias=True, exclude={"summary"}, exclude_none=True) == content
