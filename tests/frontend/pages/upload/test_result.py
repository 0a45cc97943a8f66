"""What the upload page says of an answer, whatever shape the answer has."""

from __future__ import annotations

import json
from typing import Any

import pytest

from frontend.ids.upload import UploadIds
from frontend.pages.drafts import carried
from frontend.pages.upload.result import result
from tests.frontend.pages.upload.cases import BODY, REPORT
from tests.support.stored_runs import People


def words(status: int, body: Any) -> str:
    shown = result({"status": status, "body": body, "file": "net.onnx"})
    return json.dumps(shown.to_plotly_json(), default=lambda part: part.to_plotly_json())


def test_a_network_is_shown_with_its_counts_and_ways_on() -> None:
    text = words(201, BODY)
    for part in ("net.onnx is read", "Stored", "lab/net@3", '"2"', "Conv", "Weights lie elsewhere."):
        assert part in text
    assert '"/new?engine=scar&workload=lab/net"' in text and '"/catalogue/workload/lab/net"' in text
    assert "/api/v1/documents/workload/net/document.yaml?project=lab" in text


def test_what_no_cost_model_knows_can_be_left_out() -> None:
    text = words(200, BODY)
    assert f'"type": "{UploadIds.EXCLUDE_TYPE}", "name": "NonZero"' in text and "Read again without them" in text
    assert "Read again" not in words(200, BODY | {"report": REPORT | {"operators": REPORT["operators"][1:]}})  # type: ignore[index]


def test_sizes_that_depend_on_the_data_are_asked_for_before_anything_may_be_left_out() -> None:
    report = REPORT | {"sizes": {"batch": 2}, "open_sizes": [{"name": "places.1", "operator": "NonZero"}]}
    text = words(200, BODY | {"report": report})
    assert "batch = 2" in text and "given by NonZero" in text and "Read again with these sizes" in text
    assert text.index('"name": "places.1"') < text.index(f'"type": "{UploadIds.EXCLUDE_TYPE}"')
    assert '"name": "batch"' in text and '"value": 2' in text  # it is sent again with the others
    assert text.count(f'"{UploadIds.AGAIN}"') == 1


def test_sizes_that_do_not_fit_are_shown_with_the_reason() -> None:
    accepted, reason = "sizes that fit the file", "The exporter fixed some sizes: same reshapes 2 x 6 to 2 x 7."
    facts = {
        "accepted": accepted,
        "reason": reason,
        "remedies": [{"text": "Use the sizes of the export."}],
        "message": "m",
    }
    text = words(400, {"field": "dims", "got": {"batch": 2, "steps": 6}, **facts})
    assert accepted in text and reason in text and "Use the sizes of the export." in text
    assert '"value": 6' in text and "leaves these open" not in text


def test_a_built_in_and_hardware_have_fewer_facts() -> None:
    text = words(200, BODY | {"kind": "hardware", "schema": "chiplet-package/1", "project": None, "report": {}})
    assert '"/new?engine=scar&hardware=net"' in text and "Already there" not in text and "Layers" not in text


def test_a_refusal_is_shown_with_its_reason_and_the_ways_to_go_on() -> None:
    refusal = {"field": "file", "got": "x.gpx", "accepted": "GPX as text", "message": "m"}
    assert "How to continue" not in words(400, refusal) and "Why" not in words(400, refusal)
    text = words(400, refusal | {"reason": "It is packed.", "remedies": [{"text": "Unpack the file."}]})
    assert "It is packed." in text and "How to continue" in text and "Unpack the file." in text


def test_what_no_engine_takes_leads_to_no_exploration() -> None:
    assert "Start a run" not in words(201, BODY | {"kind": "hardware", "schema": "cake/1", "report": {}})


def test_open_dimensions_become_fields() -> None:
    text = words(400, {"field": "dims", "got": {"batch": None, "length": 128}, "accepted": "x", "message": "y"})
    assert '"name": "batch"' in text and '"name": "length"' in text and '"value": 128' in text


def test_samples_are_one_by_default_and_the_size_of_a_picture_is_asked_for() -> None:
    accepted = "given for all dimensions: batch (axis 0 of image), height (axis 2 of image)"
    got = {"batch": None, "height": None}
    text = words(400, {"field": "dims", "got": got, "accepted": accepted, "message": "y"})
    assert "axis 0 of image" in text and "axis 2 of image" in text
    assert text.count('"value": 1,') == 1 and text.count('"value": ""') == 1


def test_a_size_that_is_part_of_another_ones_name_has_its_own_place_and_may_be_0() -> None:
    accepted = "given for all dimensions: past + seq (axis 3 of mask), seq (axis 2 of q), turns (given by Loop)"
    text = words(
        400, {"field": "dims", "got": {"seq": None, "turns": None, "past": 0}, "accepted": accepted, "message": "y"}
    )
    assert "axis 2 of q" in text and "axis 3 of mask" not in text and "given by Loop" in text
    assert text.count('"min": 0') == 3 and '"value": 0,' in text


def test_a_refusal_names_line_key_value_and_what_is_accepted() -> None:
    text = words(400, {"field": "clock_mhz", "got": "fast", "accepted": "a number in MHz", "message": "m", "line": 31})
    for part in ("31", "clock_mhz", "fast", "a number in MHz", "Nothing is stored"):
        assert part in text
    other = {"field": "chiplets.N.dataflow", "got": "foo", "accepted": "one of: nvdla", "message": "m"}
    first = {"field": "clok_mhz", "got": 1, "accepted": "left out", "message": "m"}
    text = words(400, {**first, "others": [other] * 22})
    assert "chiplets.N.dataflow" in text and "clok_mhz" in text and text.count("foo") == 20 and "And 2 more." in text
    assert '"nothing"' in words(400, {"field": "package", "got": None, "accepted": "a mapping", "message": "m"})


@pytest.mark.parametrize(
    ("status", "body", "part"),
    [(0, {}, "connection was lost"), (500, {}, "status 500"), (403, {"message": "Another role"}, "Another role"),
     (413, None, "413"),
     (201, {"kind": "workload", "slug": "x", "report": None}, "is read"), (400, {"field": "dims", "got": "x"}, "is refused")],
)  # fmt: skip
def test_any_other_answer_is_told(status: int, body: Any, part: str) -> None:
    assert part in words(status, body)


def test_hardware_of_another_tool_is_shown_with_what_has_no_counterpart() -> None:
    body = {
        **BODY,
        "kind": "hardware",
        "schema": "chiplet-package/1",
        "report": {"format": "ZigZag hardware", "notes": ["left out: x"]},
    }
    text = words(201, body)
    assert "left out: x" in text and "Operators" not in text and "/catalogue/hardware/lab/net" in text


def test_the_exploration_that_the_page_was_opened_from_is_kept(people: People) -> None:
    draft = carried("engine=soc-mapping&hardware=jetson-tx2&calibration=tx2-hadas&workload=vgg16")
    shown = result({"status": 201, "body": BODY, "file": "net.onnx"}, draft)
    text = json.dumps(shown.to_plotly_json(), default=lambda part: part.to_plotly_json())
    assert "/new?engine=soc-mapping&hardware=jetson-tx2&calibration=tx2-hadas&workload=lab/net" in text
    # An engine that does not take the document gives way, with what was chosen for it.
    other = {**BODY, "kind": "hardware", "schema": "chiplet-package/1"}
    shown = result({"status": 201, "body": other, "file": "b.yaml"}, draft)
    assert '/new?engine=scar&hardware=lab/net"' in json.dumps(
        shown.to_plotly_json(), default=lambda part: part.to_plotly_json()
    )


@pytest.mark.parametrize("text", ["", "hardware=x", "&" * 500, "engine", "%%%"])
def test_what_is_no_address_of_an_exploration_is_nothing(text: str) -> None:
    assert carried(text) == {}


def test_figures_that_a_file_leaves_open_have_no_default() -> None:
    body = {"field": "dims", "got": {"clock_mhz": None}, "accepted": "given", "message": "m"}
    text = words(400, body)
    assert "leaves values open" in text and '"value": ""' in text


def test_a_table_is_shown_column_by_column() -> None:
    report = {
        "format": "CSV",
        "columns": ["time: dates and times", "rate: MB/s, read as 8 Mbit/s"],
        "notes": ["1 gap found."],
    }
    body = {
        "kind": "data",
        "slug": "rates",
        "version": 1,
        "title": "Rates",
        "summary": "",
        "created": True,
        "report": report,
    }
    said = words(201, body)
    assert "read as 8 Mbit/s" in said and "dates and times" in said and "1 gap found." in said
