"""Draft of a problem on the New run page, and facts about its inputs. No components."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl

from engines.contract.engine import Engine
from engines.workloads.network import Scenario
from frontend.components.form import FieldSpec, changed_values, field_specs, form_values, format_value, parse_value
from frontend.components.time_limit import SPEC as LIMIT_SPEC
from frontend.figures.numbers import NO_BREAK, integer, many, si
from frontend.pages.asked_number import asked_number
from frontend.theme import hardware_style
from hardware.package.model import ChipletPackage
from hardware.soc.model import ProcessingUnit, Soc
from webapp.base.data_folder import INSTALLED

# As from the folder of a checkout, where `make up` puts the interpreter.
PROGRAM = ("paretoscope",) if INSTALLED else (".venv/bin/python", "manage.py")
SEED = "seed of the run"
SEED_SPEC = FieldSpec(SEED, "Seed", "integer", 0, help="Same seed, same result", minimum=0, maximum=2**63 - 1)
_LONGEST_ADDRESS, _MOST_CARRIED = 2000, 32
# Where a page shows a package and nobody chose one; engines name their own (`InputKind.preferred`).
PREFERRED = {"hardware": "simba-3x3-het-sides"}


@dataclass(frozen=True)
class Draft:
    """A problem being put together.

    Attributes:
        engine: name of the engine.
        inputs: slot -> slug, or "slug@version" where a version is pinned.
        params: parameters that differ from their default.
        seed: as in `Problem`.
        parent: id of the run that it was started from.
        stop_after_minutes: time limit of the run, None for none; what cannot be read stays as typed.
        measure: what of its designs is measured while it searches, as a problem document says it; None for nothing.
    """

    engine: str
    inputs: Mapping[str, str]
    params: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    parent: int | None = None
    stop_after_minutes: Any = None
    measure: Mapping[str, Any] | None = None

    def document(self) -> dict[str, Any]:
        """Return the problem document that browser, CLI, API and notebook exchange."""
        inputs = {slot: reference_document(reference) for slot, reference in self.inputs.items()}
        document = {"engine": self.engine, "inputs": inputs, "params": dict(self.params), "seed": self.seed}
        more = {"stop_after_minutes": self.stop_after_minutes, "measure": self.measure}
        return document | {name: value for name, value in more.items() if value is not None}

    def to_json(self) -> dict[str, Any]:
        """Return the draft for a browser-side store. Browsers round whole numbers of more than 53 bits: the seed is text."""
        return {**vars(self), "inputs": dict(self.inputs), "params": dict(self.params), "seed": str(self.seed)}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Draft:
        """Return the draft that `to_json` wrote."""
        return Draft(**{**data, "seed": parse_value(SEED_SPEC, data["seed"])})


def reference_document(reference: str) -> str | dict[str, Any]:
    """Return `slug@3` becomes a mapping of slug and version; anything else stays, and is judged with the problem."""
    slug, _, version = reference.partition("@")
    number = asked_number(version)
    return reference if number is None else {"slug": slug, "version": number}


def reference_of(pinned: Any) -> str:
    """Return the reverse of `reference_document`."""
    if isinstance(pinned, Mapping):
        version = pinned.get("version")
        return f"{pinned['slug']}@{version}" if version else str(pinned["slug"])
    return str(pinned)


def draft_of_document(document: Mapping[str, Any], parent: int | None = None) -> Draft:
    """Return the draft that a problem document describes."""
    inputs = {slot: reference_of(pinned) for slot, pinned in document.get("inputs", {}).items()}
    params, seed = dict(document.get("params", {})), int(document.get("seed", 0))
    limit, measure = document.get("stop_after_minutes"), document.get("measure")
    return Draft(document["engine"], inputs, params, seed, parent, limit, measure)


def carried(text: str) -> dict[str, str]:
    """Return the engine and inputs of a run's address, as a page that was opened from it carries them along.

    `{}` for nonsense.
    """
    pairs = parse_qsl(text[:_LONGEST_ADDRESS], max_num_fields=_MOST_CARRIED) if text.count("&") < _MOST_CARRIED else []
    found = dict(pairs)
    return found if "engine" in found else {}


def fresh_draft(engine: Engine, available: Mapping[str, Sequence[str]], wanted: Mapping[str, str]) -> Draft:
    """Return a draft for an engine: the wanted inputs where they exist, else the preferred, else the first.

    `ready` among what is wanted names one of the engine's ready-made problems, which comes whole. None is applied unasked.

    Args:
        engine: whose slots to fill.
        available: slot -> slugs that fit.
        wanted: slot -> slug, and name of a parameter -> its value in words, as asked for (from the address).
    """
    asked_params = _asked_params(engine, wanted)
    chosen = next((each for each in engine.presets if each.name == wanted.get("ready")), None)
    if chosen is not None:
        return Draft(engine.name, dict(chosen.inputs), dict(chosen.params) | asked_params)
    inputs: dict[str, str] = {}
    for slot, kind in engine.inputs.items():
        slugs = available.get(slot, ())
        asked = wanted.get(slot, "")
        if asked.partition("@")[0] in slugs:
            inputs[slot] = asked
        elif kind.preferred in slugs:
            inputs[slot] = kind.preferred
        elif kind.required and slugs:
            inputs[slot] = slugs[0]
    return Draft(engine.name, inputs, asked_params)


def _asked_params(engine: Engine, wanted: Mapping[str, str]) -> dict[str, Any]:
    """Return the parameters that an address sets; what cannot be read stays as typed, for validation to name."""
    specs = [spec for spec in field_specs(engine.Params) if spec.name in wanted and spec.name not in engine.inputs]
    return {spec.name: parse_value(spec, wanted[spec.name]) for spec in specs}


def specs_of(engine: Engine) -> tuple[FieldSpec, ...]:
    """Return the fields of the parameters section: the engine's own, with the seed before the folded ones."""
    specs = field_specs(engine.Params)
    return (*(s for s in specs if s.tier == "usual"), SEED_SPEC, *(s for s in specs if s.tier != "usual"))


def with_form(draft: Draft, engine: Engine, raw: Mapping[str, Any]) -> Draft:
    """Return `draft` with what stands in the form; values that cannot be read stay as typed, for validation to name."""
    values = form_values(specs_of(engine), raw)
    seed = values.pop(SEED)
    return replace(draft, params=changed_values(field_specs(engine.Params), values), seed=seed)


def seed_error(seed: Any) -> str:
    """Return the error message for a seed; "" if it is valid."""
    return (
        "" if isinstance(seed, int) and 0 <= seed < 2**63 else f"Must be a whole number from 0 on. Got {seed} instead"
    )


def changed_words(engine: Engine, draft: Draft) -> str:
    """Return the number of parameters, seed included, that differ from their defaults, and the preset that set them."""
    specs = field_specs(engine.Params)
    values = changed_values(specs, draft.params)
    changed = len(values) + (1 if draft.seed else 0)
    if not changed:
        return "all have defaults"
    filled = (each for each in engine.presets if each.inputs == draft.inputs and not draft.seed)
    title = next((each.title for each in filled if changed_values(specs, each.params) == values), "")
    return f"all have defaults; {changed} changed" + (f", as in the preset “{title}”" if title else "")


def command(draft: Draft) -> str:
    """Return the same run for the command line."""
    words = [*PROGRAM, "explore", draft.engine]
    for slot, reference in draft.inputs.items():
        words += [f"--{slot}", reference] if slot in ("hardware", "workload") else ["--input", f"{slot}={reference}"]
    for name, value in draft.params.items():
        words += [
            "--set",
            f"{name}={'' if value is None else str(value).lower() if isinstance(value, bool) else value}",
        ]
    words += ["--seed", str(draft.seed)]
    if draft.stop_after_minutes is not None:
        words += ["--stop-after-minutes", format_value(LIMIT_SPEC, draft.stop_after_minutes)]
    if draft.measure is not None:
        words += ["--measure", ",".join(f"{name}={value}" for name, value in draft.measure.items())]
    return shlex.join(words)


def default_title(titles: Mapping[str, str], engine: Engine) -> str:
    """Return the workload on hardware ("Scenario 4 on Het-Sides 3×3"), from the titles of the inputs by slot.

    Where nothing but the hardware is chosen, the engine represents what runs there ("SCAR on Het-Sides 3×3").
    """
    if "workload" in titles and "hardware" in titles:
        return f"{titles['workload'].partition(':')[0]} on {titles['hardware']}"
    if "hardware" in titles and titles.keys() <= {"hardware", "calibration"}:
        return f"{engine.title} on {titles['hardware']}"
    return ", ".join(titles.values()) or engine.title


# -- hardware ---------------------------------------------------------------------------------------------------------


def dataflow_counts(package: ChipletPackage) -> str:
    """Return the number of chiplets of each dataflow: "6 NVDLA, 3 Shi"."""
    counts = Counter(chiplet.dataflow for chiplet in package.chiplets)
    return ", ".join(f"{number} {hardware_style(dataflow).short}" for dataflow, number in counts.most_common())


def dataflows_by_row(package: ChipletPackage) -> tuple[tuple[str, ...], ...]:
    """Return the dataflow of every chiplet, row by row."""
    columns = range(package.columns)
    return tuple(tuple(package.chiplet_at(row, column).dataflow for column in columns) for row in range(package.rows))


def hardware_facts(package: ChipletPackage) -> tuple[tuple[str, str], ...]:
    """Label and value of what a package is made of."""
    network, memory = package.network, package.memory
    elements = sorted({chiplet.processing_elements for chiplet in package.chiplets})
    buffers = sorted({chiplet.buffer_bytes for chiplet in package.chiplets})
    return (
        ("Array", " or ".join(integer(number) for number in elements) + f"{NO_BREAK}PE"),
        ("Buffer", " or ".join(si(size, "B") for size in buffers)),
        ("Clock", si(package.clock_hz, "Hz")),
        ("Link", f"{si(network.bandwidth_bytes_per_s, 'B/s')}, {si(network.hop_latency_s, 's')}"),
        ("Off-chip", f"{si(memory.bandwidth_bytes_per_s, 'B/s')}, {si(memory.latency_s, 's')}"),
        ("DRAM", f"{memory.energy_pj_per_bit:g}{NO_BREAK}pJ/bit"),
    )


def soc_facts(soc: Soc) -> tuple[tuple[str, str], ...]:
    """Label and value of what a system on a chip is made of, as far as it is published."""
    clocked = [unit for unit in soc.units.values() if unit.known_clocks_hz]
    facts = [
        (soc_unit_title(unit), f"{many(len(unit.frequencies_hz), 'clock')} to {si(unit.frequencies_hz[-1], 'Hz')}")
        for unit in clocked
    ]
    if soc.memory:
        facts.append(("Memory", si(soc.memory.bandwidth_bytes_per_s(), "B/s")))
    if soc.power_modes:
        facts.append(("Power modes", integer(len(soc.power_modes))))
    return tuple(facts)


def soc_unit_title(unit: ProcessingUnit) -> str:
    """Return a unit by its name, and how many there are: "GPU", "2 DLA"."""
    name = unit.name.upper() if len(unit.name) <= 3 else unit.name.capitalize()
    return f"{unit.count}{NO_BREAK}{name}" if unit.count > 1 else name


# -- workload ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ModelRow:
    """One model of a scenario: `macs` of the whole batch, `share` of the heaviest model's."""

    title: str
    batch: int
    layers: int
    macs: float
    share: float


def model_rows(scenario: Scenario) -> tuple[ModelRow, ...]:
    """Return a row per model, in the scenario's order."""
    macs = [model.batch * model.network.macs for model in scenario.models]
    most = max(macs, default=0) or 1
    return tuple(
        ModelRow(model.network.title, model.batch, len(model.network.layers), total, total / most)
        for model, total in zip(scenario.models, macs, strict=True)
    )


def workload_facts(scenario: Scenario, package: ChipletPackage | None) -> tuple[tuple[str, str], ...]:
    """Return the weights of all models, and what the package could at best do with them."""
    elements = sum(network.weight_elements for network in {m.network.slug: m.network for m in scenario.models}.values())
    if package is None:
        return (("Weights", f"{si(elements, '')} elements"),)
    weight_bytes = elements * package.word_bytes
    rate = sum(chiplet.processing_elements for chiplet in package.chiplets) * package.clock_hz
    macs = sum(model.batch * model.network.macs for model in scenario.models)
    doors = sum(package.has_interface(chiplet.index) for chiplet in package.chiplets)
    loading = weight_bytes / (package.memory.bandwidth_bytes_per_s * doors) if doors else float("inf")
    return (
        ("Weights", si(weight_bytes, "B")),
        (f"Weights through {doors} interfaces", si(loading, "s")),
        ("All MACs at full use", si(macs / rate, "s")),
    )
