"""`manage.py survey`: one network on every device, as a table and as JSON."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.table import Table

from engines.contract.encoding.decoding import from_plain
from engines.contract.errors import EngineError, ProblemError
from engines.contract.integer_format import many
from engines.cost.estimators.registry import DEFAULT, array_estimator
from engines.survey.language.survey import answer_language
from engines.survey.language.survey_result import LanguageSurvey
from engines.survey.survey import answer
from engines.survey.survey_result import SCHEMAS, Survey, SurveyRow
from hardware.bits import ACCEPTED
from hardware.soc.loader import soc_aliases
from webapp.base.printing import print_table
from webapp.catalogue.command_line import add_network_arguments, upload_from
from webapp.catalogue.entries import DocumentEntry, list_documents
from webapp.catalogue.imports import names_file, read_upload
from webapp.catalogue.language_survey_output import (
    add_conversation_arguments,
    conversation_fields,
    language_json,
    language_table,
    named_configuration,
    refuse_conversation,
    stored_configuration,
)
from webapp.catalogue.service import get_entry
from webapp.teams.command_line import command_user
from webapp.teams.visibility import Principal

_NEAR, _NEARNESS = 6, 0.4
_MILLI = 1e3


class Command(BaseCommand):
    help = (
        "Estimate latency, energy and memory on devices: of a sample of a network, or a conversation with a language model. "
        "Nothing is stored. "
        "Exit status: 0 estimated, 2 refused."
    )
    requires_system_checks = ()  # those load every page, a third of the time of an answer

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("network", help="network of the catalogue, or a file: ONNX, config.json, GGUF")
        parser.add_argument(
            "--bits", default="", help=f"bits of weights and activations: {ACCEPTED} (default: of each device)"
        )
        parser.add_argument(
            "--devices", metavar="A,B", default="", help="only these (default: all; paretoscope documents hardware)"
        )
        parser.add_argument(
            "--power-mode", metavar="NAME", default="", help="of the devices (default: the highest clocks)"
        )
        parser.add_argument(
            "--cost-model",
            metavar="NAME",
            default=DEFAULT,
            help="of layers on arrays: dataflow (default) or ideal-array",
        )
        add_conversation_arguments(parser)
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the estimates to FILE")
        parser.add_argument(
            "--user", help="whose documents, in addition to the built-in ones (default: demo, else local)"
        )
        add_network_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        user = command_user(options["user"])
        try:
            model = named_configuration(options["network"]) or stored_configuration(user, options["network"])
            if model:
                self._survey_language(user, *model, options)
            else:
                refuse_conversation(options)
                self._survey_network(user, options)
        except (ProblemError, EngineError) as error:
            raise CommandError(str(error), returncode=2) from error
        except OSError as error:
            raise CommandError(f"{options['json']} cannot be written ({error.strerror}).", returncode=2) from error

    def _survey_language(
        self, user: Principal, name: str, configuration: Mapping[str, Any], options: dict[str, Any]
    ) -> None:
        entries = _chosen(list_documents(user, "hardware", SCHEMAS), options["devices"])
        found = from_plain(
            LanguageSurvey,
            answer_language(
                {
                    "configuration": configuration,
                    "name": name,
                    "devices": [(each.name, each.content) for each in entries],
                    "options": {"bits": options["bits"], "power_mode": options["power_mode"]},
                    "conversation": conversation_fields(options),
                }
            ),
        )
        _write(options["json"], language_json(found, options["bits"]))
        if any(row.able for row in found.devices):
            print_table(self.stdout, language_table(found))
        for row in found.devices:
            if not row.able:
                self.stdout.write(f"{row.device}: {row.reason}")
        for note in found.notes:
            self.stdout.write(note)

    def _survey_network(self, user: Principal, options: dict[str, Any]) -> None:
        found = _survey(user, options)
        _write(options["json"], _plain(found, options))
        if found.able:
            print_table(self.stdout, _table(found))
        for row in found.unable:
            self.stdout.write(f"{row.name}: {row.reason}")
        for one, other in found.indistinct:
            self.stdout.write(f"Either of {one} and {other} may be the faster: their error bands overlap widely.")
        unknown = [row.name for row in found.able if row.priced and row.priced.energy_reason]
        if unknown:
            self.stdout.write(f"No energy for {', '.join(unknown)}: the power of a compute unit is not published.")


def _write(path: Path | None, content: Mapping[str, Any]) -> None:
    if path:
        path.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def _survey(user: Principal, options: dict[str, Any]) -> Survey:
    given = options["network"]
    content = read_upload(upload_from(Path(given), options, "workload")).content if names_file(given) else None
    if options["cost_model"] == "table":
        raise ProblemError("cost_model", "table", "dataflow or ideal-array", reason="A survey takes no table of costs.")
    array_estimator(options["cost_model"], field="cost_model")
    entries = _chosen(list_documents(user, "hardware", SCHEMAS), options["devices"])
    calibrations = [each for each in list_documents(user, "calibration") if not each.builtin]
    return from_plain(Survey, answer({
        "network": get_entry(user, "workload", given).content if content is None else content,
        "devices": [(each.name, each.content) for each in entries],
        "calibrations": [(each.name, each.content) for each in calibrations],
        "options": {name: options[name] for name in ("bits", "power_mode", "cost_model")},
    }))  # fmt: skip


def _chosen(entries: Sequence[DocumentEntry], names: str) -> list[DocumentEntry]:
    """Return the devices of those names; all where none is given.

    Raises:
        ProblemError: an unknown name; lists near ones.
    """
    known = {each.name: each for each in entries}
    known |= {alias: known[slug] for alias, slug in soc_aliases().items() if slug in known and alias not in known}
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    for name in wanted:
        if name not in known:
            near = get_close_matches(name, known, _NEAR, _NEARNESS) or [*known][:_NEAR]
            ways = [f"Choose a similar name: {', '.join(near)}."]
            raise ProblemError("devices", name, "names of devices, separated by commas", remedies=ways)
    return [known[name] for name in wanted] if wanted else [*entries]


def _plain(found: Survey, options: dict[str, Any]) -> dict[str, Any]:
    return {
        "network": found.network, "layers": found.layers, "macs": found.macs, "parameters": found.parameters,
        "bits": options["bits"] or None, "indistinct": [list(pair) for pair in found.indistinct],
        "devices": [_device(row, options["power_mode"]) for row in found.devices],
    }  # fmt: skip


def _device(row: SurveyRow, power_mode: str) -> dict[str, Any]:
    priced = row.priced
    return {
        "device": row.name,
        "title": row.title,
        "latency_s": priced.best.latency_s if priced else None,
        "energy_j": priced.best.energy_j if priced else None,
        "reason": row.reason or (priced.energy_reason if priced else "") or None,
        "certainty": priced.certainty if priced else None,
        "latency_error_factor": priced.latency_factor if priced else None,
        "bits": priced.bits if priced else None,
        "power_mode": (priced.params.get("power_mode") if priced else power_mode) or None,
        "mapping": priced.best.words if priced else None,
        "weight_bytes": row.weight_bytes,
        "peak_memory_bytes": row.peak_memory_bytes,
        "fits": row.fits,
        "source": priced.words if priced else None,
    }


def _table(found: Survey) -> Table:
    table = Table(title=f"{found.network}: {many(found.layers, 'layer')}, {found.macs / 1e9:.3g} GMAC, "
                  f"{found.parameters / 1e6:.3g} M parameters")  # fmt: skip
    table.add_column("Device", no_wrap=True)
    for name in ("Latency (ms)", "Energy (mJ)", "Memory (MB)"):
        table.add_column(name, justify="right")
    for name in ("Bits", "Certainty", "Mapping"):
        table.add_column(name, overflow="fold")
    for row in found.able:
        assert row.priced is not None  # of those that run the network
        best = row.priced.best
        energy = "unknown" if best.energy_j is None else f"{best.energy_j * _MILLI:.3g}"
        memory = "" if row.peak_memory_bytes is None else f"{row.peak_memory_bytes / 1e6:.3g}"
        table.add_row(
            row.name,
            f"{best.latency_s * _MILLI:.3g}",
            energy,
            memory,
            row.priced.bits,
            row.priced.certainty,
            best.words,
        )
    return table
