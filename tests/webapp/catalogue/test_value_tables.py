"""Values of hardware as CSV."""

from __future__ import annotations

import csv
import io

from hardware.soc.board_documents import boards
from tests.support.stored_runs import People
from webapp.catalogue.service import get_entry
from webapp.catalogue.value_tables import HEADS, values_csv


def rows_of(people: People, slug: str) -> dict[str, dict[str, str]]:
    text = values_csv(get_entry(people.owner, "hardware", slug))
    lines = list(csv.DictReader(io.StringIO(text)))
    assert tuple(lines[0]) == HEADS
    return {line["key"]: line for line in lines}


def test_every_value_has_unit_confidence_and_source_and_the_others_are_not_published(people: People) -> None:
    rows, row = rows_of(people, "rk3588"), boards()["rk3588"][3]
    peak = rows["units.npu.peak_tera_operations_per_s.int8"]
    assert (peak["value"], peak["unit"], peak["confidence"]) == (row["peak_tops_int8"], "TOP/s", "read")
    assert row["source"] in peak["source"]
    assert rows["units.gpu.frequencies_mhz"]["value"] == "300/400/500/600/700/800/900/1000"
    assert rows["units.gpu.on_chip_memory_kib"]["value"] == "not published"
    assert rows["year"]["value"] == "2022"


def test_a_document_of_another_kind_has_its_values_too(people: People) -> None:
    assert rows_of(people, "simba-3x3-nvdla")["chiplets.N.processing_elements"]["value"] == "4096"
