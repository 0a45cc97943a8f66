"""The form of a new study: what is typed, read into a study document. No components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engines.contract.engine import Engine
from frontend.components.form import FieldSpec, field_specs, format_value, parse_value
from frontend.components.time_limit import SPEC as LIMIT_SPEC
from webapp.studies.document import EACH, MAX_CELLS


@dataclass(frozen=True)
class StudyDraft:
    """A study being put together.

    Attributes:
        inputs: slot -> slugs.
        params: parameter -> value, or {"each": values}; only what differs from the default.
        seeds: typed text, parsed by `read_seeds`.
        title: "" for the default one.
        stop_after_minutes: time limit of every run, None for none; what cannot be read stays as typed.
    """

    engine: str
    inputs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)
    seeds: str = "0"
    title: str = ""
    stop_after_minutes: Any = None

    def document(self) -> dict[str, Any]:
        """Return the study document that browser, CLI and API exchange."""
        inputs = {slot: list(slugs) for slot, slugs in self.inputs.items() if slugs}
        title = {"title": self.title} if self.title else {}
        limit = self.stop_after_minutes
        return {
            "engine": self.engine,
            **title,
            "inputs": inputs,
            "params": dict(self.params),
            "seeds": read_seeds(self.seeds),
            **({} if limit is None else {"stop_after_minutes": limit}),
        }


def draft_of_document(document: Mapping[str, Any]) -> StudyDraft:
    """Return the draft that a stored study document describes."""
    return StudyDraft(
        document["engine"],
        {slot: tuple(slugs) for slot, slugs in document.get("inputs", {}).items()},
        dict(document.get("params", {})),
        seeds_words(document.get("seeds", [0])),
        str(document.get("title", "")),
        document.get("stop_after_minutes"),
    )


def fresh_draft(engine: Engine, available: Mapping[str, Sequence[str]], wanted: Mapping[str, str]) -> StudyDraft:
    """Return a draft for an engine: the wanted inputs (comma-separated slugs) where they exist, else one that fits."""
    inputs: dict[str, tuple[str, ...]] = {}
    for slot, kind in engine.inputs.items():
        slugs = available.get(slot, ())
        asked = tuple(slug for slug in wanted.get(slot, "").split(",") if slug in slugs)
        usual = (kind.preferred,) if kind.preferred in slugs else tuple(slugs[:1])
        inputs[slot] = asked or (usual if kind.required else ())
    return StudyDraft(engine.name, inputs)


def can_vary(spec: FieldSpec) -> bool:
    """Return whether a parameter may be an axis of the grid."""
    return spec.kind != "text"


def is_each(value: Any) -> bool:
    """Return whether a parameter of a draft is an axis."""
    return isinstance(value, Mapping) and set(value) == {EACH}


def read_params(engine: Engine, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that differ from their default; a list represents `each`, and is kept however short it is."""
    found: dict[str, Any] = {}
    for spec in field_specs(engine.Params):
        if spec.name not in raw:
            continue
        given = raw[spec.name]
        if isinstance(given, list):
            found[spec.name] = {EACH: [parse_value(spec, each) for each in given]}
        elif (value := parse_value(spec, given)) != spec.default:
            found[spec.name] = value
    return found


def control_value(spec: FieldSpec, value: Any, each: bool) -> str | list[str]:
    """Return the value of a parameter's control: a list of texts for an axis, else one text."""
    if not each:
        return format_value(spec, value[EACH][0] if is_each(value) and value[EACH] else value)
    return [format_value(spec, one) for one in (value[EACH] if is_each(value) else [value])]


def judged_state(token: str, inputs: Mapping[str, Any], form: Mapping[str, Any], rest: Sequence[Any]) -> dict[str, Any]:
    """Return the values behind a summary, which the browser compares with the present form (`ready.study`).

    Args:
        token: token of the study (`CheckedStudy.token`); "" if it cannot start.
        inputs: slot -> what its control holds.
        form: parameter -> what its control holds.
        rest: engine, seeds and time limit, as their controls hold them.
    """
    return {"token": token, "draft": dict(inputs), "form": dict(form), "limit": list(rest)}


def opening_state(token: str, draft: StudyDraft, engine: Engine) -> dict[str, Any]:
    """Return `judged_state` of a page as it opens."""
    inputs = {slot: list(draft.inputs.get(slot, ())) for slot in engine.inputs}
    values = {spec.name: draft.params.get(spec.name, spec.default) for spec in field_specs(engine.Params)}
    form = {s.name: control_value(s, values[s.name], is_each(values[s.name])) for s in field_specs(engine.Params)}
    limit = format_value(LIMIT_SPEC, draft.stop_after_minutes)
    return judged_state(token, inputs, form, (engine.name, draft.seeds, limit))


def read_seeds(text: str) -> Any:
    """Return the seeds out of "0-4, 7"; what cannot be read stays text, so that the check can name it."""
    seeds: list[Any] = []
    for part in text.replace("–", "-").split(","):
        low, dash, high = (piece.strip() for piece in part.partition("-"))
        if dash and low.isdecimal() and high.isdecimal() and 0 <= int(high) - int(low) <= MAX_CELLS:
            seeds.extend(range(int(low), int(high) + 1))
        elif part.strip():
            seeds.append(int(part) if part.strip().isdecimal() else part.strip())
    return seeds


def seeds_words(seeds: Sequence[int]) -> str:
    """Return the reverse of `read_seeds`, runs of neighbours as ranges."""
    groups: list[list[int]] = []
    for seed in seeds:
        if groups and seed == groups[-1][-1] + 1:
            groups[-1].append(seed)
        else:
            groups.append([seed])
    return ", ".join(str(group[0]) if len(group) == 1 else f"{group[0]}-{group[-1]}" for group in groups)
