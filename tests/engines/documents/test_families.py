"""Schemas of documents: which there are, and what is said about others."""

from __future__ import annotations

import json
import pickle
from random import Random
from typing import Any

import pytest

from engines.contract.encoding.document_text import read_yaml, to_yaml
from engines.contract.errors import ProblemError
from engines.documents.builtin import builtin_documents
from engines.documents.families import (
    SUMMARY_LENGTH,
    example,
    families,
    family_of,
    load,
    published,
    stored,
    summary_of,
    upgraded,
)
from hardware.family import DocumentFamily
from tests.support.mutations import mutations
from webapp.api.errors import refusal_of


@pytest.mark.parametrize("family", families(), ids=lambda family: str(family.name))
def test_a_schema_is_found_by_its_family_whatever_its_number(family: DocumentFamily[Any]) -> None:
    assert family_of({"schema": f"{family.name}/9"}) is family is family_of({"schema": family.schema}, family.kind)
    assert all(content["schema"] == family.schema for content in family.builtins().values())


@pytest.mark.parametrize("schema", [None, 7, "", "chiplet/1", "network/1"])
def test_another_schema_is_answered_with_those_of_the_kind(schema: Any) -> None:
    with pytest.raises(ProblemError) as caught:
        family_of({"schema": schema}, "hardware")
    assert caught.value.field == "schema" and caught.value.got == schema
    assert '"radio/1"' in caught.value.accepted and "network" not in caught.value.accepted


def test_content_of_an_unknown_family_is_left_alone() -> None:
    content = {"schema": "of another product/3", "a": 1}
    assert upgraded(content) is content and upgraded({}) == {} == stored({})


def test_only_devices_keep_what_they_were_copied_from() -> None:
    for family in families():
        content = next(iter(family.builtins().values()), None)
        assert content is None or ("lineage" in stored(content)) == (family.name == "soc")


@pytest.mark.parametrize("kind", ["hardware", "environment", "calibration", "data"])
def test_every_kind_has_a_summary_that_fits_a_list(kind: Any) -> None:
    document = next(iter(builtin_documents(kind).values()))
    assert 0 < len(summary_of(document.content)) <= SUMMARY_LENGTH


def wrong_in_three_places(kind: Any, slug: str) -> dict[str, Any]:
    content = json.loads(json.dumps(dict(builtin_documents(kind)[slug].content)))
    content["title"] = 7
    del content["source"]
    return {**content, "colour": "red"}


@pytest.mark.parametrize(
    ("kind", "slug"),
    [("hardware", "simba-3x3-nvdla"), ("hardware", "jetson-agx-xavier"), ("hardware", "fitness-tracker"),
     ("workload", "magnas-vig-s-gin"), ("calibration", "xavier-magnas"), ("data", "synthetic-routes")],
)  # fmt: skip
def test_everything_that_is_wrong_is_told_at_once(kind: Any, slug: str) -> None:
    with pytest.raises(ProblemError) as caught:
        load(wrong_in_three_places(kind, slug))
    fields = [caught.value.field, *(field for field, _, _ in caught.value.others)]
    assert sorted(fields) == ["colour", "source", "title"]
    words = str(caught.value)
    assert all(f"{field} " in words or f"{field}:" in words for field in fields)
    assert "source is missing" in words and "Got 7" in words
    answer = refusal_of(caught.value)
    assert [each["field"] for each in answer["others"]] == fields[1:]
    assert all(field in answer["message"] for field in fields)
    assert pickle.loads(pickle.dumps(ProblemError("a", 1, "b").with_others([("c", 2, "d")]))).others == (("c", 2, "d"),)


def test_what_is_wrong_in_hardware_is_told_like_any_other_problem() -> None:
    with pytest.raises(ProblemError) as caught:
        load({"schema": "battery/1", "slug": "mine", "title": "Mine", "capacity_wh": -1, "source": "x", "sources": {}})
    assert caught.value.field == "capacity_wh" and caught.value.got == -1


ODD_SCALARS = (
    *(
        "010",
        "08",
        "0x10",
        "1_000",
        "6:00",
        "on",
        "No",
        "1e3",
        "1e999",
        "9" * 5000,
        ".inf",
        ".nan",
        "~",
        "",
        "2026-05-01",
    ),
    *(
        "2026-99-99",
        "!!int 0x",
        "!!float x",
        "!!binary x",
        "!!set {a, b}",
        "*a",
        "&a b",
        "? x",
        "<<",
        "{<<: 1}",
        "{[a]: 1}",
    ),
    *("=", "|", "- -", "\t", "é", "\x7f"),
)


@pytest.mark.long
def test_damaged_documents_of_all_families_are_read_or_refused() -> None:
    random, read, refused = Random(0), 0, 0
    for seed, family in enumerate(published()):
        text = to_yaml(example(family))[:4000]
        damaged = list(mutations(text.encode(), 120, seed))
        for _ in range(60):
            lines = text.splitlines()
            place = random.randrange(len(lines))
            lines[place] = lines[place].partition(":")[0] + ": " + random.choice(ODD_SCALARS)
            damaged.append("\n".join(lines).encode())
        for data in damaged:
            try:
                load(read_yaml(data, "mine.yaml").content, family.kind)
                read += 1
            except ProblemError:
                refused += 1
    assert read + refused > 2000 and read > 50 and refused > 1000
