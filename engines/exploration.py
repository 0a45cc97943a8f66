"""Explore from a notebook or a script, without a server: `from engines import explore`.

found = explore("scar", hardware="simba-3x3-het-sides", workload="mlperf-scenario-4", params={"objective": "edp"}, seed=1)
found.front()
found.explain(found.best("edp_js").index)
found.save("designs.parquet")
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from engines.contract.designs import Designs
from engines.contract.encoding.decoding import from_plain
from engines.contract.encoding.result_json import to_json
from engines.contract.engine import Document, Engine, Infeasibility, InputKind, Problem, Step
from engines.contract.errors import ProblemError
from engines.contract.fronts.front import COUNTED
from engines.contract.integer_format import many
from engines.contract.numeric.numbers import plain
from engines.contract.progress.step import shortfall
from engines.contract.quantities import Quantity, by_name, objectives_of
from engines.contract.results import Result
from engines.documents.builtin import builtin_documents, get_builtin
from engines.documents.problems import make_problem
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.executor import executor_for
from engines.running.inspection import evaluate, explain
from engines.running.runner.readers import get_reader, reader_for
from engines.running.time_limits import reached_words, read_minutes, seconds_of
from engines.survey.survey import answer
from engines.survey.survey_result import SCHEMAS, Survey
from engines.workloads.loader import load_network

DocumentLike = str | Path | Document | Mapping[str, Any]
Progress = Callable[[Step], None]
_SHOWN_ROWS = 20
_WITH_BASELINES = (*COUNTED, "baseline")


@dataclass(frozen=True)
class Design:
    """A design: its number, its metrics and its decision."""

    index: int
    values: Mapping[str, float]
    decision: Mapping[str, Any]
    origin: str
    label: str


@dataclass
class Exploration:
    """The result of a run; partial if it was interrupted.

    Attributes:
        problem: problem of the run.
        designs: everything reported, in order.
        results: the run's own results by name.
        metrics: latest value of each metric.
        status: "done", "stopped" (interrupted) or "infeasible".
        infeasible: limit that no design meets, if there is one.
        fraction: share of the work done, 0..1.
        stop_after_minutes: the time limit that it was given; None for none.
        time_limit_reached: whether that is why it stopped.
    """

    problem: Problem
    designs: Designs
    results: dict[str, Result] = field(default_factory=dict)
    metrics: dict[str, float] = field(default_factory=dict)
    status: Literal["done", "stopped", "infeasible"] = "stopped"
    infeasible: Infeasibility | None = None
    fraction: float = 0.0
    stop_after_minutes: float | None = None
    time_limit_reached: bool = False

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The engine's columns: name, unit, sense, role."""
        return get_engine(self.problem.engine).quantities_of(self.problem.params)

    def front_indices(self, baselines: bool = False) -> list[int]:
        """Return the numbers of the non-dominated designs that meet every constraint, best first objective first.

        Args:
            baselines: whether baselines take part; without them, the front tells what the search found.
        """
        rows = self.designs.front(self.quantities, _WITH_BASELINES if baselines else COUNTED)
        objective = objectives_of(self.quantities)[0]
        first = self.designs.columns[objective.name][rows]
        order = np.argsort(first if objective.sense == "minimise" else -first, kind="stable")
        return [int(row) for row in rows[order]]

    def front(self, baselines: bool = False) -> Designs:
        """Return the designs of `front_indices`."""
        return self.designs.take(self.front_indices(baselines))

    def best(self, metric: str | None = None, baselines: bool = False) -> Design:
        """Return the best design that meets every constraint; the first of equals.

        Args:
            metric: name of the quantity that decides; by default the engine's primary one.
            baselines: whether baselines take part; without them, the best tells what the search found.

        Raises:
            ValueError: no such quantity, one without a better direction, or no design that has it or meets the limits.
        """
        name = metric or get_engine(self.problem.engine).primary_metric(self.problem)
        table = {n: q for n, q in by_name(self.quantities).items() if q.sense != "none"}
        if name not in table:
            raise ValueError(f"The metric must be one of {', '.join(table)}. Got {name!r} instead.")
        best = self.designs.best(table[name], self.quantities, _WITH_BASELINES if baselines else COUNTED)
        if best is None and self.infeasible is not None:
            raise ValueError(f"No design meets the limits. {_why(self.infeasible)}")
        if best is None and np.isfinite(self.designs.columns.get(name, np.empty(0))).any():
            raise ValueError("No design found so far meets the limits.")
        if best is None:
            raise ValueError(f"No design of this run has a finite {name}.")
        return self.design(best)

    def design(self, index: int) -> Design:
        """Return the design with that number.

        Raises:
            IndexError: there is none.
        """
        if not 0 <= index < len(self.designs):
            raise IndexError(f"The number of a design must be from 0 to {len(self.designs) - 1}. Got {index} instead.")
        values = {name: float(column[index]) for name, column in self.designs.columns.items()}
        designs = self.designs
        return Design(index, values, designs.decisions[index], designs.origin[index], designs.label[index])

    def explain(self, design: int | Design | Mapping[str, Any]) -> tuple[Result, ...]:
        """Return everything that can be shown of a design: by number, as `best` gave it, or of a decision of one's own."""
        if isinstance(design, int | np.integer):
            design = self.design(int(design))
        return explain(self.problem, design.decision if isinstance(design, Design) else plain(design))

    def evaluate(self, decisions: Sequence[Mapping[str, Any]]) -> Designs:
        """Return designs for your own decisions, evaluated like those of the search; a negative slack violates its limit.

        Raises:
            DecisionError: a decision does not describe a design of this problem; `field` begins with its number.
        """
        return evaluate(self.problem, [plain(decision) for decision in decisions])

    def save(self, path: str | Path) -> Path:
        """Write all designs, with units in the columns' metadata: CSV, Parquet or Arrow, as the file's ending says.

        Raises:
            ValueError: another ending.
        """
        from engines.exchange.export import designs_table, to_arrow, to_csv, to_parquet

        writers = {".csv": to_csv, ".parquet": to_parquet, ".arrow": to_arrow}
        target = Path(path)
        if target.suffix not in writers:
            raise ValueError(f"path: must end in {', '.join(writers)}. Got {target.name!r} instead.")
        target.write_bytes(writers[target.suffix](designs_table(self.designs, self.quantities)))
        return target

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON-able data; values that a design does not have are null."""
        front = set(self.front_indices())
        return {
            "problem": self.problem.canonical(),
            "problem_hash": self.problem.hash(),
            "status": self.status,
            "fraction": self.fraction,
            "stop_after_minutes": self.stop_after_minutes,
            "time_limit_reached": self.time_limit_reached,
            "infeasible": to_plain(self.infeasible),
            "metrics": {name: _finite(value) for name, value in self.metrics.items()},
            "quantities": [
                {"name": q.name, "title": q.title, "unit": q.unit, "sense": q.sense} for q in self.quantities
            ],
            "designs": [self._design_dict(index, index in front) for index in range(len(self.designs))],
            "results": {name: to_json(result) for name, result in self.results.items()},
        }

    def _design_dict(self, index: int, on_front: bool) -> dict[str, Any]:
        design = self.design(index)
        return {
            "index": index,
            "values": {name: _finite(value) for name, value in design.values.items()},
            "origin": design.origin,
            "label": design.label,
            "found_at_evaluation": int(self.designs.found_at_evaluation[index]),
            "on_front": on_front,
            "decision": dict(design.decision),
        }

    def __repr__(self) -> str:
        return (
            f"Exploration({self.problem.engine}, {self._status_words()}, {many(len(self.designs), 'design')}, "
            f"{len(self.front_indices())} on the front)"
        )

    def _repr_html_(self) -> str:
        """Return the front as a table, for notebooks."""
        indices = self.front_indices()
        heads = "".join(f"<th>{html.escape(_heading(q))}</th>" for q in self.quantities)
        rows = "".join(self._row_html(index) for index in indices[:_SHOWN_ROWS])
        more = f"<p>and {len(indices) - _SHOWN_ROWS} more</p>" if len(indices) > _SHOWN_ROWS else ""
        caption = html.escape(
            f"{self.problem.engine}: {self._status_words()}, {many(len(self.designs), 'design')}; the front"
        )
        reason = "" if self.infeasible is None else f"<p>{html.escape(_why(self.infeasible))}</p>"
        head = f"<thead><tr><th>Design</th>{heads}<th>Label</th></tr></thead>"
        return f"<table><caption>{caption}</caption>{head}<tbody>{rows}</tbody></table>{more}{reason}"

    def _status_words(self) -> str:
        if self.stop_after_minutes is None or not self.time_limit_reached:
            return self.status
        return f"{self.status}: {reached_words(self.stop_after_minutes)}"

    def _row_html(self, index: int) -> str:
        design = self.design(index)
        cells = "".join(f"<td>{design.values[quantity.name]:.5g}</td>" for quantity in self.quantities)
        return f"<tr><td>{index}</td>{cells}<td>{html.escape(design.label)}</td></tr>"


def explore(
    engine: str,
    *,
    hardware: DocumentLike | None = None,
    workload: DocumentLike | None = None,
    inputs: Mapping[str, DocumentLike] | None = None,
    params: Mapping[str, Any] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    workers: int = 1,
    stop_after_minutes: float | None = None,
) -> Exploration:
    """Run an engine in this process and return its result. Ctrl-C returns the designs found so far.

    Args:
        engine: name of a registered engine.
        hardware: document for the slot "hardware": a built-in's slug, a file (YAML, JSON, ONNX,
            MAESTRO's `.m`), a mapping, or a `Document`.
        workload: the same for the slot "workload".
        inputs: documents for any slot.
        params: the engine's parameters; defaults fill the rest.
        seed: keys all random streams.
        progress: called with every step.
        workers: processes to compute on, from 1 on; the values do not depend on it.
        stop_after_minutes: minutes after which it stops, at the end of the step at hand; what is found is the
            beginning of what would be found without.

    Raises:
        ProblemError: names the input or parameter that cannot be used.
    """
    minutes = read_minutes(stop_after_minutes)
    named: dict[str, DocumentLike] = dict(inputs or {})
    named |= {slot: value for slot, value in (("hardware", hardware), ("workload", workload)) if value is not None}
    found = get_engine(engine)
    documents = {slot: _document(slot, found.inputs.get(slot), value) for slot, value in named.items()}
    problem = make_problem(engine, documents, params or {}, seed)
    return _run(found, problem, progress, workers, minutes)


def survey_devices(
    workload: DocumentLike, *, devices: Sequence[str] = (), bits: str = "", power_mode: str = ""
) -> Survey:
    """Return latency and energy of one sample of a network on devices, the best energy-delay product first.

    Args:
        workload: a built-in's slug, a file (YAML, JSON, ONNX), a mapping, or a `Document`.
        devices: slugs of built-in devices; every one by default.
        bits: bits of weights and activations, as in "w8a8"; by default those of each device.
        power_mode: name of a mode; by default the highest clocks.

    Raises:
        ProblemError: names what cannot be used.
    """
    network = _document("workload", InputKind("workload", "Network", "", load_network), workload)
    known = builtin_documents("hardware")
    chosen = [get_builtin("hardware", slug) for slug in devices] or [known[slug] for slug in known]
    question = {
        "network": network.content,
        "devices": [(each.slug, each.content) for each in chosen if each.content.get("schema") in SCHEMAS],
        "calibrations": [],
        "options": {"bits": bits, "power_mode": power_mode},
    }
    return from_plain(Survey, answer(question))


def _run(
    engine: Engine, problem: Problem, progress: Progress | None, workers: int, minutes: float | None
) -> Exploration:
    found = Exploration(problem, Designs.empty(engine.quantities), stop_after_minutes=minutes)
    parts = [found.designs]
    with executor_for(workers) as executor:
        driven = drive(engine, problem, LocalContext(problem, executor), time_limit_s=seconds_of(minutes))
        try:
            for step in driven:
                if step.designs is not None:
                    parts.append(step.designs)
                found.results |= {result.name: result for result in step.results}
                found.metrics |= step.metrics
                found.fraction, found.infeasible = step.fraction, step.infeasible
                if progress is not None:
                    progress(step)
        except KeyboardInterrupt:
            pass  # what was found until now is worth keeping
    found.designs = Designs.concatenate(parts)
    found.status = driven.ending or "stopped"
    found.time_limit_reached = driven.out_of_time
    return found


def _document(slot: str, kind: InputKind | None, value: DocumentLike) -> Document:
    if isinstance(value, Document):
        return value
    if kind is None:  # an unknown slot: `make_problem` refuses it with the names of those that exist
        return Document("data", slot, 1, {})
    if isinstance(value, Mapping):
        return Document(kind.kind, str(value.get("slug", slot)), 1, plain(value))
    if isinstance(value, Path) or Path(value).suffix:  # no name of a document has an ending
        content = _read(slot, Path(value))
        return Document(kind.kind, str(content.get("slug", Path(value).stem)), 1, content)
    return get_builtin(kind.kind, value)


def _read(slot: str, path: Path) -> Mapping[str, Any]:
    """Return the document in a file: one's own, so it is trusted as any other code of the notebook."""
    try:
        return get_reader(reader_for(path.name))(path.read_bytes(), path.name, {}).content
    except OSError as error:
        raise ProblemError(f"inputs.{slot}", str(path), f"a readable file ({error.strerror})") from error
    except ProblemError as error:
        raise ProblemError(f"inputs.{slot}", str(path), f"a file that can be read ({error})") from error


def to_plain(value: Infeasibility | None) -> dict[str, Any] | None:
    """Return an infeasibility as JSON-able data."""
    if value is None:
        return None
    plain: dict[str, Any] = json.loads(json.dumps({**vars(value), "remedies": [list(r) for r in value.remedies]}))
    return plain


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _heading(quantity: Quantity) -> str:
    return f"{quantity.title} ({quantity.unit})" if quantity.unit else quantity.title


def _why(infeasible: Infeasibility) -> str:
    """Return the limit, the value reached and the first remedy, in words."""
    words = shortfall(infeasible.limit, infeasible.demand, infeasible.bound, infeasible.unit)
    return " ".join((words[:1].upper() + words[1:], *(text for text, _ in infeasible.remedies[:1])))
