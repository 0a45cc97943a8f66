"""A package in words and rows."""

from __future__ import annotations

from hardware.package.loader import builtin_hardware, load_package
from hardware.package.summary import interfaces, layout_words, summarise
from tests.hardware.documents_for_tests import package_content


def test_the_layout_in_words() -> None:
    assert layout_words(load_package(builtin_hardware()["simba-3x3-het-sides"])) == "6 NVDLA, 3 Shi-diannao"
    assert layout_words(load_package(builtin_hardware()["simba-3x3-het-checkerboard"])) == "5 NVDLA, 4 Shi-diannao"
    assert layout_words(load_package(builtin_hardware()["simba-3x3-shi-diannao"])) == "9 Shi-diannao"


def test_rows_have_the_units_of_data_sheets_and_no_conversion_dust() -> None:
    rows = {row.title: (row.value, row.unit) for row in summarise(load_package(builtin_hardware()["simba-3x3-nvdla"]))}
    assert rows["Mesh"] == ("3 × 3", "")
    assert rows["Link latency"] == (35, "ns/hop")
    assert rows["Memory bandwidth"] == (64, "GB/s per interface")
    assert rows["Memory interfaces"] == ("6 (left, right)", "")
    assert rows["Processing elements"] == (4096, "per chiplet")
    assert rows["Clock"] == (500, "MHz")


def test_figures_that_differ_by_class_are_all_told() -> None:
    rows = {row.title: row.value for row in summarise(load_package(package_content()))}
    assert rows["Processing elements"] == "256 or 1024"
    assert rows["Shared buffer"] == "0.5 or 2"


def test_interfaces_are_those_at_the_named_sides() -> None:
    assert interfaces(load_package(package_content())) == (0, 3)
