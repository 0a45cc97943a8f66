"""The problem of a run: engine, documents, validated parameters and seed, with its hash."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic

from pydantic import BaseModel, ConfigDict
from typing_extensions import TypeVar

from engines.contract.designs import canonical_json
from engines.contract.errors import ProblemError
from engines.contract.inputs import Document
from hardware.errors import Remedy

Parsed = TypeVar("Parsed")


class EngineParams(BaseModel):
    """Base of every engine's `Params`: frozen, refuses unknown names.

    A field is declared with `Field(default, title=..., description=..., ge=..., le=..., json_schema_extra={"unit": "splits",
    "group": "Search", "tier": "usual"})`. Choices are `Literal[...]`; words for them go to `json_schema_extra["choices"]` as
    {value: title}. Form, CLI and API are generated from it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


OfParams_co = TypeVar("OfParams_co", bound=EngineParams, default=EngineParams, covariant=True)


@dataclass(frozen=True)
class Problem(Generic[OfParams_co]):
    """The problem that a run computes: engine, documents by input, validated parameters, seed.

    Attributes:
        engine, version: name and version of the engine.
        inputs: input name -> document version.
        params: an instance of the engine's `Params`.
        seed: non-negative integer below 2**63.
        values: input name -> parsed document (`InputKind.load`); derived, so it does not change the hash.
        written: True if `params` were read from a stored problem. `canonical` and `hash` then contain only the stored
        parameters: a parameter that a later release adds, with a default, must not change stored hashes, or
            checkpoints and bundles would belong to another problem.
    """

    engine: str
    version: int
    inputs: Mapping[str, Document]
    params: OfParams_co
    seed: int = 0
    values: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    written: bool = field(default=False, compare=False, repr=False)

    def value(self, slot: str, kind: type[Parsed]) -> Parsed:
        """Return the parsed document of input `slot`; read an optional input only if `inputs` contains it.

        Raises:
            KeyError: `inputs` does not contain the input.
            TypeError: the parsed document is not an instance of `kind`.
        """
        found = self.values[slot]
        if not isinstance(found, kind):
            raise TypeError(f"The input {slot} of {self.engine} is a {type(found).__name__}, not a {kind.__name__}.")
        return found

    def optional(self, slot: str, kind: type[Parsed]) -> Parsed | None:
        """Return the parsed document of an optional input; None if it is empty.

        Raises:
            TypeError: as `value`.
        """
        return self.value(slot, kind) if slot in self.inputs else None

    def canonical(self) -> dict[str, Any]:
        """Return the problem as one JSON document, the format of command line, API, notebooks and pages."""
        return {
            "engine": self.engine,
            "version": self.version,
            "inputs": {
                slot: {"kind": doc.kind, "slug": doc.slug, "version": doc.version, "hash": doc.content_hash()}
                for slot, doc in sorted(self.inputs.items())
            },
            "params": self.params_json(),
            "seed": self.seed,
        }

    def params_json(self) -> dict[str, Any]:
        """Return the parameters as JSON values: all of them, or only the stored ones if `written`."""
        return self.params.model_dump(mode="json", exclude_unset=self.written)

    def hash(self) -> str:
        """Return the SHA-256 (hex) of the canonical document, slugs and version numbers left out: equal content, equal hash."""
        return self._hash

    @cached_property
    def _hash(self) -> str:
        document = self.canonical()
        document["inputs"] = {slot: {"kind": d["kind"], "hash": d["hash"]} for slot, d in document["inputs"].items()}
        return hashlib.sha256(canonical_json(document).encode()).hexdigest()


def require(
    condition: bool,
    field_name: str,
    got: Any,
    accepted: str,
    *,
    reason: str = "",
    remedies: Sequence[str | Remedy] = (),
) -> None:
    """Raise `ProblemError` with the other arguments unless `condition` holds."""
    if not condition:
        raise ProblemError(field_name, got, accepted, reason=reason, remedies=remedies)
