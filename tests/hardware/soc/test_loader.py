"""Systems on a chip read from documents, and what is said about documents that do not fit."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given

from hardware.document_reader import read_text
from hardware.documents import merge
from hardware.errors import HardwareError
from hardware.package.loader import builtin_hardware
from hardware.soc.board_documents import boards
from hardware.soc.loader import DEVICES, builtin_socs, load_soc
from hardware.soc.model import Soc
from tests.hardware.documents_for_tests import soc_content
from tests.support.mutations import mutated


def device(slug: str) -> Soc:
    return load_soc(builtin_socs()[slug])


def test_units_are_converted_once() -> None:
    board = load_soc(soc_content())
    gpu = board.units["gpu"]
    assert gpu.frequencies_hz == (114.75e6, 522.75e6, 675.75e6, 1377e6)
    assert (gpu.count, gpu.cores, gpu.on_chip_memory_bytes) == (2, 128, 512 * 1024)
    assert board.units["cpu"].power is None and board.units["cpu"].on_chip_memory_bytes is None
    assert board.memory is not None and board.memory.capacities_bytes == (8 * 2**30, 16 * 2**30)
    assert board.peak_operations_per_s == {"int8": 2.5e12}
    assert board.power_states_w == {"off": 0, "idle": 1.5}
    assert board.idle_rails_w == {"gpu": 0.463}
    low = board.power_modes["low"]
    assert (low.budget_w, low.memory_highest_frequency_hz) == (10, 800e6)
    assert (low.units["cpu"].active_cores, low.units["gpu"].highest_frequency_hz) == (2, 520e6)
    assert board.sources["units.gpu.power.idle_w"] == "made up"


@pytest.mark.parametrize(
    ("changes", "key", "got", "accepted"),
    [
        ({"schema": "soc/2"}, "schema", "soc/2", "soc/1"),
        ({"schema": None}, "schema", None, "soc/1"),
        ({"slug": "Small board"}, "slug", "Small board", "small letters"),
        ({"units__gpu__kind": "tpu"}, "units.gpu.kind", "tpu", "cpu, gpu, npu, dsp, mcu"),
        ({"units__gpu__count": 0}, "units.gpu.count", 0, "at least 1"),
        ({"units__gpu__cores": 1.5}, "units.gpu.cores", 1.5, "whole number"),
        ({"units__gpu__frequencies_mhz": [500, 400]}, "units.gpu.frequencies_mhz.1", 400, "above 500"),
        ({"units__gpu__frequencies_mhz": [500, 500]}, "units.gpu.frequencies_mhz.1", 500, "ascending"),
        ({"units__gpu__frequencies_mhz": [0]}, "units.gpu.frequencies_mhz.0", 0, "greater than 0"),
        ({"units__gpu__power__idle_w": None}, "units.gpu.power.idle_w", None, "a number in W"),
        ({"units__gpu__power__exponent": 5}, "units.gpu.power.exponent", 5, "at most 4"),
        ({"units__gpu__tops": 5}, "units.gpu.tops", 5, "left out"),
        ({"memory__frequencies_mhz": []}, "memory.frequencies_mhz", [], "not empty"),
        ({"memory__frequencies_mhz": [1600, 800]}, "memory.frequencies_mhz.1", 800, "above 1600"),
        ({"memory__bytes_per_cycle": None}, "memory.bytes_per_cycle", None, "a number in B/cycle"),
        ({"memory": None, "sources__memory": None}, "power_modes.low.memory_highest_frequency_mhz", 800, "no `memory`"),
        ({"power_modes__low__units": {"dla": {}}}, "power_modes.low.units.dla", "dla", "cpu, gpu"),
        (
            {"power_modes__low__units__cpu__active_cores": 5},
            "power_modes.low.units.cpu.active_cores",
            5,
            "at most 4, the cores of the unit",
        ),
        ({"units__cpu__cores": None}, "power_modes.low.units.cpu.active_cores", 2, "no `cores`"),
        (
            {"power_modes__low__units__gpu__further_highest_frequencies_mhz": [520, 520]},
            "power_modes.low.units.gpu.further_highest_frequencies_mhz",
            2,
            "one clock for each further unit, 1 in all",
        ),
        ({"power_states_mw__idle": -1}, "power_states_mw.idle", -1, "at least 0"),
        ({"sources__units": None}, "sources.units.cpu.kind", None, "here or for a key around it"),
        ({"sources__rails": "me"}, "sources.rails", "me", "a key that the document has"),
    ],
)
def test_it_names_key_value_got_and_values_accepted(changes: dict[str, Any], key: str, got: Any, accepted: str) -> None:
    with pytest.raises(HardwareError) as caught:
        load_soc(soc_content(**changes), "mine.yaml")
    error = caught.value
    assert (error.file, error.key, error.got) == ("mine.yaml", key, got)
    assert accepted in error.accepted
    assert key in str(error) and "mine.yaml" in str(error)


def test_a_device_says_its_units_or_its_power_states() -> None:
    bare = {key: value for key, value in soc_content().items() if key in ("schema", "slug", "title", "source")}
    with pytest.raises(HardwareError, match="power_states_mw"):
        load_soc({**bare, "sources": {}})
    receiver = load_soc({**bare, "power_states_mw": {"tracking": 63}, "sources": {"power_states_mw": "sheet"}})
    assert (receiver.units, receiver.memory, receiver.power_states_w) == ({}, None, {"tracking": 0.063})


def load_text(text: str) -> Soc:
    document = read_text(text, "mine.yaml")
    return load_soc(document.content, document.file, document.lines)


def test_errors_of_a_text_have_the_line() -> None:
    text = yaml.safe_dump(soc_content(units__gpu__kind="tpu"), sort_keys=False)
    with pytest.raises(HardwareError) as caught:
        load_text(text)
    line = caught.value.line
    assert line is not None and text.splitlines()[line - 1].strip() == "kind: tpu"
    with pytest.raises(HardwareError, match="valid YAML"):
        load_text("a: [")


@given(mutated(soc_content()))
def test_a_document_loads_or_is_refused_but_never_crashes(content: dict[str, Any]) -> None:
    board = None
    with contextlib.suppress(HardwareError):
        board = load_soc(content)
    assert board is None or board.units or board.power_states_w


@pytest.mark.parametrize("path", sorted(DEVICES.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_device_loads_under_the_name_of_its_file(path: Path) -> None:
    written, content = read_text(path, path.name).content, builtin_socs()[path.stem]
    assert merge(content, written) == content, "a table changed what was written by hand"
    assert content == written or path.stem in boards()
    assert device(path.stem).slug == path.stem


def test_devices_are_not_among_the_packages() -> None:
    assert set(builtin_socs()).isdisjoint(builtin_hardware())


def test_xavier_has_the_published_tables_and_peaks() -> None:
    xavier = device("jetson-agx-xavier")
    # The search space of HADAS and its repository: 29 CPU, 14 GPU and 9 memory steps (odema-2024 Table 2.1).
    assert [len(xavier.units[name].frequencies_hz) for name in ("cpu", "gpu")] == [29, 14]
    assert xavier.memory is not None and len(xavier.memory.frequencies_hz) == 9
    assert xavier.memory.bandwidth_bytes_per_s() / 1e9 == pytest.approx(136.5, abs=0.05)  # odema-2023 section 5.1.4
    gpu, dla = xavier.units["gpu"], xavier.units["dla"]
    assert (gpu.cores, dla.count) == (512, 2)
    # NVIDIA: 11 TFLOPS fp16 and 22 TOPS int8 of the GPU, 11.4 TOPS and 5.7 TFLOPS of both accelerators.
    assert gpu.peak_operations_per_s("fp16") / 1e12 == pytest.approx(11.28, abs=0.005)
    assert gpu.peak_operations_per_s("int8") / 1e12 == pytest.approx(22.56, abs=0.005)
    assert dla.count * dla.peak_operations_per_s("int8") / 1e12 == pytest.approx(11.4, abs=0.05)
    assert dla.count * dla.peak_operations_per_s("fp16") / 1e12 == pytest.approx(5.7, abs=0.05)


def test_xavier_takes_the_nearest_steps_of_its_power_modes() -> None:
    xavier = device("jetson-agx-xavier")
    budgets = {name: mode.budget_w for name, mode in xavier.power_modes.items()}
    assert (len(budgets), budgets["maxn"], budgets["mode-10w"], budgets["mode-30w-all"]) == (9, None, 10, 30)
    highest = {
        name: xavier.steps_hz("gpu", name)[-1] / 1e6 for name in ("maxn", "mode-10w", "mode-15w", "mode-30w-all")
    }
    assert highest == {"maxn": 1377, "mode-10w": 522.75, "mode-15w": 675.75, "mode-30w-all": 905.25}
    assert xavier.power_modes["mode-10w"].units["gpu"].active_cores == 256


def test_tx2_has_the_published_tables_and_peaks() -> None:
    tx2 = device("jetson-tx2")
    assert [len(tx2.units[name].frequencies_hz) for name in ("denver2", "a57", "gpu")] == [12, 12, 13]
    assert tx2.memory is not None and len(tx2.memory.frequencies_hz) == 11
    assert tx2.memory.bandwidth_bytes_per_s() / 1e9 == pytest.approx(59.7, abs=0.05)
    assert tx2.units["gpu"].peak_operations_per_s("fp32") / 1e12 == pytest.approx(0.666, abs=0.0005)
    assert "int8" not in tx2.units["gpu"].operations_per_cycle
    assert tx2.power_modes["maxq"].units["denver2"].active_cores == 0


def test_what_is_approximate_or_assumed_says_so() -> None:
    xavier = device("jetson-agx-xavier").sources
    assert (
        "assumed" in xavier["units.gpu.power.exponent"]
        and "approximate" in xavier["units.dla.operations_per_cycle.int8"]
    )
    assert "approximate" in device("efm32-giant-gecko").sources["power_states_mw.em2-deep-sleep"]
    assert "derived" in device("efm32-giant-gecko").sources["power_states_mw.em0-run"]
