"""Imports of measured values: what stands beside predictions, and what is refused without anything stored."""

from __future__ import annotations

from typing import Any

import pytest

from engines.contract.errors import ProblemError
from engines.cost.measured_files.reader import read_values
from tests.engines.cost.measured_files import files_for_tests as files
from tests.support.stored_runs import People
from webapp.measuring import value_imports
from webapp.measuring.models import ImportedValue, ValueImport
from webapp.measuring.value_imports import (
    ValueFile,
    ValuePreview,
    delete_import,
    import_values,
    imported_values,
    preview_values,
)
from webapp.teams.permissions import NotAllowed

HEAD = "device,network,unit,precision,batch,latency_ms\n"
ROW = "rk3588,resnet50,npu,int8,1,20\n"
XAVIER = "Jetson AGX Xavier,ResNet-50,gpu,int8,1,4\n"


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read files in this process: `tests/engines/running` tests the limited one."""
    monkeypatch.setattr(
        value_imports, "read_in_child", lambda reader, data, name, options: read_values(data, name, options)
    )


def table(*rows: str, **facts: Any) -> ValueFile:
    given: dict[str, Any] = {"source": "Our lab, 2026", "licence": "CC-BY-4.0"}
    return ValueFile("values.csv", (HEAD + "".join(rows)).encode(), **given | facts)


def preview(people: People, file: ValueFile) -> ValuePreview:
    return preview_values(people.editor, people.project, file)


def test_values_are_stored_with_names_of_the_catalogue_and_members_see_them(people: People) -> None:
    stored = import_values(people.editor, people.project, table(ROW, XAVIER))
    assert (stored.source, stored.licence, stored.format) == ("Our lab, 2026", "CC-BY-4.0", "Table")
    found = imported_values(people.viewer, "jetson-agx-xavier")
    assert [(each.network, each.value, each.precision, each.bounded) for each in found] == [
        ("resnet50", 4e-3, "int8", True)
    ]
    assert imported_values(people.stranger, "rk3588") == []
    delete_import(people.editor, stored)
    assert not ImportedValue.objects.exists()


def test_a_log_gets_device_network_and_precision_from_the_person(people: People) -> None:
    stated = {"device": "hailo-8", "network": "resnet50", "precision": "int8", "runtime_version": "4.20"}
    found = preview(people, ValueFile("h.txt", files.HAILO.encode(), stated=stated))
    assert [(each.metric, each.device, each.network, each.unit) for each in found.values] == [
        (metric, "hailo-8", "resnet50", "npu") for metric in ("throughput", "latency", "energy")
    ]
    results = ValueFile("results.txt", files.MLPERF_TINY.encode(), stated={"precision": "int8"})
    reasons = {each.reason for each in preview(people, results).refused}
    assert reasons == {"The file names no device. State it for the whole file."}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (ROW.replace("rk3588", "rk3589"), "The catalogue has no device rk3589. The nearest is rk3588."),
        (ROW.replace("resnet50", "nobodynet"), "no network nobodynet"),
        (ROW.replace(",20", ",0.02"), "shorter than"),
        (ROW.replace(",1,20", ",8,2"), "shorter than"),
        (ROW.replace("int8", ""), "does not state the precision"),
        (ROW.replace("rk3588", ""), "names no device"),
        (ROW.replace("npu", "n" * 90), "at most 80 characters"),
    ],
)
def test_a_value_that_cannot_stand_there_is_refused_and_the_file_with_it(people: People, row: str, words: str) -> None:
    found = preview(people, table(XAVIER, row))
    assert len(found.values) == 1
    assert words in found.refused[0].reason
    with pytest.raises(ProblemError, match="row 2"):
        import_values(people.editor, people.project, table(XAVIER, row))
    assert not ValueImport.objects.exists() and not ImportedValue.objects.exists()
    import_values(people.editor, people.project, table(XAVIER, row), leave_out=True)
    assert ImportedValue.objects.count() == 1


def test_duplicates_are_refused_in_a_file_in_the_project_and_of_public_values(people: People) -> None:
    again = preview(people, table(ROW, ROW, ROW.replace(",20", ",21")))
    assert [each.reason.partition(" for")[0] for each in again.refused] == [
        "row 1 has the same value",
        "row 1 has another value",
    ]
    import_values(people.editor, people.project, table(ROW))
    with pytest.raises(ProblemError, match=r"values\.csv, imported on .* has the same value"):
        import_values(people.editor, people.project, table(ROW))
    public = value_imports.measured_rows("rk3588")[0]
    row = f"rk3588,{public.network},npu,{public.precision},1,{public.value}\n"
    shipped = ValueFile("v.csv", (HEAD.replace("latency_ms", "throughput_fps") + row).encode())
    assert "comes with the product" in preview(people, shipped).refused[0].reason


def test_several_licences_or_none_are_refused_at_once(people: People) -> None:
    head, rows = HEAD.replace("device", "licence,device"), f"MIT,{ROW}Apache-2.0,{XAVIER}"
    mixed = ValueFile("v.csv", (head + rows).encode(), source="Lab")
    with pytest.raises(ProblemError, match=r"MIT \(1 value\), Apache-2.0 \(1 value\)"):
        import_values(people.editor, people.project, mixed)
    one = ValueFile("v.csv", (head + rows.replace("Apache-2.0", "MIT")).encode(), source="Lab")
    with pytest.raises(ProblemError, match="licence"):
        import_values(people.editor, people.project, ValueFile(one.name, one.data, source="Lab", licence="CC0"))
    assert import_values(people.editor, people.project, one).licence == "MIT"
    for lacking in ({"licence": ""}, {"source": " "}):
        with pytest.raises(ProblemError, match=next(iter(lacking))):
            import_values(people.editor, people.project, table(ROW, **lacking))
    assert ValueImport.objects.count() == 1


def test_viewers_import_nothing(people: People) -> None:
    with pytest.raises(NotAllowed):
        import_values(people.viewer, people.project, table(ROW))
