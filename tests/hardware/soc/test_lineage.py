"""Which devices a document was copied from."""

from __future__ import annotations

import pytest

from hardware.soc.lineage import with_lineage
from hardware.soc.loader import builtin_socs, load_soc
from hardware.soc.schema import MAX_LINEAGE
from tests.hardware.documents_for_tests import soc_content


def test_a_device_stands_first_in_its_own_lineage() -> None:
    first = with_lineage(soc_content(lineage=None))
    assert first["lineage"] == ["small-board"]
    assert with_lineage(first) == first
    renamed = with_lineage({**first, "slug": "renamed"})
    assert renamed["lineage"] == ["renamed", "small-board"]
    assert with_lineage({**renamed, "slug": "again"})["lineage"] == ["again", "renamed", "small-board"]
    assert load_soc(renamed).names == ("renamed", "small-board")


@pytest.mark.parametrize("wrong", ["board", {"a": 1}, 3])
def test_what_is_no_list_is_left_to_validation(wrong: object) -> None:
    assert with_lineage({**soc_content(), "lineage": wrong})["lineage"] == wrong


def test_a_long_lineage_keeps_the_nearest_and_the_first() -> None:
    content = soc_content(lineage=[f"device-{number}" for number in range(MAX_LINEAGE)])
    kept = with_lineage(content)["lineage"]
    assert len(kept) == MAX_LINEAGE
    assert kept[0] == "small-board" and kept[1] == "device-0" and kept[-1] == f"device-{MAX_LINEAGE - 1}"


def test_every_built_in_device_names_itself() -> None:
    for slug, content in builtin_socs().items():
        assert content["lineage"] == [slug]
