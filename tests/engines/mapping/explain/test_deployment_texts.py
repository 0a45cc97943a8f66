import json

from engines.mapping.explain.deployment_texts import (
    LayerDevice,
    clocks_text,
    layer_devices,
    power_model,
    trtexec_options,
)

LAYERS = [
    LayerDevice("conv1", "stem", "dla"),
    LayerDevice("conv1:act", "stem", "dla"),
    LayerDevice("fc", "head", "gpu"),
    LayerDevice("topk", "head", "cpu"),
]


def test_every_layer_has_its_device() -> None:
    found = json.loads(layer_devices(LAYERS, "net", "jetson-agx-xavier", "fp16", dla_core=1))
    assert [(layer["name"], layer["device"]) for layer in found["layers"]] == [
        ("conv1", "DLA"), ("conv1:act", "DLA"), ("fc", "GPU"), ("topk", "CPU"),
    ]  # fmt: skip
    assert found["schema"] == "layer-devices/1" and found["dla_core"] == 1 and found["allow_gpu_fallback"]
    alone = json.loads(layer_devices(LAYERS[2:3], "net", "jetson-tx2", "fp16"))
    assert alone["dla_core"] is None and not alone["allow_gpu_fallback"]


def test_trtexec_gets_what_its_list_can_hold_and_is_told_the_rest() -> None:
    lines = trtexec_options(LAYERS, "fp16").splitlines()
    assert lines[:3] == ["--fp16", "--useDLACore=0", "--allowGPUFallback"]
    assert lines[3] == "--layerDeviceTypes=conv1:DLA,fc:GPU"
    assert lines[4:] == ["# not for trtexec: conv1:act on DLA", "# not for trtexec: topk on CPU"]
    assert trtexec_options(LAYERS[2:3], "fp32") == "--layerDeviceTypes=fc:GPU\n"


def test_a_name_cannot_become_an_option() -> None:
    layers = [LayerDevice("conv\n--staticPlugins=evil.so", "stem", "gpu"), LayerDevice("fc 1", "head", "gpu")]
    assert trtexec_options(layers, "fp16").splitlines() == [
        "--fp16",
        "--layerDeviceTypes=",
        '# not for trtexec: "conv\\n--staticPlugins=evil.so" on GPU',
        "# not for trtexec: fc 1 on GPU",
    ]


def test_a_power_model_holds_the_clocks_in_the_units_of_nvpmodel() -> None:
    clocks = {"cpu": 2265.6e6, "gpu": 522.75e6, "dla": 1050e6, "memory": 1065.6e6}
    lines = (power_model("jetson-agx-xavier", clocks, 2, "a mapping") or "").splitlines()
    assert "< POWER_MODEL ID=60 NAME=PARETOSCOPE >" in lines
    assert [line for line in lines if line.startswith("CPU_ONLINE")] == ["CPU_ONLINE CORE_0 1", "CPU_ONLINE CORE_1 1"]
    assert lines.count("CPU_DENVER_3 MAX_FREQ 2265600") == 1 and lines.count("CPU_DENVER_0 MIN_FREQ 2265600") == 1
    for line in (
        "GPU MIN_FREQ 522750000",
        "GPU MAX_FREQ 522750000",
        "EMC MAX_FREQ 1065600000",
        "DLA_CORE MAX_FREQ 1050000000",
    ):
        assert line in lines
    assert power_model("other", clocks, 2, "a mapping") is None
    assert clocks_text({"gpu": 522.75e6}) == "gpu: 522.75 MHz\n"
