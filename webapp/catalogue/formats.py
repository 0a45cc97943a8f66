"""The schemas that documents may have: how each is validated, upgraded and summarised.

A new kind of document needs one entry in `FORMATS`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engines.contract.errors import ProblemError
from engines.data.documents import image_data_words, load_image_data
from engines.methods.magnas.weights_document import load_weights, weights_words
from engines.recordings.loader import load_recording, recording_words
from engines.workloads.loader import load_network, load_scenario
from engines.workloads.summary import network_in_words, scenario_in_words
from hardware.battery.loader import load_battery
from hardware.battery.summary import battery_words
from hardware.calibration.loader import load_calibration
from hardware.environment.loader import load_environment
from hardware.environment.summary import environment_words
from hardware.errors import HardwareError
from hardware.package.loader import load_package, upgrade
from hardware.radio.loader import load_radio
from hardware.radio.summary import radio_words
from hardware.sensor_node.loader import load_sensor_node
from hardware.sensor_node.summary import sensor_node_words
from hardware.soc.loader import load_soc
from hardware.soc.summary import soc_words

Content = Mapping[str, Any]
SUMMARY_LENGTH = 300


def _same(content: Content) -> Content:
    """Not copied: a built-in network makes its operations only when somebody reads them."""
    return content


@dataclass(frozen=True)
class DocumentFormat:
    """One family of schemas.

    Attributes:
        family: the schema without its number ("chiplet-package").
        kind: the kind of document that it describes.
        load: parses content; raises `ProblemError` or `HardwareError`.
        summarise: a loaded document in a few words, for lists.
        upgrade: turns content of an older schema number into the newest.
    """

    family: str
    kind: str
    load: Callable[[Content], Any]
    summarise: Callable[[Any], str]
    upgrade: Callable[[Content], Content] = _same


def _package_in_words(package: Any) -> str:
    dataflows = Counter(chiplet.dataflow for chiplet in package.chiplets)
    parts = ", ".join(f"{count} {dataflow}" for dataflow, count in dataflows.items())
    elements = sorted({chiplet.processing_elements for chiplet in package.chiplets})
    return f"{package.rows} × {package.columns}: {parts}; {' or '.join(map(str, elements))} PEs each"


def _calibration_in_words(calibration: Any) -> str:
    errors = calibration.errors()
    return f"{calibration.soc}: " + (f"{errors.rows} rows, {errors.median:.1%} median error" if errors else "no rows")


FORMATS: Mapping[str, DocumentFormat] = {
    entry.family: entry
    for entry in (
        DocumentFormat("chiplet-package", "hardware", load_package, _package_in_words, upgrade),
        DocumentFormat("soc", "hardware", load_soc, soc_words),
        DocumentFormat("sensor-node", "hardware", load_sensor_node, sensor_node_words),
        DocumentFormat("radio", "hardware", load_radio, radio_words),
        DocumentFormat("battery", "hardware", load_battery, battery_words),
        DocumentFormat("environment", "environment", load_environment, environment_words),
        DocumentFormat("recording", "data", load_recording, recording_words),
        DocumentFormat("image-data", "data", load_image_data, image_data_words),
        DocumentFormat("supernet-weights", "weights", load_weights, weights_words),
        DocumentFormat("soc-calibration", "calibration", load_calibration, _calibration_in_words),
        DocumentFormat("scenario", "workload", load_scenario, scenario_in_words),
        DocumentFormat("network", "workload", load_network, network_in_words),
    )
}


def format_of(content: Content, kind: str | None = None) -> DocumentFormat:
    """The format that the content's `schema` names.

    Raises:
        ProblemError: the content has no schema, an unknown one, or one of another kind of document.
    """
    schema = content.get("schema")
    family = schema.partition("/")[0] if isinstance(schema, str) else ""
    fitting = [name for name, entry in FORMATS.items() if kind is None or entry.kind == kind]
    if family not in fitting:
        raise ProblemError("schema", schema, "one of " + ", ".join(f'"{name}/1"' for name in fitting))
    return FORMATS[family]


def upgraded(content: Content) -> Content:
    """The content in the newest schema of its family; content of an unknown family comes back as it is."""
    family = str(content.get("schema", "")).partition("/")[0]
    return FORMATS[family].upgrade(content) if family in FORMATS else content


def load(content: Content, kind: str | None = None) -> Any:
    """Validate the content completely and give what engines work with.

    Raises:
        ProblemError: names the key, what was got and what is accepted.
    """
    entry = format_of(content, kind)
    try:
        return entry.load(entry.upgrade(content))
    except HardwareError as error:
        raise ProblemError(error.key, error.got, error.accepted).with_others(error.others) from error


def summary_of(content: Content) -> str:
    """A few words about a valid document.

    Raises:
        ProblemError: as `load`.
    """
    return format_of(content).summarise(load(content))[:SUMMARY_LENGTH]
