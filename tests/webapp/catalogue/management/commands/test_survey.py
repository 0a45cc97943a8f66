"""`manage.py survey`: estimates on a terminal and as JSON, and refusals with the way on."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.engines.workloads.importing.onnx.onnx_models import convolutional
from tests.support.stored_runs import People


def survey(people: People, *arguments: str, file: Path) -> tuple[dict[str, Any], str]:
    out = StringIO()
    call_command("survey", *arguments, "--json", str(file), "--user", people.stranger.get_username(), stdout=out)
    return json.loads(file.read_text(encoding="utf-8")), out.getvalue()


def test_a_network_of_the_catalogue_on_chosen_devices(people: People, tmp_path: Path) -> None:
    devices = "jetson-agx-xavier,snapdragon-855,google-edge-tpu"
    found, text = survey(people, "resnet50", "--bits", "w8a8", "--devices", devices, file=tmp_path / "o.json")
    assert (found["parameters"], found["bits"]) == (25_557_032, "w8a8")
    able = {each["device"]: each for each in found["devices"] if each["latency_s"]}
    assert set(able) == {"jetson-agx-xavier", "snapdragon-855"}
    xavier = able["jetson-agx-xavier"]
    assert xavier["weight_bytes"] == 25_557_032 and xavier["fits"] is True and xavier["power_mode"] is None
    assert xavier["peak_memory_bytes"] > xavier["weight_bytes"] and xavier["energy_j"] > 0 and xavier["reason"] is None
    (unable,) = [each for each in found["devices"] if not each["latency_s"]]
    assert unable["energy_j"] is None and unable["reason"] in text
    packed, _ = survey(people, "resnet50", "--bits", "w4a16", "--devices", devices, file=tmp_path / "p.json")
    assert {each["weight_bytes"] for each in packed["devices"]} == {25_557_032 // 2}


def test_a_file_is_surveyed_and_not_stored(people: People, tmp_path: Path) -> None:
    path = tmp_path / "small.onnx"
    path.write_bytes(convolutional())
    found, text = survey(people, str(path), "--devices", "x86-server", file=tmp_path / "o.json")
    assert found["network"] == "small" and found["devices"][0]["latency_s"] > 0 and "x86-server" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("resnet50", "--devices", "jetson-agx-xavie"), "similar name: jetson-agx-xavier"),
        (("resnet50", "--bits", "w4"), "nvfp4"),
        (("no-such-network",), "no-such-network"),
        (("missing.onnx",), "missing.onnx"),
        (("resnet50", "--devices", "x86-server", "--json", "/no/such/folder/o.json"), "cannot be written"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_status_2(
    people: People, arguments: tuple[str, ...], words: str
) -> None:
    with pytest.raises(CommandError, match=words) as refused:
        call_command("survey", *arguments, "--user", people.stranger.get_username(), stdout=StringIO())
    assert refused.value.returncode == 2
