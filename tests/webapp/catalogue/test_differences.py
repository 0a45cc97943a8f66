"""What differs between two documents."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.workloads.builtins import builtin_networks
from hardware.package.loader import builtin_hardware
from webapp.catalogue.differences import Difference, differences

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
DOCUMENTS = st.dictionaries(st.sampled_from("xyz"), VALUES, max_size=3)


def test_two_packages_differ_in_their_layout_alone() -> None:
    found = {
        each.key: each
        for each in differences(builtin_hardware()["simba-3x3-nvdla"], builtin_hardware()["simba-3x3-het-sides"])
    }
    assert set(found) == {"slug", "title", "summary", "package.layout", "sources.package.layout"}
    assert found["package.layout"].after == ["N S N"] * 3


def test_one_more_layer_is_one_difference() -> None:
    before = dict(builtin_networks()["resnet50"])
    after = copy.deepcopy(before)
    after["operations"].insert(3, {"name": "extra", "kind": "activation"})
    after["operations"][0]["stride"] = 1
    assert differences(before, after) == [
        Difference("operations[conv1].stride", 2, 1, "changed"),
        Difference("operations[extra]", None, {"name": "extra", "kind": "activation"}, "added"),
    ]


def test_entries_of_one_name_are_told_apart() -> None:
    models = [{"network": "resnet50", "batch": 1}, {"network": "resnet50", "batch": 2}]
    changed = [models[0], {"network": "resnet50", "batch": 3}]
    (found,) = differences({"models": models}, {"models": changed})
    assert (found.key, found.before, found.after) == ("models[resnet50 2].batch", 2, 3)


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [({"a": 1}, {}, "removed"), ({}, {"a": None}, "added"), ({"a": 1}, {"a": {"b": 1}}, "changed"),
     ({"a": [1]}, {"a": []}, "changed")],
)  # fmt: skip
def test_added_removed_changed(before: Any, after: Any, change: str) -> None:
    (found,) = differences(before, after)
    assert (found.key, found.change) == ("a", change)


@given(DOCUMENTS)
def test_a_document_does_not_differ_from_itself(document: dict[str, Any]) -> None:
    assert differences(document, copy.deepcopy(document)) == []


@given(DOCUMENTS, DOCUMENTS)
def test_unequal_documents_differ_and_both_ways_in_the_same_keys(before: dict[str, Any], after: dict[str, Any]) -> None:
    forth, back = differences(before, after), differences(after, before)
    assert bool(forth) == (before != after)
    assert {each.key for each in forth} == {each.key for each in back}
