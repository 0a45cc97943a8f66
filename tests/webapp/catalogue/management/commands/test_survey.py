"""`manage.py survey`: estimates on a terminal and as JSON, and refusals with the way on."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.engines.survey.language.configurations import QWEN3_4B
from tests.engines.workloads.importing.gguf.gguf_files import model_header
from tests.engines.workloads.importing.onnx.onnx_models import convolutional
from tests.support.stored_runs import People


def survey(people: People, *arguments: str, file: Path) -> tuple[dict[str, Any], str]:
    out = StringIO()
    call_command("survey", *arguments, "--json", str(file), "--user", people.stranger.get_username(), stdout=out)
    return json.loads(file.read_text(encoding="utf-8")), out.getvalue()


def test_arrays_under_another_cost_model(people: People, tmp_path: Path) -> None:
    devices = ("--devices", "simba-3x3-het-sides-256,jetson-agx-xavier")
    usual, _ = survey(people, "resnet50", *devices, file=tmp_path / "o.json")
    ideal, _ = survey(people, "resnet50", *devices, "--cost-model", "ideal-array", file=tmp_path / "p.json")
    sources = {each["device"]: each["source"] for each in ideal["devices"]}
    assert "partial sums that stay in the array" in sources["simba-3x3-het-sides-256"]
    assert usual["devices"][-1] == ideal["devices"][-1] and "partial" not in sources["jetson-agx-xavier"]
    for name, words in (("table", "A survey takes no table"), ("abacus", "Got 'abacus'")):
        with pytest.raises(CommandError, match=words):
            survey(people, "resnet50", *devices, "--cost-model", name, file=tmp_path / "q.json")


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
    none, text = survey(
        people, "resnet50", "--power-mode", "9W", "--devices", "jetson-agx-orin", file=tmp_path / "q.json"
    )
    assert none["devices"][0]["latency_s"] is None and text.startswith(
        "jetson-agx-orin: No estimate: power_mode must be"
    )


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


def test_a_conversation_with_a_language_model(people: People, tmp_path: Path) -> None:
    path = tmp_path / "qwen3-4b.json"
    path.write_text(json.dumps(QWEN3_4B | {"auto_map": {"AutoModel": "code.py"}}), encoding="utf-8")
    asked = ("--bits", "w4a16", "--cache-bits", "16", "--prompt", "512", "--answer", "128")
    devices = "rk3588,jetson-agx-xavier,sm8750,jetson-orin-nano-4gb"
    found, text = survey(people, str(path), *asked, "--devices", devices, file=tmp_path / "o.json")
    assert (found["parameters"], found["cache_bytes"], found["bits"]) == (4_022_468_096, 94_371_840, "w4a16")
    rows = {each["device"]: each for each in found["devices"]}
    assert set(rows) == {"rk3588", "jetson-agx-xavier", "snapdragon-8-elite", "jetson-orin-nano-4gb"}
    xavier, rockchip = rows["jetson-agx-xavier"], rows["rk3588"]
    assert xavier["energy_per_token_j"] > 0 and xavier["reason"] is None
    assert rockchip["energy_per_token_j"] is None and "power" in rockchip["reason"]
    for each in (xavier, rockchip):
        assert each["time_to_first_token_s"] > 0 and each["decode_tokens_per_s"] > 0 and each["fits"] is True
        assert each["peak_memory_bytes"] > each["weight_bytes"] and each["certainty"] in ("predicted", "data sheet")
    assert (xavier["conversations_per_charge"], xavier["first_load_s"]) == (None, None) and "qwen3-4b" in text
    assert "auto_map is ignored" in text
    large, text = survey(people, str(path), "--bits", "fp16", "--devices", devices, file=tmp_path / "p.json")
    assert "jetson-orin-nano-4gb: Does not fit: qwen3-4b" in text
    assert {each["device"] for each in large["devices"] if each["fits"] is False} == {"jetson-orin-nano-4gb"}


def test_a_battery_and_a_flash_tell_conversations_per_charge_and_the_first_load(people: People, tmp_path: Path) -> None:
    given = ("--devices", "rk3588,jetson-agx-xavier", "--battery-wh", "15", "--flash-mb-per-s", "1500")
    found, text = survey(people, "qwen3-0-6b-prefill-128", *given, file=tmp_path / "o.json")
    xavier, rockchip = sorted(found["devices"], key=lambda each: each["device"])
    assert xavier["conversations_per_charge"] == pytest.approx(15 * 3600 / xavier["energy_j"])
    assert xavier["first_load_s"] == pytest.approx(xavier["weight_bytes"] / 1.5e9) and "Per" in text
    assert rockchip["conversations_per_charge"] is None and rockchip["first_load_s"] > 0
    with pytest.raises(CommandError, match="battery_wh: must be a number of Wh above 0"):
        survey(people, "qwen3-0-6b-prefill-128", "--battery-wh", "0", file=tmp_path / "o.json")


def test_a_configuration_without_a_field_is_refused_by_its_name(people: People, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    content = {name: value for name, value in QWEN3_4B.items() if name != "num_attention_heads"}
    (folder / "config.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(CommandError, match=r"^num_attention_heads: must be a whole number[^\n]*$") as refused:
        survey(people, str(folder / "config.json"), file=tmp_path / "o.json")
    assert refused.value.returncode == 2 and not (tmp_path / "o.json").exists()
    with pytest.raises(CommandError, match="prompt: must be left out"):
        survey(people, "resnet50", "--prompt", "5", file=tmp_path / "o.json")


def test_a_gguf_file_is_surveyed_with_the_bits_of_its_tensors(people: People, tmp_path: Path) -> None:
    path = tmp_path / "small-q4.gguf"
    path.write_bytes(model_header())
    found, text = survey(people, str(path), "--devices", "rk3588", file=tmp_path / "o.json")
    (row,) = found["devices"]
    assert (found["network"], row["bits"]) == ("small-q4", "w5a16") and "small-q4" in text
    assert 4.5 < row["weight_bytes"] * 8 / found["parameters"] < 6.6
    asked, _ = survey(people, str(path), "--bits", "w8a16", "--devices", "rk3588", file=tmp_path / "p.json")
    assert asked["devices"][0]["weight_bytes"] == found["parameters"]
    path.write_bytes(model_header()[:300])
    with pytest.raises(CommandError, match="whole GGUF file") as caught:
        survey(people, str(path), file=tmp_path / "q.json")
    assert caught.value.returncode == 2
