"""The family of documents of one schema: the facts that everything that lists, reads or checks documents shares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel

from hardware.movable import Movable
from hardware.value_edits import with_values

DocumentKind = Literal["hardware", "workload", "environment", "calibration", "data", "weights", "start"]
Content = Mapping[str, Any]
Loaded = TypeVar("Loaded")


def nothing_movable(content: Content) -> tuple[Movable, ...]:
    """Return no movable values: the default of a family that declares none."""
    return ()


def nothing_to_check(content: Content) -> None:
    """Accept any content: the default of a family whose figures cannot contradict each other."""


def nothing_lacking(loaded: Any) -> tuple[str, ...]:
    """Return no kinds of figures: the default of a family whose documents have all that estimates take."""
    return ()


@dataclass(frozen=True, eq=False)
class DocumentFamily(Generic[Loaded]):
    """The documents of one schema, whatever its number.

    Attributes:
        name: the schema without its number ("battery").
        kind: kind of these documents.
        title: title of one of them ("Battery").
        plural: heading of a list of them.
        load: parses content of the newest number; raises `HardwareError`, or the `ProblemError` of engines.
        words: description of the loaded document in a few words, for lists.
        model: model of the document, for its JSON Schema; None where only engines make such documents.
        builtins: slug -> content of those that ship with the product, read once per process.
        number: the newest.
        upgrades: older schema ("battery/1") -> what turns its content into the next one, which it names under `schema`.
        stored: content as it is stored, with what a copy of it has to say.
        sample: content to start from, for a family of which no document ships.
        movable: the figures of a valid document that one may move on the page of a run, to see what would change.
        check: asks a valid document that is about to be stored; raises as `load` where its figures contradict each other.
        lacking: kinds of figures without which what was loaded has no estimate.
        moved: a copy of content with other values at dotted keys, and where they are from.
        contract: version of the contract with other packages that the family was written for.
    """

    name: str
    kind: DocumentKind
    title: str
    plural: str
    load: Callable[[Content], Loaded]
    words: Callable[[Loaded], str]
    model: type[BaseModel] | None = None
    builtins: Callable[[], Mapping[str, Content]] = dict
    number: int = 1
    upgrades: Mapping[str, Callable[[Content], Content]] = field(default_factory=dict)
    stored: Callable[[Content], Content] = dict
    sample: Callable[[], Content] | None = None
    movable: Callable[[Content], tuple[Movable, ...]] = nothing_movable
    check: Callable[[Content], None] = nothing_to_check
    lacking: Callable[[Loaded], tuple[str, ...]] = nothing_lacking
    moved: Callable[[Content, Mapping[str, Any], str], dict[str, Any]] = with_values
    contract: int = 1

    @property
    def schema(self) -> str:
        """The newest schema, as documents name it."""
        return f"{self.name}/{self.number}"

    def upgraded(self, content: Content) -> Content:
        """Return `content` in the newest schema, one number after the other; of a number that is not known as it is.

        Stored versions never change: they are brought up when they are read. Not copied: a built-in network makes its operations
        only when a person reads them.
        """
        while (step := self.upgrades.get(str(content.get("schema")))) is not None:
            content = step(content)
        return content

    def json_schema(self) -> dict[str, Any]:
        """Return the published JSON Schema (draft 2020-12).

        Raises:
            TypeError: there is none, as only engines make such documents.
        """
        if self.model is None:
            raise TypeError(f"{self.name} has no model")
        schema = self.model.model_json_schema(by_alias=True)
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": self.schema, **schema}
