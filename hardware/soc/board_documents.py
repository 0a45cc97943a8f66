"""Documents of boards, made of the tables in `boards/`: a row per compute unit, a row per power mode.

An empty field of a table was not published, or not found; the document lists it under `not_published`. What follows from other
columns says so in its source:

- The rows of a device are its units. Cores of a CPU and tiles of an accelerator are one unit; deep-learning accelerators (DLA) and
  "2 x (...)" are several, as each runs a network of its own. Rows "NPU 64 MAC" are configurations to choose from: the largest is
  the device, each other one a document of its own.
- Clocks: tables of operating systems are rounded down to MHz; the caps of power modes name exact steps, and are added to tables
  that are not published. One clock is the highest that is known.
- Memory clocks are those that power modes name, and bandwidth / (bus / 8 bits x 2 edges) where it agrees with none of them.
- Cores of an NVIDIA GPU: two operations of fp32 a clock each; a texture processing cluster (TPC) has two multiprocessors (SM).
- A power mode that sets two DLA clocks has both. Clocks of parts that are no units are kept beside them.
- Sustained clocks, where they are published, are a power mode of that name. Without it, clocks are the highest (burst) ones.
- Values of the device stand on each of its rows: their confidence is that of the weakest row, "approx" where a note says so.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from hardware.documents import merge
from hardware.slugs import slug_of
from hardware.soc.model import SUSTAINED
from hardware.sources import covers
from hardware.validation import figures_of

FOLDER = Path(__file__).parent / "boards"
PRECISIONS = ("int4", "int8", "fp4", "fp8", "fp16", "bf16", "fp32")
Row = Mapping[str, str]
_CONFIDENCE = ("solid", "derived", "approx", "community")  # from strong to weak
# Names that documents, calibrations and links use.
_SLUGS = {"Jetson AGX Orin 64GB": "jetson-agx-orin", "Coral Edge TPU": "google-edge-tpu"}
_CHOICE = re.compile(r"NPU (\d+) MAC")
_SEVERAL = re.compile(r"DLA|^\w+ \d+ x ")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_VARIANT = "(Super)"
# Kinds that NVIDIA's documentation of TensorRT lists for its accelerator.
_DLA_OPERATIONS = (
    "conv", "depthwise", "transposed_conv", "gemm", "batchnorm", "activation", "pool", "eltwise", "concat", "resize",
)  # fmt: skip
_DLA_SOURCE = (
    "approximate: NVIDIA TensorRT, DLA Supported Layers and Restrictions, by kind; without limits of parameters"
)
_SMS_PER_TPC, _EDGES, _BITS_PER_BYTE, _PER_MAC = 2, 2, 8, 2
_AGREES = 1.01  # clocks of tables and of modes


@cache
def table(name: str) -> tuple[Row, ...]:
    """Return the rows of a table: "boards", "power_modes", "sustained_clocks" or "memory_measured"."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def board_contents(written: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Return slug -> content of every device: those `written` by hand, filled where they lack what a table has, and all boards."""
    contents = dict(written)
    for slug, rows in boards().items():
        content = _content(slug, rows)
        contents[slug] = _filled(contents[slug], content) if slug in contents else content
    return contents


@cache
def boards() -> Mapping[str, tuple[Row, ...]]:
    """Return slug -> rows of its units, in the order of the table."""
    devices: dict[str, list[Row]] = {}
    for row in table("boards"):
        devices.setdefault(row["device"], []).append(row)
    found: dict[str, tuple[Row, ...]] = {}
    for device, rows in devices.items():
        slug = device_slug(device)
        sizes = {int(match[1]): row for row in rows if (match := _CHOICE.fullmatch(row["unit"]))}
        if len(sizes) < len(rows):
            found[slug] = tuple(rows)
            continue
        largest = max(sizes)
        found[slug] = (sizes.pop(largest),)
        found |= {f"{slug}-{size}": (row,) for size, row in sizes.items()}
    return found


def unit_names(rows: Sequence[Row]) -> list[str]:
    """Return the name of the unit of each row: "cpu", "gpu", "dla"; "cpu-2" for another one of a kind."""
    bases = ["dla" if "DLA" in row["unit"] else row["unit_kind"] for row in rows]
    numbers = [bases[: place + 1].count(base) for place, base in enumerate(bases)]
    return [base if number == 1 else f"{base}-{number}" for base, number in zip(bases, numbers, strict=True)]


def mode_name(row: Row) -> str:
    """Return the name of the power mode of a row: "mode-15w" of MODE_15W."""
    return slug_of(row["mode_name"].replace("_", " "), "mode")


def measured_memory(slug: str) -> tuple[Row, ...]:
    """Return the measured memory bandwidth of one CPU thread on a board; empty without a measurement."""
    devices = {row["device"] for row in boards().get(slug, ())}
    return tuple(row for row in table("memory_measured") if row["device"] in devices)


def device_slug(device: str) -> str:
    """Return the slug of a name without what stands in brackets or after a slash, but for variants with other figures."""
    if device in _SLUGS:
        return _SLUGS[device]
    short = re.split(r" \(| / ", device)[0] + (" super" if _VARIANT in device else "")
    return slug_of(short, "board")


def _aliases(device: str, slug: str) -> list[str]:
    """Return other names of a device: all of it, and the parts in brackets or after a slash; none that another device has."""
    parts = [device, *re.split(r"[()]| / ", device.replace(_VARIANT, ""))]
    names = {slug_of(part.replace("family", ""), "board") for part in parts if part.strip()}
    return sorted(name for name in names - {slug, *_device_slugs()} if not name.isdigit())


@cache
def _device_slugs() -> frozenset[str]:
    return frozenset(device_slug(row["device"]) for row in table("boards"))


def _content(slug: str, rows: Sequence[Row]) -> dict[str, Any]:
    first, modes = rows[0], [row for row in table("power_modes") if row["device"] == rows[0]["device"]]
    names = unit_names(rows)
    title, chosen = first["device"], _CHOICE.fullmatch(first["unit"])
    title = title if title.startswith(first["vendor"]) else f"{first['vendor']} {title}"
    board = _Board()
    board.device(rows, slug)
    for name, row in zip(names, rows, strict=True):
        board.unit(
            name,
            row,
            [mode[column] for mode in modes for column in (*_CAPS.get(name, ())[:1], *_FURTHER.get(name, ()))],
        )
    board.memory(rows, [mode["emc_max_mhz"] for mode in modes])
    for mode in modes:
        board.mode(mode, names)
    board.sustained([row for row in table("sustained_clocks") if row["device"] == first["device"]])
    return {
        "schema": "soc/1",
        "slug": slug,
        "title": f"{title}, {chosen[1]} MAC" if chosen else title,
        "summary": "; ".join(dict.fromkeys(row["unit"] for row in rows)),
        "source": "Data sheets, clock tables of operating systems and public texts; see sources",
        "lineage": [slug],
        "aliases": _aliases(first["device"], slug) if slug == device_slug(first["device"]) else [],
        "vendor": first["vendor"],
        **board.content,
        "sources": board.sources,
        "confidence": board.confidence,
        "not_published": board.missing,
    }


# Unit -> columns of power modes: highest clock, and what is left of it.
_CAPS = {
    "cpu": ("cpu_max_mhz", "cpu_cores_online"),
    "gpu": ("gpu_max_mhz", "gpu_tpc_on"),
    "dla": ("dla0_core_max_mhz", ""),
}
_FURTHER = {"dla": ("dla1_core_max_mhz",)}
_OTHERS = {"dla-falcon": "dla_falcon_max_mhz", "pva-vps": "pva_vps_max_mhz"}


class _Board:
    """A document in the making: its content with source and confidence of each part, and what is not published."""

    def __init__(self) -> None:
        self.content: dict[str, Any] = {}
        self.sources: dict[str, str] = {}
        self.confidence: dict[str, str] = {}
        self.missing: list[str] = []

    def say(self, key: str, source: str, confidence: str) -> None:
        """Note where the figures below a key are from."""
        self.sources[key], self.confidence[key] = source, confidence

    def device(self, rows: Sequence[Row], slug: str) -> None:
        """Take what stands on each row."""
        first, source = rows[0], _source(_weakest(rows))
        confidence = _device_confidence(rows)
        self.content["year"] = int(first["year"])
        self.say("year", source, confidence)
        for key, column in (("price_usd", "price_usd"), ("power_range_w", "power_modes_w")):
            if first[column]:
                self.content[key] = first[column]
                self.say(key, source, _weaker(confidence, _spoken(first[column])))
        if first["process_nm"]:
            self.content["process_node_nm"] = _number(first["process_nm"])
            self.say("process_node_nm", source, confidence)
        states = {"running": first["typical_power_w"], "idle": first["idle_power_w"]}
        powers = {name: _number(watts, 1e3) for name, watts in states.items() if watts}
        if powers:
            self.content["power_states_mw"] = powers
            self.say("power_states_mw", source, confidence)
        self.missing += [key for key in ("price_usd", "process_node_nm") if key not in self.content]
        self.missing += [f"power_states_mw.{name}" for name, watts in states.items() if not watts]

    def unit(self, name: str, row: Row, caps: Sequence[str]) -> None:
        """Take a row as a unit."""
        key, count = f"units.{name}", int(row["count"])
        several = bool(_SEVERAL.search(row["unit"]))
        unit: dict[str, Any] = {"kind": row["unit_kind"], "title": row["unit"]}
        if several:
            unit["count"] = count
        elif row["unit_kind"] in ("cpu", "mcu") or count > 1:
            unit["cores"] = count
        self.say(key, _source(row), row["confidence"])
        clocks, added = _clocks(row, caps)
        if clocks:
            unit["frequencies_mhz"] = clocks
            if added:
                caps = "derived: steps between the ends are the caps of power modes, others are not published; "
                self.say(f"{key}.frequencies_mhz", caps + _source(row), _weaker(row["confidence"], "derived"))
            elif re.search(r"clock (recalled|[^;,]*\(approx)", row["note"]):
                self.say(f"{key}.frequencies_mhz", _source(row), _weaker(row["confidence"], "approx"))
        else:
            self.missing.append(f"{key}.frequencies_mhz")
        units = count if several else 1
        peaks = {each: _number(row[f"peak_tops_{each}"], 1 / units) for each in PRECISIONS if row[f"peak_tops_{each}"]}
        if peaks:
            unit["peak_tera_operations_per_s"] = peaks
        self.missing += [f"{key}.peak_tera_operations_per_s.{each}" for each in PRECISIONS if each not in peaks]
        multiprocessors = re.search(r"(\d+) SM", row["unit"])
        if multiprocessors and "fp32" in peaks:
            per_cycle = peaks["fp32"] * 1e6 / clocks[-1] / _PER_MAC
            unit["cores"] = round(per_cycle / int(multiprocessors[1])) * int(multiprocessors[1])
            self.say(f"{key}.cores", "derived: two fp32 operations a clock and core; " + _source(row), "derived")
        if row["on_chip_memory_kb"]:
            unit["on_chip_memory_kib"] = _number(row["on_chip_memory_kb"], 1 / units)
        else:
            self.missing.append(f"{key}.on_chip_memory_kib")
        if name == "dla":
            unit["supported_operations"] = list(_DLA_OPERATIONS)
            self.say(f"{key}.supported_operations", _DLA_SOURCE, "approx")
        unit |= {each: row[each] for each in ("vendor_claim", "note") if row[each]}
        self.content.setdefault("units", {})[name] = unit

    def memory(self, rows: Sequence[Row], caps: Sequence[str]) -> None:
        """Take the DRAM of the device; of "none" only this word."""
        first, source, confidence = rows[0], _source(_weakest(rows)), _device_confidence(rows)
        if first["dram_type"].startswith("none"):
            self.content["memory"] = {"type": first["dram_type"]}
            self.say("memory", source, confidence)
            return
        memory: dict[str, Any] = {"type": first["dram_type"]} if first["dram_type"] else {}
        if first["dram_bus_bits"]:
            memory["bus_bits"] = int(first["dram_bus_bits"])
        if first["dram_bandwidth_gb_per_s"]:
            memory["bandwidth_gb_per_s"] = _number(first["dram_bandwidth_gb_per_s"])
        capacities = sorted(set(map(_number, _NUMBER.findall(first["dram_capacity_gb"]))))
        if capacities:
            memory["capacities_gib"] = capacities
        if memory:
            self.content["memory"] = memory
            self.say("memory", source, _weaker(confidence, _spoken(first["dram_capacity_gb"])))
        steps = sorted({cap for each in caps if (cap := _cap(each)) is not None})
        if steps and "bus_bits" in memory and "bandwidth_gb_per_s" in memory:
            per_cycle = memory["bytes_per_cycle"] = _whole(memory["bus_bits"] / _BITS_PER_BYTE * _EDGES)
            memory["frequencies_mhz"] = _memory_clocks(first["dram_bandwidth_gb_per_s"], per_cycle, steps)
            words = f"derived: two transfers a clock on {memory['bus_bits']} bits, and clocks that power modes name; {source}"
            for key in ("bytes_per_cycle", "frequencies_mhz"):
                self.say(f"memory.{key}", words, _weaker(confidence, "derived"))
        known = {"bus_bits", "bandwidth_gb_per_s", "capacities_gib"} & memory.keys()
        lacking = ("bus_bits", "bandwidth_gb_per_s", "capacities_gib")
        self.missing += [f"memory.{key}" for key in lacking if key not in known]

    def mode(self, row: Row, names: Sequence[str]) -> None:
        """Take a row as a power mode."""
        mode: dict[str, Any] = {"is_default": True} if row["is_default"] == "yes" else {}
        if row["budget_w"]:
            mode["budget_w"] = _number(row["budget_w"])
        if cap := _cap(row["emc_max_mhz"]):
            mode["memory_highest_frequency_mhz"] = cap
        units: dict[str, Any] = {}
        for name in names:
            clock, active = _CAPS.get(name, ("", ""))
            limit: dict[str, Any] = {}
            if clock and (cap := _cap(row[clock])):
                limit["highest_frequency_mhz"] = cap
            if active and row[active]:
                left = int(row[active])
                limit["active_cores"] = left if name == "cpu" else left * _cores_per_tpc(self.content["units"][name])
            further = [cap for column in _FURTHER.get(name, ()) if (cap := _cap(row[column])) is not None]
            if any(cap != limit.get("highest_frequency_mhz") for cap in further):
                limit["further_highest_frequencies_mhz"] = further
            if limit:
                units[name] = limit
        if units:
            mode["units"] = units
        others = {part: cap for part, column in _OTHERS.items() if (cap := _cap(row[column])) is not None}
        if others:
            mode["other_clocks_mhz"] = others
        modes = self.content.setdefault("power_modes", {})
        modes[mode_name(row)] = mode
        if not units and "budget_w" not in mode:
            return
        note = f"; {row['note']}" if row["note"] else ""
        self.say(f"power_modes.{mode_name(row)}", _source(row) + note, row["confidence"])

    def sustained(self, rows: Sequence[Row]) -> None:
        """Take the clocks that units hold for long as a power mode."""
        if not rows:
            return
        limits = {row["unit"]: {"highest_frequency_mhz": _number(row["mhz"])} for row in rows}
        self.content.setdefault("power_modes", {})[SUSTAINED] = {"units": limits}
        self.say(f"power_modes.{SUSTAINED}", f"{_source(rows[0])}; {rows[0]['note']}", _weakest(rows)["confidence"])


def _filled(written: Mapping[str, Any], board: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document written by hand with what the table has besides; its own figures and sources stay."""
    filled = merge(board, written)
    for unit in filled["units"].values():  # what a document by hand states a clock needs no second statement
        if unit.get("operations_per_cycle"):
            unit.pop("peak_tera_operations_per_s", None)
    if written.get("memory", {}).get("bytes_per_cycle"):
        filled["memory"].pop("bandwidth_gb_per_s", None)
    own, sources, confidence = set(_figures(written)), dict(written["sources"]), {}
    for key in _figures(filled):
        if key not in own and (covering := [each for each in board["sources"] if covers(each, key)]):
            nearest = max(covering, key=len)
            sources[key], confidence[key] = board["sources"][nearest], board["confidence"][nearest]
    missing = [key for key in board["not_published"] if not any(covers(key, each) for each in _figures(filled))]
    lineage = written.get("lineage", board["lineage"])
    return {**filled, "lineage": lineage, "sources": sources, "confidence": confidence, "not_published": missing}


def _figures(content: Mapping[str, Any]) -> list[str]:
    sections = (
        "year", "price_usd", "power_range_w", "process_node_nm", "units", "memory", "power_modes", "power_states_mw",
        "peak_tera_operations_per_s",
    )  # fmt: skip
    found = figures_of(content, sections)
    return [key for key in found if key.rpartition(".")[2] not in ("title", "note", "is_default", "dense")]


def _clocks(row: Row, caps: Iterable[str]) -> tuple[list[float], bool]:
    """Return the clock steps of a row, ascending, and whether caps of power modes are among them that the table does not have."""
    ends = [_number(row[each]) for each in ("clock_min_mhz", "clock_max_mhz") if row[each]]
    if not row["clock_max_mhz"]:
        return [], False
    levels = [_number(each) for each in row["clock_levels_mhz"].split("/") if each]
    steps = [each for each in levels if int(each) != int(ends[-1])] or ends[:-1]
    added = False
    for cap in sorted({found for each in caps if (found := _cap(each)) is not None}):
        same = [step for step in steps if int(step) == int(cap)]
        if same:
            steps[steps.index(same[0])] = cap
        elif all(not 1 / _AGREES < cap / step < _AGREES for step in [*steps, ends[-1]]) and cap < ends[-1]:
            steps.append(cap)
            added = True
    return sorted({*steps, ends[-1]}), added


def _memory_clocks(bandwidth: str, bytes_per_cycle: float, steps: Sequence[float]) -> list[float]:
    """Return the clocks that power modes name, and the one of the bandwidth where it agrees with none of them."""
    decimals = len(bandwidth.partition(".")[2])
    if any(round(step * bytes_per_cycle / 1e3, decimals) == float(bandwidth) for step in steps):
        return list(steps)
    highest = _whole(float(bandwidth) * 1e3 / bytes_per_cycle)
    return [*(step for step in steps if step < highest), highest]


def _cores_per_tpc(unit: Mapping[str, Any]) -> int:
    found = re.search(r"(\d+) SM", unit["title"])
    return int(unit["cores"]) * _SMS_PER_TPC // int(found[1]) if found else 1


def _cap(value: str) -> float | None:
    return None if value in ("", "uncapped") else _number(value)


def _number(text: str, factor: float = 1.0) -> float:
    return _whole(float(text) * factor)


def _whole(value: float) -> float:
    """Return a whole number without a decimal point, as people write it."""
    return int(value) if value.is_integer() else value


def _source(row: Row) -> str:
    return f"{row['source']}, {row['where']}" if row["where"] else row["source"]


def _weakest(rows: Sequence[Row]) -> Row:
    return max(rows, key=lambda row: _CONFIDENCE.index(row["confidence"]))


def _device_confidence(rows: Sequence[Row]) -> str:
    return _weaker(_weakest(rows)["confidence"], *(_spoken(row["note"]) for row in rows))


def _spoken(words: str) -> str:
    return "approx" if "approx" in words or "secondary" in words else "solid"


def _weaker(*confidences: str) -> str:
    return max(confidences, key=_CONFIDENCE.index)
