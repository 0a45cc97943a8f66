"""A package of the search as a hardware document: what SCAR and the catalogue take."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from engines.contract.designs import canonical_json
from engines.methods.package_search.packages.candidate import (
    Candidate,
    build_package,
    encode_candidate,
    layout_text,
    model_chiplet,
)
from hardware.documents import dump_yaml
from hardware.package.loader import MIB, load_package
from hardware.package.model import ChipletPackage
from hardware.package.schema import SCHEMA

CHOSEN = "chosen by package-search"
_SLUG_LENGTH = 60


def package_document(content: Mapping[str, Any], candidate: Candidate) -> dict[str, Any]:
    """Return the document of the package that `candidate` makes of the one in `content` (schema chiplet-package/1).

    Raises:
        HardwareError: the choices are outside what the schema accepts.
    """
    base = load_package(content)
    package = build_package(base, candidate)
    names = _class_names(candidate)
    classes = {
        name: {
            "dataflow": dataflow,
            "processing_elements": count,
            "noc_bandwidth_elements_per_cycle": model_chiplet(base, dataflow).noc_bandwidth_elements_per_cycle,
            "noc_hop_latency_cycles": model_chiplet(base, dataflow).noc_hop_latency_cycles,
            "buffer_mib": model_chiplet(base, dataflow).buffer_bytes / MIB,
        }
        for (dataflow, count), name in names.items()
    }
    rows = [
        " ".join(
            names[chiplet.dataflow, chiplet.processing_elements]
            for chiplet in package.chiplets[row * base.columns : (row + 1) * base.columns]
        )
        for row in range(base.rows)
    ]
    digest = hashlib.sha256(canonical_json(encode_candidate(candidate)).encode()).hexdigest()[:6]
    document = {
        "schema": SCHEMA,
        "slug": f"{base.slug[:_SLUG_LENGTH].rstrip('-')}-found-{digest}",
        "title": f"{base.rows} × {base.columns}: {layout_text(base, candidate)}",
        "summary": f"Found by package-search, starting from {base.title}.",
        "source": f"package-search on {base.slug}",
        "package": {"rows": base.rows, "columns": base.columns, "layout": rows},
        "chiplets": classes,
        "network_on_package": {
            **content["network_on_package"],
            "bandwidth_gb_per_s": candidate.link_bandwidth_gb_per_s,
        },
        "off_chip_memory": {
            **content["off_chip_memory"],
            "bandwidth_gb_per_s_per_interface": candidate.memory_bandwidth_gb_per_s,
            "interface_sides": list(candidate.interface_sides),
        },
        **{key: content[key] for key in ("arithmetic", "clock_mhz", "process_node_nm", "word_bytes")},
        "sources": _sources(base, candidate, names),
    }
    load_package(document)
    return document


def package_yaml(content: Mapping[str, Any], candidate: Candidate) -> str:
    """Return the document of a package as YAML."""
    document = package_document(content, candidate)
    return dump_yaml(document, sort_keys=False, allow_unicode=True, width=120)


def _class_names(candidate: Candidate) -> dict[tuple[str, int], str]:
    """Return (dataflow, PEs) -> name of the class: a letter, with the size where a dataflow comes in several."""
    kinds = sorted(set(zip(candidate.dataflows, candidate.processing_elements, strict=True)))
    mixed = len({dataflow for dataflow, _ in kinds}) < len(kinds)
    return {(dataflow, count): dataflow[0].upper() + (str(count) if mixed else "") for dataflow, count in kinds}


def _sources(base: ChipletPackage, candidate: Candidate, names: Mapping[tuple[str, int], str]) -> dict[str, str]:
    """Return the source of every value: that of the given package, or "chosen"."""
    kept = {
        key: source
        for key, source in base.sources.items()
        if not key.startswith(("chiplets.", "package.")) and not _changed(key, base, candidate)
    }
    found = {
        "package": base.sources.get("package.rows", CHOSEN),
        "package.layout": CHOSEN,
        **kept,
    }
    for key in ("network_on_package.bandwidth_gb_per_s", "off_chip_memory.bandwidth_gb_per_s_per_interface"):
        found.setdefault(key, CHOSEN)
    found.setdefault("off_chip_memory.interface_sides", CHOSEN)
    for (dataflow, count), name in names.items():
        model = model_chiplet(base, dataflow)
        for figure in ("noc_bandwidth_elements_per_cycle", "noc_hop_latency_cycles", "buffer_mib"):
            found[f"chiplets.{name}.{figure}"] = _class_source(base, model.dataflow, figure)
        same = model.processing_elements == count
        found[f"chiplets.{name}.processing_elements"] = (
            _class_source(base, model.dataflow, "processing_elements") if same else CHOSEN
        )
        found[f"chiplets.{name}.dataflow"] = CHOSEN
    return found


def _changed(key: str, base: ChipletPackage, candidate: Candidate) -> bool:
    chosen = build_package(base, candidate)
    if key == "network_on_package.bandwidth_gb_per_s":
        return chosen.network != base.network
    if key == "off_chip_memory.bandwidth_gb_per_s_per_interface":
        return chosen.memory.bandwidth_bytes_per_s != base.memory.bandwidth_bytes_per_s
    return key.startswith("off_chip_memory.interface_sides") and set(chosen.memory.sides) != set(base.memory.sides)


def _class_source(base: ChipletPackage, dataflow: str, figure: str) -> str:
    """Return where a figure of the given package's chiplets is from; sources do not keep which class is of which dataflow."""
    found = {
        source for key, source in base.sources.items() if key.startswith("chiplets.") and key.endswith(f".{figure}")
    }
    return "; ".join(sorted(found)) or CHOSEN
