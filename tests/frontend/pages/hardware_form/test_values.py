"""The form with a field per figure, of every kind of hardware but packages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engines.documents import families
from engines.documents.builtin import builtin_documents
from frontend.pages.hardware_form.data import NAMES, SOURCE
from frontend.pages.hardware_form.values import built_values, value_groups, value_lines
from tests.support.sampling import covering

OTHERS = {
    slug: document.content for slug, document in builtin_documents("hardware").items() if not slug.startswith("simba")
}
COVERING = covering(OTHERS)


def typed(content: Mapping[str, Any], **changed: str) -> dict[str, str]:
    """Every field as the page opens with it, and what was typed into some."""
    raw = {name: words for group in value_groups(content) for name, words in group.values.items()}
    raw |= {name: str(content.get(name, "")) for name in NAMES}
    return raw | {SOURCE: "measured by ada"} | {name.replace("__", ":"): value for name, value in changed.items()}


@pytest.mark.parametrize("slug", COVERING)
def test_a_form_that_nobody_touched_gives_the_document_itself(slug: str) -> None:
    assert built_values(OTHERS[slug], typed(OTHERS[slug])) == (OTHERS[slug], [])


def test_what_is_typed_is_in_the_document_with_its_source() -> None:
    content, mistakes = built_values(
        OTHERS["jetson-tx2"], typed(OTHERS["jetson-tx2"], units__gpu__frequencies_mhz="100, 1310.5", slug="mine")
    )
    assert mistakes == []
    board = families.load(content, "hardware")
    assert (board.slug, board.units["gpu"].frequencies_hz) == ("mine", (100e6, 1310.5e6))
    assert board.sources["units.gpu.frequencies_mhz"] == "measured by ada"


@pytest.mark.parametrize(
    ("slug", "name", "value", "words"),
    [
        ("lte-smartphone", "transfer_power:base_mw", "much", "Must be a number. Got much instead"),
        ("jetson-tx2", "units:gpu:frequencies_mhz", "200, 100", "Must be above 200"),
        ("jetson-tx2", "power_modes:maxq:units:gpu:highest_frequency_mhz", "3000", "Must be from 114.75 to 1300.5 MHz"),
        (
            "jetson-agx-orin",
            "units:gpu:peak_tera_operations_per_s:int8",
            "170",
            "Twice the dense peak is the figure with 2:4 sparsity. Must be at most 85.23, twice the rate in fp16",
        ),
        (
            "jetson-agx-orin",
            "memory:bandwidth_gb_per_s",
            "1638.4",
            "1638.4 Gb/s are 204.8 GB/s. Must be about 204.8 GB/s",
        ),
        ("fitness-tracker", "measured:rate_hz", "7", "Must be one of high_power_sensor.rates_hz"),
        ("fitness-tracker-battery", "slug", "My cell", "Must be small letters"),
    ],
)
def test_a_mistake_stands_beside_its_field(slug: str, name: str, value: str, words: str) -> None:
    content = OTHERS[slug]
    raw = typed(content) | {name: value}
    _, mistakes = built_values(content, raw)
    lines = value_lines(content, list(raw), mistakes)
    assert [field for field, (_, wrong) in lines.items() if wrong] == [name]
    assert lines[name][0].startswith(words)


def test_where_all_figures_of_a_part_are_from_stands_once() -> None:
    content, name = OTHERS["lte-smartphone"], "typical_throughput:uplink_mbps"
    group = next(group for group in value_groups(content) if name in group.values)
    assert group.source == "Huang et al., MobiSys 2012, abstract: medians"
    assert value_lines(content, [name], [])[name] == ("", False)


def test_a_change_without_a_source_is_a_mistake() -> None:
    content = OTHERS["lte-smartphone"]
    assert [each.key for each in built_values(content, typed(content) | {SOURCE: ""})[1]] == [SOURCE]


@pytest.mark.parametrize("slug", COVERING)
def test_a_source_that_figures_share_is_told_once_and_another_one_at_its_field(slug: str) -> None:
    sources = families.load(OTHERS[slug], "hardware").sources
    for group in value_groups(OTHERS[slug]):
        for spec in group.fields:
            own = sources.get(spec.name.replace(":", "."))
            number = int(spec.help.removeprefix("Source ")) if spec.help else 0
            assert own is None or (group.sources[number - 1] if number else group.source) == own
        assert len({group.source, *group.sources}) == 1 + len(group.sources)


def test_every_unit_is_a_part_of_its_own() -> None:
    groups = [group for group in value_groups(OTHERS["jetson-agx-xavier"]) if group.unit]
    assert [group.title for group in groups] == ["Unit cpu", "Unit gpu", "Unit dla"]
    assert [spec.title for spec in groups[0].fields][:2] == ["Kind", "Cores"]
