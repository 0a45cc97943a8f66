"""Workload documents, and what is said about those that do not fit."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from engines.contract.designs import canonical_json
from engines.contract.engine import Document
from engines.contract.errors import ProblemError
from engines.workloads.errors import WorkloadError
from engines.workloads.loader import (
    builtin_network,
    builtin_workloads,
    load_network,
    load_scenario,
    load_workload_file,
    load_workload_text,
)
from tests.engines.workloads.documents_for_tests import network_content, scenario_content
from tests.support.mutations import mutated


def test_a_scenario_may_name_a_network_or_hold_one() -> None:
    scenario = load_scenario(
        scenario_content({"network": "resnet50", "batch": 3}, {"network": network_content(), "batch": 1})
    )
    assert [(model.network.slug, model.batch) for model in scenario.models] == [("resnet50", 3), ("tiny", 1)]
    assert scenario.models[0].network is builtin_network("resnet50")


def test_a_network_is_a_scenario_of_one_sample() -> None:
    scenario = load_scenario(network_content())
    assert (scenario.slug, len(scenario.models), scenario.models[0].batch) == ("tiny", 1, 1)


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.long)])
def test_built_in_documents_survive_json(every: int) -> None:
    # A run pins the content as JSON and the child process parses it again.
    for slug, content in list(builtin_workloads().items())[::every]:
        assert load_scenario(json.loads(canonical_json(content))) == load_scenario(content), slug


@pytest.mark.parametrize(
    ("content", "key", "got", "accepted"),
    [
        (scenario_content(schema="scenario/2"), "schema", "scenario/2", "scenario/1, network/1"),
        (scenario_content({"network": "resnet51", "batch": 1}), "models.0.network", "resnet51", "resnet50"),
        (scenario_content({"network": "resnet50", "batch": 0}), "models.0.batch", 0, "at least 1"),
        (scenario_content({"network": "resnet50", "batch": 1.5}), "models.0.batch", 1.5, "whole number"),
        (scenario_content({"network": "resnet50"}), "models.0.batch", None, "whole number"),
        (scenario_content({"network": 5, "batch": 1}), "models.0.network", 5, "Slug of a built-in network"),
        (scenario_content(models=[]), "models", [], "not empty"),
        (scenario_content(models=[{"network": "resnet50", "batch": 1}] * 27), "models", None, "at most 26"),
        (scenario_content(titel="x"), "titel", "x", "did you mean title?"),
        (network_content(schema="chiplet-package/1"), "schema", "chiplet-package/1", "network/1"),
        (network_content(short_title="a very long title"), "short_title", "a very long title", "12"),
        (network_content({"name": "a", "kind": "lstm"}), "operations.0.kind", "lstm", "conv, depthwise"),
        (network_content({"name": "a", "kind": "conv", "k": 0}), "operations.0.k", 0, "at least 1"),
        (
            network_content({"name": "a", "kind": "activation"}),
            "operations",
            ["activation"],
            "at least one that computes",
        ),
        (
            scenario_content({"network": network_content({"name": "a", "kind": "gemm", "x": 2}), "batch": 1}),
            "models.0.network.operations.0.x",
            2,
            "1 for a gemm",
        ),
        (
            scenario_content({"network": scenario_content(), "batch": 1}),
            "models.0.network.schema",
            "scenario/1",
            "network/1",
        ),
    ],
)
def test_it_names_key_value_got_and_values_accepted(content: dict[str, Any], key: str, got: Any, accepted: str) -> None:
    with pytest.raises(WorkloadError) as caught:
        load_scenario(content)
    assert (caught.value.key, caught.value.field) == (key, key)
    assert got is None or caught.value.got == got
    assert accepted in caught.value.accepted
    assert key in str(caught.value)
    assert isinstance(caught.value, ProblemError)


def test_a_pinned_hash_must_be_that_of_the_network() -> None:
    network = network_content()
    right = Document("workload", "tiny", 1, network).content_hash()
    assert load_scenario(scenario_content({"network": network, "batch": 1, "network_sha256": right}))
    for name in ("resnet50", network):
        with pytest.raises(WorkloadError, match="changed since") as caught:
            load_scenario(scenario_content({"network": name, "batch": 1, "network_sha256": "0" * 64}))
        assert caught.value.key == "models.0.network_sha256"


def test_a_file_reads_like_its_content(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(scenario_content()), encoding="utf-8")
    assert load_workload_file(path) == load_scenario(scenario_content())


def test_an_unknown_built_in_network_lists_those_that_exist() -> None:
    with pytest.raises(WorkloadError, match="unet-512"):
        builtin_network("u-net")


@given(st.integers(1, 64), st.integers(1, 8), st.integers(1, 8), st.integers(1, 512))
def test_a_network_reads_the_same_after_a_round_trip(k: int, c: int, r: int, batch: int) -> None:
    network = network_content({"name": "a", "kind": "conv", "k": k, "c": c, "r": r, "s": 1, "y": 9, "x": 9})
    text = yaml.safe_dump(scenario_content({"network": network, "batch": batch}))
    _, scenario = load_workload_text(text)
    assert scenario.models[0].batch == batch
    assert scenario.models[0].network == load_network(network)


@given(mutated(scenario_content({"network": network_content(), "batch": 1}, {"network": "resnet50", "batch": 2})))
def test_a_document_loads_or_is_refused_but_never_crashes(content: dict[str, Any]) -> None:
    scenario = None
    with contextlib.suppress(WorkloadError):
        scenario = load_scenario(content)
    assert scenario is None or all(model.batch >= 1 and model.network.macs > 0 for model in scenario.models)


def test_operations_may_say_what_they_read() -> None:
    rows = [
        {"name": "a", "kind": "gemm", "k": 8, "c": 8},
        {"name": "b", "kind": "gemm", "k": 8, "c": 8},
        {"name": "add", "kind": "eltwise", "reads": [1, 0, 1]},
    ]
    content = {
        "schema": "network/1",
        "slug": "net",
        "title": "Net",
        "short_title": "Net",
        "source": "test",
        "operations": rows,
    }
    assert [operation.reads for operation in load_network(content).operations] == [None, None, (0, 1)]
    rows[1]["reads"] = [1]
    with pytest.raises(WorkloadError, match="below 1") as refused:
        load_network(content)
    assert refused.value.key == "operations.1.reads.0"


def test_a_weight_that_operations_share_counts_once() -> None:
    """The head multiplies with the table; both towers have one kernel, each a bias of its own."""
    tower = {"kind": "gemm", "c": 4, "k": 6, "weight_elements": 30, "shared_weights": {"kernel": 24}}
    network = load_network(network_content(
        {"name": "table", "kind": "embedding", "weight_elements": 600, "shared_weights": {"table": 600}},
        {"name": "left", **tower}, {"name": "right", **tower},
        {"name": "head", "kind": "gemm", "c": 6, "k": 100, "shared_weights": {"table": 600}},
    ))  # fmt: skip
    assert (network.weight_elements, network.lookup_elements, network.parameters) == (24 + 12 + 600, 0, 636)
    assert [layer.weight_elements for layer in network.layers] == [30, 30, 600]


@pytest.mark.parametrize(
    ("shared", "place"), [({"w": 17}, "operations.1.shared_weights"), ({"w": 8}, "operations.1.shared_weights.w")]
)
def test_shared_weights_are_those_of_the_operation_and_of_one_size(shared: dict[str, int], place: str) -> None:
    row = {"kind": "gemm", "c": 4, "k": 4}
    with pytest.raises(WorkloadError) as caught:
        load_network(
            network_content(
                {"name": "a", **row, "shared_weights": {"w": 16}}, {"name": "b", **row, "shared_weights": shared}
            )
        )
    assert caught.value.key == place
