"""From names, documents and parameters to a `Problem`, with every mistake named by its field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from engines.contract.engine import Document, Engine, InputKind, Problem
from engines.contract.errors import ProblemError, UnknownEngineError
from engines.contract.numeric.numbers import plain, whole_number
from engines.documents.families import upgraded
from engines.registry import engine_names, get_engine
from hardware.errors import HardwareError, Remedy

MAX_SEED = 2**63 - 1
Resolve = Callable[[str, str, int], Document]


def make_problem(
    engine_name: str,
    inputs: Mapping[str, Document],
    params: Mapping[str, Any],
    seed: int = 0,
    *,
    engine_path: str | None = None,
) -> Problem[Any]:
    """Return a validated problem; what its engine accepts (`Engine.prepare`) is left to the caller.

    Args:
        engine_name: a registered engine.
        inputs: slot -> document version.
        params: parameter name -> value; the engine's defaults fill the rest.
        seed: integer from 0 to 2**63 - 1.
        engine_path: "module:Class" where the engine is not to be looked up.

    Raises:
        ProblemError: with the field `engine`, `inputs.<slot>`, `params.<name>` or `seed`, or what the loader of a
            document found ("inputs.hardware: package.columns").
    """
    try:
        engine = get_engine(engine_name, engine_path)
    except UnknownEngineError as error:
        raise ProblemError("engine", engine_name, f"one of {', '.join(engine_names())}") from error
    seed = read_seed(seed)
    _check_slots(engine, inputs)
    values = {slot: _load(slot, engine.inputs[slot], document) for slot, document in inputs.items()}
    return replace(_unloaded(engine, inputs, params, seed), values=values)


def kept_problem(
    engine_name: str,
    inputs: Mapping[str, Document],
    params: Mapping[str, Any],
    seed: int,
    version: int,
    *,
    engine_path: str | None = None,
    load: bool = True,
) -> Problem[Any]:
    """Read a problem that was written down, perhaps by an earlier release: parameters that came later have their default.

    As `make_problem`, or as `unloaded_problem` without `load`; `version` is that of the engine which the problem is pinned to.

    Raises:
        ProblemError: the installed engine has another version, or does not accept what was accepted then.
    """
    try:
        if load:
            problem = make_problem(engine_name, inputs, params, seed, engine_path=engine_path)
        else:
            problem = unloaded_problem(engine_name, inputs, params, seed)
    except ProblemError as error:
        reason = f"Another release wrote this problem. {error.reason}".strip()
        advice = [Remedy("Start a new run."), *error.remedies]
        raise ProblemError(
            error.field, error.got, error.accepted, error.line, reason=reason, remedies=advice
        ) from error
    require_version(problem, version)
    return replace(problem, written=True)


def with_document(engine: Engine, problem: Problem[Any], slot: str, document: Document) -> Problem[Any]:
    """Return the problem with another document in a slot; the others, of which a network may take long, are not read again.

    Raises:
        ProblemError: as `make_problem`.
    """
    inputs = {**problem.inputs, slot: document}
    _check_slots(engine, inputs)
    values = {**problem.values, slot: _load(slot, engine.inputs[slot], document)}
    return replace(problem, inputs=inputs, values=values)


def unloaded_problem(
    engine_name: str, inputs: Mapping[str, Document], params: Mapping[str, Any], seed: int = 0
) -> Problem:
    """Make a problem like `make_problem`, without the contents of its documents (`values` is empty): for a process that loads them.

    Raises:
        ProblemError: as `make_problem`, but for what the loaders of the documents find.
    """
    engine = get_engine(engine_name)
    seed = read_seed(seed)
    _check_slots(engine, inputs)
    return _unloaded(engine, inputs, params, seed)


def _unloaded(engine: Engine, inputs: Mapping[str, Document], params: Mapping[str, Any], seed: int) -> Problem:
    return Problem(
        engine=engine.name,
        version=engine.version,
        inputs=dict(inputs),
        params=validate_params(engine.Params, params),
        seed=seed,
        values={},
    )


def require_version(problem: Problem, version: int) -> None:
    """Raise `ProblemError` unless the installed engine has the version that a problem was pinned to."""
    if problem.version != version:
        accepted = f"{problem.version}, the version of the installed engine {problem.engine}"
        raise ProblemError(
            "version", version, accepted, reason="Another release wrote this problem.", remedies=["Start a new run."]
        )


def read_seed(seed: object, field: str = "seed") -> int:
    """Return a seed as a whole number of Python.

    Raises:
        ProblemError: it is none, or not from 0 to `MAX_SEED`.
    """
    found = whole_number(seed)
    if found is None or not 0 <= found <= MAX_SEED:
        raise ProblemError(field, seed, f"a whole number from 0 to {MAX_SEED}")
    return found


def validate_params(cls: type[BaseModel], params: object) -> Any:
    """Return an instance of `cls`.

    Raises:
        ProblemError: for the first parameter that is unknown or whose value is not accepted; field "params.<name>".
    """
    if isinstance(params, cls):
        return params
    if not isinstance(params, Mapping):
        raise ProblemError("params", params, "a mapping of parameter names to values")
    given = plain(params)
    for name, value in given.items():
        if isinstance(value, bool) and name in cls.model_fields and _takes_numbers(cls.model_fields[name].annotation):
            raise ProblemError(f"params.{name}", value, "a number")  # pydantic reads true as 1
    try:
        return cls.model_validate(given)
    except ValidationError as error:
        raise _params_error(cls, error.errors(include_url=False)[0]) from error


def _takes_numbers(annotation: Any) -> bool:
    """Return whether a field takes numbers and no truth values."""
    kinds = get_args(annotation) or (annotation,)
    return bool({int, float} & set(kinds)) and bool not in kinds


def _params_error(cls: type[BaseModel], detail: ErrorDetails) -> ProblemError:
    name = ".".join(str(part) for part in detail["loc"]) or "params"
    field = name if not detail["loc"] else f"params.{name}"
    if detail["type"] == "extra_forbidden":
        return ProblemError(field, detail["input"], f"one of the parameters {', '.join(sorted(cls.model_fields))}")
    if detail["type"] == "finite_number":
        return ProblemError(field, detail["input"], "a finite number")
    message = detail["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
    return ProblemError(field, detail["input"], message)


def _accepted(kind: InputKind) -> str:
    """Return the accepted documents of an input, in words.

    A mistake alone needs the loaders of every kind of document: a run's child does without.
    """
    from engines.documents.builtin import accepted_builtins

    return accepted_builtins(kind)


def _check_slots(engine: Engine, inputs: Mapping[str, Document]) -> None:
    for slot in inputs:
        if slot not in engine.inputs:
            raise ProblemError(
                f"inputs.{slot}", slot, f"one of the inputs {', '.join(sorted(engine.inputs)) or '(none)'}"
            )
    for slot, kind in engine.inputs.items():
        document = inputs.get(slot)
        if document is None:
            if kind.required:
                raise ProblemError(f"inputs.{slot}", None, _accepted(kind))
        elif document.kind != kind.kind:
            raise ProblemError(f"inputs.{slot}", f"{document.slug} ({document.kind})", _accepted(kind))


def _examples(kind: InputKind) -> str:
    """Return the usual built-in document of a slot, else the first that fits; "none is built in" where there is none."""
    from engines.documents.builtin import fitting_builtins

    fitting = fitting_builtins(kind)
    return kind.preferred if kind.preferred in fitting else next(iter(fitting), "none is built in")


def _load(slot: str, kind: InputKind, document: Document) -> Any:
    content = upgraded(document.content)
    schema = content.get("schema")
    if kind.schemas and schema not in kind.schemas:
        accepted = f"one of {', '.join(kind.schemas)}"
        raise ProblemError(
            f"inputs.{slot}.schema", schema, f"{accepted}", remedies=[f"Use for example {_examples(kind)}."]
        )
    try:
        return kind.load(content)
    except (HardwareError, ProblemError) as error:
        raise ProblemError.of(error, f"inputs.{slot}.{error.field}") from error
