"""The published JSON Schemas of documents, each with an example that it accepts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from engines.contract.engine import DocumentKind
from engines.contract.errors import ProblemError
from engines.documents.builtin import builtin_documents
from engines.recordings.schema import recording_json_schema
from engines.workloads.schema import network_json_schema, scenario_json_schema
from hardware.battery.schema import battery_json_schema
from hardware.calibration.schema import calibration_json_schema
from hardware.environment.schema import environment_json_schema
from hardware.package.schema import package_json_schema
from hardware.radio.schema import radio_json_schema
from hardware.sensor_node.schema import sensor_node_json_schema
from hardware.soc.schema import soc_json_schema
from webapp.catalogue.formats import FORMATS

# Family of `webapp.catalogue.formats` -> its schema.
PUBLISHED: Mapping[str, Callable[[], dict[str, Any]]] = {
    "chiplet-package": package_json_schema,
    "soc": soc_json_schema,
    "sensor-node": sensor_node_json_schema,
    "radio": radio_json_schema,
    "battery": battery_json_schema,
    "environment": environment_json_schema,
    "recording": recording_json_schema,
    "soc-calibration": calibration_json_schema,
    "scenario": scenario_json_schema,
    "network": network_json_schema,
}


def json_schema(family: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a family of documents.

    Raises:
        ProblemError: there is no such family; names those that exist.
    """
    return PUBLISHED[_known(family)]()


def example(family: str) -> dict[str, Any]:
    """A document of that family to start from: the first built-in one under a name of its own.

    Raises:
        ProblemError: there is no such family; names those that exist.
    """
    kind = cast(DocumentKind, FORMATS[_known(family)].kind)
    documents = builtin_documents(kind).values()
    content = next(each.content for each in documents if each.content["schema"].partition("/")[0] == family)
    content = {key: value for key, value in content.items() if key != "lineage"}  # a new device is a copy of none
    return {**content, "slug": f"my-{content['slug']}"[:80].rstrip("-"), "title": f"My {content['title']}"}


def _known(family: str) -> str:
    if family not in PUBLISHED:
        raise ProblemError("family", family, f"one of {', '.join(PUBLISHED)}")
    return family
