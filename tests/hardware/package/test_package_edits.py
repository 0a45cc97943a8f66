"""Package documents changed chiplet by chiplet."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.package.loader import builtin_hardware, load_package
from hardware.package.package_edits import Cells, cells_of, classes_of, edited, resized, with_figure
from tests.hardware.documents_for_tests import package_content

NOTE = "assumed; chosen by ada"


def base() -> dict[str, Any]:
    return dict(builtin_hardware()["simba-3x3-het-sides"])


def change(content: dict[str, Any], cells: Cells, **changes: Any) -> dict[str, Any]:
    named = {key.replace("__", "."): value for key, value in changes.items()}
    return edited(content, cells, named, NOTE)


@pytest.mark.parametrize("slug", builtin_hardware())
def test_nothing_changed_gives_the_same_document(slug: str) -> None:
    content = dict(builtin_hardware()[slug])
    assert change(content, cells_of(content)) == content


def test_lists_of_names_are_rows_too() -> None:
    content = package_content()
    assert classes_of(content, cells_of(content)) == (("A", "B", "A"), ("B", "A", "B"))
    assert change(content, cells_of(content)) == content


def test_one_chiplet_gets_a_class_of_its_own() -> None:
    content = base()
    new = change(content, with_figure(cells_of(content), [4], "processing_elements", 1024))
    assert new["package"]["layout"] == ["N S N", "N A N", "N S N"]
    assert new["chiplets"]["A"] == {**content["chiplets"]["S"], "processing_elements": 1024}
    package = load_package(new)
    assert [chiplet.processing_elements for chiplet in package.chiplets] == [4096] * 4 + [1024] + [4096] * 4
    assert package.sources["chiplets.A.processing_elements"] == NOTE
    assert package.sources["package.layout"] == NOTE
    before = load_package(content).sources
    assert package.sources["chiplets.A.buffer_mib"] == before["chiplets.S.buffer_mib"]
    assert package.sources["chiplets.N.processing_elements"] == before["chiplets.N.processing_elements"]


def test_a_chiplet_that_becomes_like_another_class_joins_it() -> None:
    content = base()
    new = change(content, with_figure(cells_of(content), [1], "dataflow", "nvdla"))
    assert new["package"]["layout"] == ["N N N", "N S N", "N S N"]
    assert new["chiplets"] == content["chiplets"]


def test_a_class_that_changes_as_a_whole_keeps_its_name() -> None:
    content = base()
    new = change(content, with_figure(cells_of(content), [1, 4, 7], "buffer_mib", 4))
    assert new["package"]["layout"] == content["package"]["layout"]
    assert new["chiplets"]["S"]["buffer_mib"] == 4 and set(new["chiplets"]) == {"N", "S"}
    sources = load_package(new).sources
    assert sources["chiplets.S.buffer_mib"] == NOTE
    assert sources["package.layout"] != NOTE and sources["chiplets.N.buffer_mib"] != NOTE


def test_other_values_get_the_source_of_the_change() -> None:
    content = base()
    new = change(content, cells_of(content), clock_mhz=700, network_on_package__bandwidth_gb_per_s=50, title="Mine")
    sources = load_package(new).sources
    changed = {key for key, source in sources.items() if source == NOTE}
    assert changed == {"clock_mhz", "network_on_package.bandwidth_gb_per_s"}
    assert (new["title"], content["clock_mhz"]) == ("Mine", 500)


def test_a_capacity_of_the_memory_may_be_given_and_left_out_again() -> None:
    content = base()
    given = change(content, cells_of(content), off_chip_memory__capacity_gib=2)
    assert (
        given["sources"]["off_chip_memory.capacity_gib"] == NOTE
        and load_package(given).memory.capacity_bytes == 2 * 2**30
    )
    without = change(given, cells_of(given), off_chip_memory__capacity_gib=None)
    assert without == content and load_package(without).memory.capacity_bytes is None


def test_the_mesh_is_cut_and_continued() -> None:
    content = base()
    small = change(content, resized(cells_of(content), 2, 1))
    assert small["package"] == {"rows": 2, "columns": 1, "layout": ["N", "N"]}
    large = load_package(change(content, resized(cells_of(content), 4, 5)))
    assert (large.rows, large.columns) == (4, 5)
    assert [chiplet.dataflow for chiplet in large.chiplets[:5]] == ["nvdla", "shi-diannao", "nvdla", "nvdla", "nvdla"]


def test_typed_words_stay_for_validation_to_name() -> None:
    content = base()
    new = change(content, with_figure(cells_of(content), [0], "buffer_mib", "ten"))
    assert new["chiplets"]["A"]["buffer_mib"] == "ten"


def test_sources_of_a_class_follow_the_chiplets_made_from_it() -> None:
    content = package_content(sources__chiplets=None)
    content["sources"] |= {"chiplets.A": "sheet A", "chiplets.B": "sheet B"}
    sources = load_package(change(content, with_figure(cells_of(content), [1], "buffer_mib", 9))).sources
    assert (sources["chiplets.C.buffer_mib"], sources["chiplets.C.dataflow"]) == (NOTE, "sheet B")


@given(
    st.lists(st.tuples(st.integers(0, 8), st.sampled_from([("buffer_mib", 4), ("dataflow", "nvdla")])), max_size=12),
    st.integers(1, 5),
    st.integers(1, 5),
)
def test_any_changes_give_a_document_that_loads_with_just_those_chiplets(
    changes: list[tuple[int, tuple[str, Any]]], rows: int, columns: int
) -> None:
    content = base()
    cells = cells_of(content)
    for index, (name, value) in changes:
        cells = with_figure(cells, [index], name, value)
    cells = resized(cells, rows, columns)
    package = load_package(edited(content, cells, {}, NOTE))
    wanted = [(cell.figures["dataflow"], cell.figures["buffer_mib"]) for row in cells for cell in row]
    assert [(chiplet.dataflow, chiplet.buffer_bytes / 2**20) for chiplet in package.chiplets] == wanted
