"""Documents of boards against the tables that they are made of, value by value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from hardware.soc.board_documents import (
    PRECISIONS,
    board_contents,
    boards,
    device_slug,
    measured_memory,
    mode_name,
    table,
    unit_names,
)
from hardware.soc.loader import builtin_socs, load_soc, soc_aliases
from hardware.soc.model import NOMINAL_CLOCK_HZ, SUSTAINED, Soc
from hardware.soc.summary import lacking_kinds

SOCS: Mapping[str, Soc] = {slug: load_soc(builtin_socs()[slug]) for slug in boards()}
BY_HAND = {"jetson-agx-xavier", "google-edge-tpu"}
UNITS = [
    pytest.param(slug, name, row, id=f"{slug}-{name}")
    for slug, rows in boards().items()
    for name, row in zip(unit_names(rows), rows, strict=True)
]
MODES = [row for row in table("power_modes") if row["cpu_cores_online"]]
SLUGS = {rows[0]["device"]: slug for slug, rows in reversed(list(boards().items()))}


def written_as(value: float, text: str) -> str:
    """Return a value with the decimals of a text."""
    return f"{value:.{len(text.partition('.')[2])}f}"


def test_every_row_is_a_unit_of_a_device() -> None:
    assert len(UNITS) == len(table("boards")) == 170
    assert len({row["device"] for row in table("boards")}) == 79
    assert set(SLUGS.values()) <= set(builtin_socs()) and len(SLUGS) == 79


@pytest.mark.parametrize(("slug", "name", "row"), UNITS)
def test_a_unit_has_the_values_of_its_row(slug: str, name: str, row: Mapping[str, str]) -> None:
    soc, content = SOCS[slug], builtin_socs()[slug]
    unit = soc.units[name]
    assert (unit.kind, unit.label) == (row["unit_kind"], row["unit"])
    assert int(row["count"]) in (unit.count, unit.cores or unit.count)
    clocks = [int(hertz / 1e6) for hertz in unit.known_clocks_hz]
    if slug != "google-edge-tpu":  # its clock is approximate, and not in the table
        assert bool(clocks) == bool(row["clock_max_mhz"])
    if row["clock_max_mhz"]:
        assert unit.frequencies_hz[-1] == float(row["clock_max_mhz"]) * 1e6
        assert {int(float(step)) for step in row["clock_levels_mhz"].split("/") if step} <= set(clocks)
        if row["clock_min_mhz"]:
            assert clocks[0] == int(float(row["clock_min_mhz"]))
    for precision in PRECISIONS:
        text = row[f"peak_tops_{precision}"]
        missing = f"units.{name}.peak_tera_operations_per_s.{precision}" in soc.not_published
        if text:
            assert written_as(unit.count * unit.peak_operations_per_s(precision) / 1e12, text) == text, precision
        elif slug not in BY_HAND:
            assert precision not in unit.operations_per_cycle and missing
    if row["on_chip_memory_kb"]:
        assert unit.on_chip_memory_bytes == float(row["on_chip_memory_kb"]) / unit.count * 1024
    assert unit.vendor_claim == row["vendor_claim"] and unit.note == row["note"]
    if slug not in BY_HAND:
        assert content["confidence"][f"units.{name}"] == row["confidence"]
        assert row["source"] in content["sources"][f"units.{name}"]


@pytest.mark.parametrize("slug", boards())
def test_a_device_has_the_values_of_its_rows(slug: str) -> None:
    soc, row, content = SOCS[slug], boards()[slug][0], builtin_socs()[slug]
    assert (soc.vendor, soc.year, soc.price_usd) == (row["vendor"], int(row["year"]), row["price_usd"])
    assert f"{soc.process_node_nm or 0:g}" == (row["process_nm"] or "0")
    assert content.get("power_range_w", "") == row["power_modes_w"]
    for state, column in (("running", "typical_power_w"), ("idle", "idle_power_w")):
        if row[column]:
            assert soc.power_states_w[state] == float(row[column])
    if row["dram_bandwidth_gb_per_s"]:
        text = row["dram_bandwidth_gb_per_s"]
        assert soc.memory is not None and written_as(soc.memory.bandwidth_bytes_per_s() / 1e9, text) == text
    else:
        assert soc.memory is None and "bandwidth" in lacking_kinds(soc)
    assert soc.memory_type == row["dram_type"]
    if not row["dram_type"].startswith("none"):
        assert str(soc.bus_bits or "") == row["dram_bus_bits"]
        for size in soc.sold_capacities_bytes:
            assert f"{size / 2**30:g}" in row["dram_capacity_gb"]
        assert bool(soc.sold_capacities_bytes) == bool(row["dram_capacity_gb"])
    for key in soc.sources:
        assert key in soc.confidence or slug in BY_HAND, key


@pytest.mark.parametrize("row", MODES, ids=lambda row: f"{row['device']} {row['mode_name']}")
def test_a_power_mode_leaves_what_its_row_says(row: Mapping[str, str]) -> None:
    slug = SLUGS[row["device"]]
    soc, mode = SOCS[slug], mode_name(row)
    units = dict(zip(unit_names(boards()[slug]), boards()[slug], strict=True))

    def clock_mhz(column: str, unit: str) -> float:
        return float(units[unit]["clock_max_mhz"] if row[column] == "uncapped" else row[column])

    cpu = soc.units["cpu"]
    assert soc.active_share("cpu", mode) == int(row["cpu_cores_online"]) / int(units["cpu"]["count"])
    assert soc.steps_hz("cpu", mode)[-1] / 1e6 == pytest.approx(clock_mhz("cpu_max_mhz", "cpu"), abs=1)
    assert cpu.cores == int(units["cpu"]["count"])
    multiprocessors = int(units["gpu"]["unit"].partition(" SM")[0].rpartition(" ")[2])
    share = 2 * int(row["gpu_tpc_on"]) / multiprocessors
    for precision in ("int8", "fp16", "fp32"):
        whole = float(units["gpu"][f"peak_tops_{precision}"])
        clock = clock_mhz("gpu_max_mhz", "gpu") / float(units["gpu"]["clock_max_mhz"])
        assert soc.peak_in_mode("gpu", precision, mode) == pytest.approx(whole * share * clock * 1e12, rel=1e-3)
    if "dla" in soc.units and row["dla0_core_max_mhz"]:
        both_mhz = [clock_mhz(f"dla{each}_core_max_mhz", "dla") for each in range(soc.units["dla"].count)]
        clock = sum(both_mhz) / len(both_mhz) / float(units["dla"]["clock_max_mhz"])
        others = {"dla-falcon": row["dla_falcon_max_mhz"], "pva-vps": row["pva_vps_max_mhz"]}
        kept = {part: float(mhz) * 1e6 for part, mhz in others.items() if mhz != "uncapped"}
        assert soc.power_modes[mode].other_clocks_hz == pytest.approx(kept)
        whole = float(units["dla"]["peak_tops_int8"])
        assert soc.peak_in_mode("dla", "int8", mode) == pytest.approx(whole * clock * 1e12, rel=1e-3)
    found = soc.memory_clock_in_mode(mode)
    assert found is not None and soc.memory is not None
    highest = soc.memory.frequencies_hz[-1] if row["emc_max_mhz"] == "uncapped" else float(row["emc_max_mhz"]) * 1e6
    assert found == highest
    assert (soc.power_modes[mode].budget_w or "") == (float(row["budget_w"]) if row["budget_w"] else "")
    assert soc.power_modes[mode].is_default == (row["is_default"] == "yes")


@pytest.mark.parametrize(
    ("slug", "mode", "tera"),
    [
        ("jetson-agx-orin", "mode-15w", 10.0), ("jetson-agx-orin", "maxn", 85.2), ("jetson-orin-nx-16gb", "25w", 13.4),
        ("jetson-orin-nx-16gb", "15w", 10.0), ("jetson-orin-nano-8gb-super", "maxn-super", 33.4),
        ("jetson-xavier-nx", "mode-10w-desktop", 6.3), ("jetson-agx-xavier", "maxn", 22.6),
    ],
)  # fmt: skip
def test_modes_have_the_dense_int8_peak_of_the_gpu_that_follows_from_the_data_sheet(
    slug: str, mode: str, tera: float
) -> None:
    assert SOCS[slug].peak_in_mode("gpu", "int8", mode) / 1e12 == pytest.approx(tera, abs=0.05)


def test_a_mode_of_which_no_limits_are_known_limits_nothing() -> None:
    thor = SOCS["jetson-agx-thor-t5000"]
    assert [(mode.name, mode.budget_w) for mode in thor.power_modes.values()] == [
        ("maxn", None), ("120w", 120), ("90w", 90), ("70w", 70)
    ]  # fmt: skip
    assert thor.power_modes["120w"].units == {}


def test_a_unit_without_a_clock_has_its_peak_at_one_nominal_clock() -> None:
    unit = SOCS["hailo-8"].units["npu"]
    assert unit.frequencies_hz == (NOMINAL_CLOCK_HZ,) and unit.known_clocks_hz == ()
    assert unit.peak_operations_per_s("int8") == 26e12
    assert lacking_kinds(SOCS["hailo-8"]) == ("bandwidth",)
    assert lacking_kinds(SOCS["sa8295p"]) == ("peak", "clock", "bandwidth", "power")


def test_figures_of_the_device_are_as_sure_as_its_weakest_row() -> None:
    for slug, key in (
        ("raspberry-pi-5", "price_usd"),
        ("raspberry-pi-4-b", "power_states_mw.idle"),
        ("kria-k26", "price_usd"),
    ):
        assert SOCS[slug].confidence[key] == "approx"
    assert SOCS["rk3588"].confidence["units.npu.peak_tera_operations_per_s.int8"] == "solid"
    assert SOCS["apple-m5"].confidence["year"] == "community"


def test_a_device_with_two_names_is_found_by_both() -> None:
    aliases = soc_aliases()
    expected = {"jetson-agx-orin-64gb": "jetson-agx-orin", "coral-edge-tpu": "google-edge-tpu", "kv260": "kria-k26",
                "sa8775p": "sa8255p", "sm8650": "snapdragon-8-gen-3"}  # fmt: skip
    assert expected.items() <= aliases.items()
    assert set(aliases).isdisjoint(builtin_socs())


def test_a_configuration_that_one_chooses_is_a_document_of_its_own() -> None:
    assert SOCS["ethos-u55"].units.keys() == {"npu"}
    peaks = [SOCS[f"ethos-u85{size}"].units["npu"].peak_operations_per_s("int8") for size in ("-128", "-1024", "")]
    assert peaks == [0.256e12, 2.048e12, 4.096e12]


def test_documents_by_hand_keep_their_figures() -> None:
    written: Any = {"slug": "hailo-8", "title": "Mine", "units": {"npu": {"kind": "npu", "frequencies_mhz": [400]}},
                    "sources": {"units": "me"}}  # fmt: skip
    filled: Any = board_contents({"hailo-8": {**written, "schema": "soc/1", "source": "me"}})["hailo-8"]
    assert filled["title"] == "Mine" and filled["units"]["npu"]["frequencies_mhz"] == [400]
    soc = load_soc(filled)
    assert soc.sources["units.npu.frequencies_mhz"] == "me" and "units.npu.frequencies_mhz" not in soc.confidence
    assert soc.confidence["units.npu.peak_tera_operations_per_s.int8"] == "approx"
    assert "units.npu.frequencies_mhz" not in soc.not_published


def test_measured_memory_bandwidth_is_found_by_device() -> None:
    assert len([row for slug in SLUGS.values() for row in measured_memory(slug)]) == len(table("memory_measured")) == 33
    assert {row["memset_gb_per_s"] for row in measured_memory("jetson-agx-orin")} == {"30.35"}
    assert measured_memory("x86-server") == ()


def test_sustained_clocks_are_a_power_mode_of_boards_that_publish_them() -> None:
    held = {slug for slug in SLUGS.values() if SUSTAINED in SOCS[slug].power_modes}
    assert held == {device_slug(row["device"]) for row in table("sustained_clocks")} == {"snapdragon-x-elite"}
    soc = SOCS["snapdragon-x-elite"]
    assert (soc.steps_hz("cpu-2")[-1], soc.steps_hz("cpu-2", SUSTAINED)[-1]) == (4.3e9, 3.801e9)
