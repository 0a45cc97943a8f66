"""The model that a result of a run holds for: its choices in words. A proof names all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.chiplets.params import ScheduleParams
from engines.contract.results import Table, TableColumn
from engines.cost.estimators.registry import DEFAULT

# What changes the model itself. How long and in which order is searched changes only how near a result comes to its bound.
_MODEL_CHOICES = (
    "n_splits", "packing", "node_rule", "root_rule", "latency_reading", "mini_batch", "weight_loading",
    "output_stationary_mapping", "dram_rule", "contention", "model_chiplets",
)  # fmt: skip


def choice_words(params: ScheduleParams, name: str) -> str:
    """Return the value of a parameter as forms show it."""
    if name == "n_splits" and params.n_splits_search == "range":
        return f"any from {params.n_splits_least} to {params.n_splits}"
    value = getattr(params, name)
    extra = type(params).model_fields[name].json_schema_extra
    words: Any = extra.get("choices") if isinstance(extra, Mapping) else None
    named = words.get(value) if isinstance(words, Mapping) else None  # other packages add cost models
    return str(named or value or "all")


def choice_title(name: str) -> str:
    """Return the name of a parameter as forms show it."""
    return ScheduleParams.model_fields[name].title or name


def stated_model(params: ScheduleParams) -> str:
    """Return all choices that a proof or a bound holds for, in one sentence without its end."""
    choices = "; ".join(
        f"{_within_a_sentence(choice_title(name))}: {choice_words(params, name)}" for name in _model_choices(params)
    )
    return f"odema-2024 sections 4.3.5 and 4.3.6, a chiplet for one model per window, and these choices ({choices})"


def proven_label(params: ScheduleParams) -> str:
    """Return the label of a proven design; it names what most often differs between the stated models of two runs."""
    parts = (
        f"{choice_words(params, 'n_splits')} boundaries",
        f"{params.packing} packing",
        "chiplets shared by eq 4.2 as a sum over layers"
        if params.node_rule == "provisioned"
        else "any number of chiplets",
        "published starts" if params.root_rule == "published" else "free starts",
        *([] if params.cost_model == DEFAULT else [f"cost model {params.cost_model}"]),
        *(["chiplets of models constrained"] if params.model_chiplets.strip() else []),
    )
    return f"proven optimal ({', '.join(parts)})"


def _model_choices(params: ScheduleParams) -> tuple[str, ...]:
    later = [
        name for name in ("bits", "cost_model") if getattr(params, name) != ScheduleParams.model_fields[name].default
    ]
    return (*_MODEL_CHOICES, *later)


def _within_a_sentence(title: str) -> str:
    return title[:1].lower() + title[1:]


def choices_table(params: ScheduleParams, objective: str, n_splits: int) -> Table:
    """Return the choices of a run, and the number of window boundaries that it came to."""
    words = {"objective": objective} | {
        name: choice_words(params, name) for name in ("search", *_model_choices(params))
    }
    if params.n_splits_search == "range":
        words["n_splits"] = f"{n_splits}, the best of {params.n_splits_least} to {params.n_splits}"
    return Table(
        name="choices",
        title="Choices of this run",
        table_columns=(
            TableColumn("Choice", tuple(choice_title(name) for name in words)),
            TableColumn("Value", tuple(words.values())),
        ),
    )
