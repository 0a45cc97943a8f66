"""Configurations of language models become the network of a prompt and that of a decode step."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.workloads.builtins import builtin_networks
from engines.workloads.importing.language_reader import read_configuration
from engines.workloads.importing.zigzag_reader import read_document
from engines.workloads.language.reader import read_language_model
from engines.workloads.loader import load_network
from tests.engines.workloads.language.configurations import SMALL, SMALL_HYBRIDS, public_model, rows, small_model


def read(configuration: dict[str, Any], file: str = "small.json", **options: Any) -> ReadDocument:
    return read_document(json.dumps(configuration, indent=1).encode(), file, options)


def test_a_configuration_becomes_prefill_and_decode_step() -> None:
    found = read(SMALL)
    (decode,) = found.report["further"]
    assert (found.content["title"], found.content["slug"]) == ("small", "small")
    assert (decode["title"], decode["slug"]) == ("small, decode after 512", "small-decode-after-512")
    assert found.content["configuration"] == SMALL
    networks = [load_network(content) for content in (found.content, decode)]
    assert {network.parameters for network in networks} == {small_model(SMALL).parameters()}
    assert networks[0].macs > 300 * networks[1].macs
    assert found.report["macs"] == networks[0].macs


def test_policies_have_their_type_as_name_and_ends_of_ranges_are_not_stored() -> None:
    policy = next(row["configuration"] for row in rows() if row["name"] == "smolvla-lerobot")
    assert read(policy, "config.json").content["title"] == "smolvla"
    hybrid = {"model_type": "bamba", **SMALL_HYBRIDS["bamba"], "time_step_limit": [0.0, float("inf")]}
    found = read(hybrid)
    assert "time_step_limit" not in found.content["configuration"]
    assert load_network(found.content).parameters == read_language_model(hybrid).parameters()


@pytest.mark.parametrize(
    ("dims", "titles"),
    [
        ({"prompt": 16}, ["small, prefill 16"]),
        ({"cached": 100}, ["small, decode after 100"]),
        ({"prompt": 16, "cached": 99, "batch": 2}, ["small, prefill 16, batch 2", "small, decode after 99, batch 2"]),
    ],
)
def test_sizes_choose_the_passes(dims: dict[str, int], titles: list[str]) -> None:
    found = read(SMALL, dims=dims)
    assert [each["title"] for each in (found.content, *found.report["further"])] == titles


def test_an_encoder_has_no_decode_step() -> None:
    row = next(row for row in rows() if row["name"] == "clip-vit-b-32")
    found = read(row["configuration"], "clip.json")
    assert not found.report["further"]
    assert load_network(found.content).parameters == public_model("clip-vit-b-32").parameters()
    with pytest.raises(ProblemError, match="without a decoder"):
        read(row["configuration"], dims={"cached": 5})


def test_a_file_named_config_takes_the_name_in_it() -> None:
    assert read(SMALL, "config.json").content["title"] == "gemma3_text"
    assert read({**SMALL, "_name_or_path": "google/gemma-x"}, "config.json").content["title"] == "gemma-x"
    assert read(SMALL, "config.json", name="Mine").content["title"] == "Mine"


@pytest.mark.parametrize(
    ("options", "changes", "field"),
    [
        ({"dims": {"tokens": 5}}, {}, "dims"),
        ({"dims": {"prompt": 0}}, {}, "tokens"),
        ({"exclude": ["Conv"]}, {}, "exclude"),
        ({}, {"hidden_size": "big"}, "hidden_size"),
    ],
)
def test_wrong_sizes_and_fields_are_named(options: dict[str, Any], changes: dict[str, Any], field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read({**SMALL, **changes}, **options)
    assert caught.value.field == field
    assert caught.value.line == (3 if changes else None)


def test_the_built_in_model_is_what_the_import_of_its_configuration_makes() -> None:
    content = builtin_networks()["qwen3-4b-prefill-512"]
    imported = load_network(read_configuration(content["configuration"], "qwen3-4b.json").content)
    own = load_network(content)
    assert [(each.name, each.macs, each.sources) for each in own.operations] == [
        (each.name, each.macs, each.sources) for each in imported.operations
    ]
    assert own.parameters == imported.parameters
