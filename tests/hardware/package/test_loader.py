"""Packages read from documents, and what is said about documents that do not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given

from hardware.errors import HardwareError
from hardware.package.loader import (
    builtin_hardware,
    check_package,
    load_package,
    load_package_file,
    parse_package,
    resolve_includes,
)
from tests.hardware.documents_for_tests import package_content
from tests.support.mutations import mutated

PATTERNS = {
    "3x3-nvdla": "nnn nnn nnn",
    "3x3-shi-diannao": "sss sss sss",
    "3x3-het-checkerboard": "nsn sns nsn",
    "3x3-het-sides": "nsn nsn nsn",
    "3x3-het-sides-left-right": "nns nns nns",
    "3x3-het-cross": "sns nnn sns",
    "6x6-nvdla": 6 * "nnnnnn ",
    "6x6-shi-diannao": 6 * "ssssss ",
    "6x6-het-checkerboard": 3 * "nsnsns snsnsn ",
    "6x6-het-sides": 6 * "nnssnn ",
    "6x6-het-sides-left-right": 6 * "nnnsss ",
    "6x6-het-cross": 2 * "ssnnss " + 2 * "nnnnnn " + 2 * "ssnnss ",
}


def test_units_are_converted_once() -> None:
    package = load_package(package_content())
    assert (package.rows, package.columns, len(package.chiplets)) == (2, 3, 6)
    assert package.network.bandwidth_bytes_per_s == 100e9
    assert package.network.hop_latency_s == pytest.approx(35e-9)
    assert package.network.energy_pj_per_bit_per_hop == 2.04
    assert package.memory.bandwidth_bytes_per_s == 64e9
    assert package.memory.latency_s == pytest.approx(200e-9)
    assert package.memory.sides == ("left",)
    assert package.clock_hz == 500e6
    first, last = package.chiplets[0], package.chiplets[-1]
    assert (first.dataflow, first.processing_elements, first.buffer_bytes) == ("nvdla", 256, 512 * 1024)
    assert (last.row, last.column, last.dataflow, last.noc_bandwidth_elements_per_cycle) == (1, 2, "shi-diannao", 128)


@pytest.mark.parametrize("rows", [["ABA", "BAB"], ["A B A", "B A B"], [["A", "B", "A"], ["B", "A", "B"]]])
def test_a_layout_may_be_letters_words_or_lists(rows: list[Any]) -> None:
    package = load_package(package_content(package__layout=rows))
    assert [c.dataflow[0] for c in package.chiplets] == list("nsnsns")


def test_a_layout_may_name_classes_in_whole_words() -> None:
    content = package_content(package__layout=["big", "big"], package__columns=1)
    content["chiplets"] = {"big": content["chiplets"]["A"]}
    assert len(load_package(content).chiplets) == 2


@pytest.mark.parametrize(
    ("changes", "key", "got", "accepted"),
    [
        ({"package__rows": 0}, "package.rows", 0, "at least 1"),
        ({"package__columns": 17}, "package.columns", 17, "at most 16"),
        ({"package__rows": "2"}, "package.rows", "2", "whole number"),
        ({"package__rows": True}, "package.rows", True, "whole number"),
        ({"package__rows": 3}, "package.layout", "2 rows", "3 rows"),
        ({"package__layout": ["A B A", "B A"]}, "package.layout.1", "2 chiplets ('B A')", "3 chiplets"),
        ({"package__layout": ["A B A", "B C B"]}, "package.layout.1", "C", "A, B"),
        ({"package__layout": ["A B A", 5]}, "package.layout.1", 5, "One line per row"),
        ({"chiplets__A__dataflow": "eyeriss"}, "chiplets.A.dataflow", "eyeriss", "one of: nvdla, shi-diannao"),
        ({"chiplets__A__processing_elements": 256.5}, "chiplets.A.processing_elements", 256.5, "whole number"),
        ({"chiplets__B__buffer_mib": 0}, "chiplets.B.buffer_mib", 0, "greater than 0"),
        ({"chiplets__A__buffer_mib": float("nan")}, "chiplets.A.buffer_mib", None, "finite"),
        ({"chiplets": {}}, "chiplets", {}, "not empty"),
        ({"off_chip_memory__interface_sides": []}, "off_chip_memory.interface_sides", [], "not empty"),
        (
            {"off_chip_memory__interface_sides": ["west"]},
            "off_chip_memory.interface_sides.0",
            "west",
            "left, right, top",
        ),
        (
            {"off_chip_memory__interface_sides": ["top", "top"]},
            "off_chip_memory.interface_sides",
            ["top", "top"],
            "repet",
        ),
        ({"clock_mhz": "5e2"}, "clock_mhz", "5e2", "write a dot and a sign"),
        ({"clock_mhz": -5}, "clock_mhz", -5, "greater than 0"),
        ({"network_on_package__hop_latency_ns": -1}, "network_on_package.hop_latency_ns", -1, "at least 0"),
        ({"word_bytes": None}, "word_bytes", None, "whole number in B"),
        ({"arithmetic": None}, "arithmetic", None, "mapping"),
        ({"package__raws": 2}, "package.raws", 2, "did you mean rows?"),
        ({"slug": "Two by three"}, "slug", "Two by three", "small letters"),
        ({"schema": "chiplet-package/9"}, "schema", "chiplet-package/9", "chiplet-package/1"),
        ({"schema": None}, "schema", None, "chiplet-package/1"),
        ({"sources__arithmetic": None}, "sources.arithmetic.mac_energy_pj", None, "here or for a key around it"),
        ({"sources__clock": "me"}, "sources.clock", "me", "a key that the document has"),
    ],
)
def test_it_names_key_value_got_and_values_accepted(changes: dict[str, Any], key: str, got: Any, accepted: str) -> None:
    with pytest.raises(HardwareError) as caught:
        load_package(package_content(**changes), "mine.yaml")
    error = caught.value
    assert (error.file, error.key) == ("mine.yaml", key)
    assert error.got == got or error.got != error.got  # NaN
    assert accepted in error.accepted
    assert key in str(error) and "mine.yaml" in str(error)


def test_a_typing_mistake_is_told_before_the_key_that_is_missing_for_it() -> None:
    content = package_content(clock_mhz=None)
    content["clok_mhz"] = 500
    with pytest.raises(HardwareError, match="did you mean clock_mhz"):
        load_package(content)


def test_all_mistakes_can_be_told_at_once() -> None:
    errors = check_package(package_content(clock_mhz=-1, package__rows=99, slug="NO"))
    assert {error.key for error in errors} == {"clock_mhz", "package.rows", "slug"}
    assert [error.key for error in check_package(package_content(package__rows=3))] == ["package.layout"]
    assert check_package(package_content()) == ()


def test_errors_of_a_text_have_the_line() -> None:
    text = yaml.safe_dump(package_content(chiplets__B__dataflow="eyeriss"), sort_keys=False)
    with pytest.raises(HardwareError) as caught:
        parse_package(text, "mine.yaml")
    line = caught.value.line
    assert line is not None
    assert text.splitlines()[line - 1].strip() == "dataflow: eyeriss"
    assert f"mine.yaml, line {line}" in str(caught.value)


def test_a_text_that_is_no_yaml_is_a_hardware_error() -> None:
    with pytest.raises(HardwareError, match="valid YAML") as caught:
        parse_package("a: [", "mine.yaml")
    assert caught.value.key == "document"


def test_a_file_reads_like_its_content(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(package_content()), encoding="utf-8")
    assert load_package_file(path) == load_package(package_content())


def test_a_file_may_include_another_and_change_it(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(yaml.safe_dump(package_content()), encoding="utf-8")
    path = tmp_path / "mine.yaml"
    path.write_text("include: base.yaml\nslug: faster\nclock_mhz: 800\n", encoding="utf-8")
    package = load_package_file(path)
    assert (package.slug, package.clock_hz, package.columns) == ("faster", 800e6, 3)


@pytest.mark.parametrize("name", ["missing.yaml", "../outside.yaml"])
def test_an_include_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "outside.yaml").write_text(yaml.safe_dump(package_content()), encoding="utf-8")
    folder = tmp_path / "inside"
    folder.mkdir()
    path = folder / "mine.yaml"
    path.write_text(f"include: {name}\n", encoding="utf-8")
    with pytest.raises(HardwareError) as caught:
        load_package_file(path)
    assert (caught.value.key, caught.value.got) == ("include", name)


def test_every_pattern_comes_in_both_sizes_and_says_everything_itself() -> None:
    templates = builtin_hardware()
    assert set(templates) == {f"simba-{name}{suffix}" for name in PATTERNS for suffix in ("", "-256")}
    assert all({"include", "packages", "sizes"}.isdisjoint(content) for content in templates.values())
    assert len({content["title"] for content in templates.values()}) == len(templates)


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize(("suffix", "elements"), [("", 4096), ("-256", 256)])
def test_a_template_has_its_pattern_and_the_published_figures(name: str, suffix: str, elements: int) -> None:
    package = load_package(builtin_hardware()[f"simba-{name}{suffix}"])
    letters = [chiplet.dataflow[0] for chiplet in package.chiplets]
    assert letters == list(PATTERNS[name].replace(" ", ""))
    assert (package.rows, package.columns) == (int(name[0]), int(name[2]))
    assert {chiplet.processing_elements for chiplet in package.chiplets} == {elements}
    assert {chiplet.buffer_bytes for chiplet in package.chiplets} == {10 * 2**20}
    # odema-2024 Table 4.1, section 4.5.1 and (clock) Figure 4.10
    assert package.network.bandwidth_bytes_per_s == 100e9
    assert package.network.energy_pj_per_bit_per_hop == 2.04
    assert package.memory.bandwidth_bytes_per_s == 64e9
    assert package.memory.energy_pj_per_bit == 14.8
    assert package.clock_hz == 500e6
    # Definition 4.3: chiplets on the left and the right side
    row = [True, *[False] * (package.columns - 2), True]
    assert [package.has_interface(chiplet.index) for chiplet in package.chiplets] == row * package.rows


def test_every_figure_of_a_template_has_a_source_and_sizes_have_their_own() -> None:
    large = load_package(builtin_hardware()["simba-3x3-het-sides"])
    small = load_package(builtin_hardware()["simba-3x3-het-sides-256"])
    wide = load_package(builtin_hardware()["simba-6x6-het-sides"])
    assert set(large.sources) == set(small.sources) == set(wide.sources)
    assert "4096" in large.sources["chiplets.N.processing_elements"]
    assert "256" in small.sources["chiplets.N.processing_elements"]
    assert "3x3" in large.sources["package.rows"] and "6x6" in wide.sources["package.rows"]
    assert "Figure 4.10" in large.sources["clock_mhz"]
    assert "assumed" in large.sources["chiplets.N.noc_bandwidth_elements_per_cycle"]


def test_includes_are_resolved_without_changing_the_content() -> None:
    content = {"slug": "a"}
    assert resolve_includes(content, Path("a.yaml")) == {"slug": "a"}


@given(mutated(package_content()))
def test_whatever_is_wrong_the_error_says_so(content: dict[str, Any]) -> None:
    wrong = check_package(content)
    if not wrong:
        assert load_package(content).chiplets
        return
    assert all(error.key and error.accepted for error in wrong)
    with pytest.raises(HardwareError):
        load_package(content)
