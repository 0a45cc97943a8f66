"""The families of documents: found by name, imported on first use; a new one is a line of `BUILT_INS`.

Other packages announce theirs under the entry point group `paretoscope.families`. One that does not work is left out.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any, cast

from engines.contract.errors import ProblemError, RegistrationError
from engines.contract.plug_ins import PlugIn, announced, check_contract, installed_plug_ins
from hardware.errors import HardwareError
from hardware.family import Content, DocumentFamily, nothing_lacking

ENTRY_POINT_GROUP = "paretoscope.families"
SUMMARY_LENGTH = 300
# Name -> "module:CONSTANT", in the order in which lists have them. Paths and not imports: a run's process reads a document or two
# and does without the rest, and the weights of a method stand with the method.
BUILT_INS: dict[str, str] = {
    "chiplet-package": "hardware.package.family:PACKAGE",
    "soc": "hardware.soc.family:SOC",
    "sensor-node": "hardware.sensor_node.family:SENSOR_NODE",
    "radio": "hardware.radio.family:RADIO",
    "battery": "hardware.battery.family:BATTERY",
    "chiplet-system": "hardware.chiplet_system.family:CHIPLET_SYSTEM",
    "silicon-cost": "hardware.silicon.family:SILICON_COST",
    "environment": "hardware.environment.family:ENVIRONMENT",
    "recording": "engines.recordings.family:RECORDING",
    "image-data": "engines.data.documents:IMAGE_DATA",
    "click-log": "engines.data.click_log:CLICK_LOG",
    "supernet-weights": "engines.supernets.weights_document:SUPERNET_WEIGHTS",
    "network-weights": "engines.learning.weights_document:NETWORK_WEIGHTS",
    "measured-exits": "engines.methods.hadas.exit_measurements:MEASURED_EXITS",
    "measured-cuts": "engines.methods.map_and_conquer.stage_measurements:MEASURED_CUTS",
    "measured-bottlenecks": "engines.methods.split_computing.bottleneck.document:MEASURED_BOTTLENECKS",
    "estimator-weights": "engines.methods.mapformer.estimator.document:ESTIMATOR_WEIGHTS",
    "soc-calibration": "hardware.calibration.family:CALIBRATION",
    "scenario": "engines.workloads.document_families:SCENARIO",
    "network": "engines.workloads.document_families:NETWORK",
}
_registered: dict[str, str] = {}


def register_family(name: str, path: str) -> None:
    """Add a family of another package.

    Args:
        name: name of its schema, without the number.
        path: "module:CONSTANT".

    Raises:
        RegistrationError: the name is taken by another one.
    """
    taken = (BUILT_INS | _registered | _announced()).get(name, path)
    if taken != path:
        raise RegistrationError(f"The family {name!r} is taken by {taken}. Got {path} for the same name.")
    _registered[name] = path


def unregister_family(name: str) -> None:
    """Forget a family that `register_family` added."""
    _registered.pop(name, None)


def families(kind: str | None = None) -> tuple[DocumentFamily[Any], ...]:
    """Return all families, or those of one kind of document."""
    found = (_imported(path) for path in (BUILT_INS | _registered | _working_plug_ins()).values())
    return tuple(family for family in found if kind in (None, family.kind))


def published() -> tuple[DocumentFamily[Any], ...]:
    """Return the document families that users write: those with a JSON Schema."""
    return tuple(family for family in families() if family.model is not None)


def family_called(name: str) -> DocumentFamily[Any]:
    """Return the published family of that name.

    Raises:
        ProblemError: there is none; names those that exist.
    """
    found = {family.name: family for family in published()}
    if name not in found:
        raise ProblemError("family", name, f"one of {', '.join(found)}")
    return found[name]


def family_of(content: Content, kind: str | None = None) -> DocumentFamily[Any]:
    """Return the family that the content's `schema` names.

    Raises:
        ProblemError: the content has no schema, an unknown one, or one of another kind of document.
    """
    family = _named(content.get("schema"))
    if family is None or kind not in (None, family.kind):
        accepted = "one of " + ", ".join(f'"{each.schema}"' for each in families(kind))
        raise ProblemError("schema", content.get("schema"), accepted)
    return family


def upgraded(content: Content) -> Content:
    """Return the content in the newest schema of its family; content of an unknown family comes back as it is."""
    family = _named(content.get("schema"))
    return content if family is None else family.upgraded(content)


def stored(content: Content) -> dict[str, Any]:
    """Return the content as it is stored, with what a copy of it has to say."""
    family = _named(content.get("schema"))
    return dict(content if family is None else family.stored(content))


def newest(schema: str) -> str:
    """Return the schema that content of `schema` has when it was read."""
    family = _named(schema)
    return family.schema if family is not None and schema in family.upgrades else schema


def older(schema: str) -> frozenset[str]:
    """Return the schemas that are brought up to `schema` when they are read."""
    family = _named(schema)
    return frozenset(family.upgrades) if family is not None and family.schema == schema else frozenset()


def load(content: Content, kind: str | None = None) -> Any:
    """Validate the content completely and give what engines work with.

    Raises:
        ProblemError: names the key, what was got and what is accepted.
    """
    family = family_of(content, kind)
    try:
        return family.load(family.upgraded(content))
    except HardwareError as error:
        raise ProblemError.of(error).with_others(error.others) from error


def check(content: Content, kind: str | None = None) -> None:
    """Validate content that is about to be stored, and whether its figures agree with each other.

    Raises:
        ProblemError: as `load`.
    """
    load(content, kind)
    family = family_of(content, kind)
    try:
        family.check(family.upgraded(content))
    except HardwareError as error:
        raise ProblemError.of(error).with_others(error.others) from error


def lacking(content: Content) -> tuple[str, ...]:
    """Return kinds of figures that a valid document lacks for estimates.

    Raises:
        ProblemError: as `load`.
    """
    family = family_of(content)
    return () if family.lacking is nothing_lacking else family.lacking(load(content))


def summary_of(content: Content) -> str:
    """Return a few words about a valid document.

    Raises:
        ProblemError: as `load`.
    """
    return family_of(content).words(load(content))[:SUMMARY_LENGTH]


def example(family: DocumentFamily[Any]) -> dict[str, Any]:
    """Return a document of that family to start from: its sample, or else the first built-in one, under a name of its own."""
    content = next(iter(family.builtins().values())) if family.sample is None else family.sample()
    content = {key: value for key, value in content.items() if key != "lineage"}  # a new device is a copy of none
    return {**content, "slug": f"my-{content['slug']}"[:80].rstrip("-"), "title": f"My {content['title']}"}


def _named(schema: object) -> DocumentFamily[Any] | None:
    name = schema.partition("/")[0] if isinstance(schema, str) else ""
    path = BUILT_INS.get(name) or _registered.get(name) or (_working_plug_ins().get(name) if name else None)
    return None if path is None else _imported(path)


def plug_ins() -> tuple[PlugIn, ...]:
    """Return the families of other packages, with the reason for each that is left out."""
    return installed_plug_ins(ENTRY_POINT_GROUP, _loaded, _announced() | BUILT_INS)


@cache
def _announced() -> dict[str, str]:
    return announced(ENTRY_POINT_GROUP, BUILT_INS)


@cache
def _working_plug_ins() -> dict[str, str]:
    return {each.name: each.path for each in plug_ins() if not each.problem}


def _loaded(name: str) -> None:
    """Load a family of another package.

    Raises:
        RegistrationError: it does not work, with the reason.
    """
    path = _announced()[name]
    try:
        family: object = _imported(path)
    except Exception as error:
        raise RegistrationError(f"The family {name!r} at {path} cannot be imported: {error!r}.") from error
    if not isinstance(family, DocumentFamily) or family.name != name:
        raise RegistrationError(f"{path} must be a DocumentFamily named {name!r}. Got {family!r:.80} instead.")
    check_contract(f"The family {name!r}", family)


@cache
def _imported(path: str) -> DocumentFamily[Any]:
    module, _, constant = path.partition(":")
    return cast(DocumentFamily[Any], getattr(importlib.import_module(module), constant))
