"""Files of measured values as points beside predictions: read in a limited process, checked, and stored whole or not at all."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from difflib import get_close_matches
from math import isclose
from typing import Any

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted, many
from engines.contract.titles import checked_title
from engines.cost.measured_files.bounds import NetworkWork, check_bound, check_zoo_bound
from engines.cost.measured_files.reader import MAX_BYTES
from engines.cost.measured_files.value import (
    STATED,
    MeasuredValue,
    RefusedValue,
    RefusedValueError,
    batch_of,
    day_of,
    precision_of,
)
from engines.documents import families
from engines.running.runner.file_reader import read_in_child
from engines.survey.measurements.devices import device_boards
from engines.survey.measurements.networks import zoo_network
from engines.survey.measurements.rows import measured_rows
from engines.workloads.index import read_index
from hardware.slugs import slug_of
from hardware.soc.family import SOC
from hardware.soc.model import Soc
from webapp.catalogue.entries import DocumentEntry, list_documents
from webapp.measuring.models import ImportedValue, ValueImport
from webapp.teams.models import Project
from webapp.teams.row_locks import row_lock
from webapp.teams.visibility import Principal, require_edit, visible

LONGEST_SOURCE, LONGEST_LICENCE = 500, 200
MOST_OF_PROJECT = 50_000
_LONGEST = {each.name: int(most) for each in ImportedValue._meta.fields if (most := getattr(each, "max_length", None))}
# What tells a value from every other one.
_KEY = ("device", "network", "unit", "runtime", "runtime_version", "precision", "batch", "metric", "statistic")


@dataclass(frozen=True)
class ValueFile:
    """A file as somebody hands it in.

    Attributes:
        name, data: name and data of the file.
        source, licence: source and licence of its values.
        stated: field of `STATED`, or "unit_of_value" -> what the person says of values without it. A device or network replaces
            that of the file.
        mapping: mapping of a table, as `engines.cost.measured_files.columns.read_table` takes it.
    """

    name: str
    data: bytes
    source: str = ""
    licence: str = ""
    stated: Mapping[str, str] = field(default_factory=dict)
    mapping: Mapping[str, str] | None = None


@dataclass(frozen=True)
class ValuePreview:
    """Values that an import of a file would store.

    Attributes:
        format: name of the format.
        values: with names of the catalogue; `bounded` for each: whether a published roofline was there to compare with.
        refused: the others, with the reason.
        operators: whether the file has times of operators, which a calibration takes.
        columns, mapping, sample: columns, mapping and sample of a table.
        licence: licence of the file, or as stated; "" where nobody said.
    """

    format: str
    values: tuple[MeasuredValue, ...]
    bounded: tuple[bool, ...]
    refused: tuple[RefusedValue, ...]
    operators: bool
    columns: Sequence[str]
    mapping: Mapping[str, str]
    sample: Sequence[Sequence[str]]
    licence: str


def preview_values(principal: Principal, project: Project, file: ValueFile) -> ValuePreview:
    """Return the content of a file, and which of its values match predictions; nothing is stored.

    Raises:
        NotAllowed: `principal` may not edit the project.
        ProblemError: the file cannot be read, or its values have several licences.
    """
    require_edit(principal, project)
    if len(file.data) > MAX_BYTES:
        raise ProblemError("file", f"{len(file.data)} bytes", f"a file of at most {counted(MAX_BYTES)} bytes")
    options = {"mapping": file.mapping, "stated": dict(file.stated)}
    content = read_in_child("measured-values", file.data, file.name, options).content
    catalogue = _Catalogue(principal)
    refused = [RefusedValue(**each) for each in content.pop("refused")]
    values: list[MeasuredValue] = []
    bounded: list[bool] = []
    read = [MeasuredValue(**each) for each in content.pop("values")]
    licence = _licence(read, file.licence)
    known = _stored_keys(project)
    for each in read:
        try:
            value = catalogue.found(_stated(each, file.stated))
            _refuse_duplicate(value, known)
            bounded.append(catalogue.bounded(value))
            values.append(value)
        except RefusedValueError as error:
            refused.append(RefusedValue(each.place, " on ".join(filter(None, (each.network, each.device))), str(error)))
    return ValuePreview(
        values=tuple(values), bounded=tuple(bounded), refused=tuple(refused), licence=licence, **content
    )


def import_values(
    principal: Principal,
    project: Project,
    file: ValueFile,
    leave_out: bool = False,
    preview: ValuePreview | None = None,
) -> ValueImport:
    """Store the values of a file.

    Args:
        principal: an editor of the project.
        project: whose members see the values.
        file: with its source and licence.
        leave_out: whether refused values are left out; else one of them refuses the file.
        preview: preview of the same file, where it is known.

    Raises:
        NotAllowed, ProblemError: as `preview_values`; or source or licence are missing, values are refused, or nothing is left.
    """
    source = checked_title("source", file.source, LONGEST_SOURCE)
    preview = preview or preview_values(principal, project, file)
    licence = checked_title("licence", preview.licence, LONGEST_LICENCE)
    if preview.refused and not leave_out:
        first = preview.refused[0]
        raise ProblemError(
            "file", many(len(preview.refused), "refused value"), "a file without refused values",
            reason=f"{first.place}: {first.reason}", remedies=["Correct the file, or leave the refused values out."],
        )  # fmt: skip
    if not preview.values:
        raise ProblemError("file", "no value", "a file with at least one value that can be used")
    with row_lock(Project, project.pk):  # two imports of one file wait for each other
        known = _stored_keys(project)
        if any(_key(value) in known for value in preview.values):
            ways = ["Show the preview again."]
            raise ProblemError("file", "values that are stored by now", "a file with new values", remedies=ways)
        if len(known) + len(preview.values) > MOST_OF_PROJECT:
            most = f"at most {counted(MOST_OF_PROJECT)} values per project"
            raise ProblemError(
                "file", many(len(preview.values), "more value"), most, remedies=["Delete an earlier import."]
            )
        stored = ValueImport.objects.create(
            project=project, owner_id=principal.pk, file=file.name[:200], format=preview.format,
            sha256=hashlib.sha256(file.data).hexdigest(), source=source, licence=licence,
        )  # fmt: skip
        names = {each.name for each in fields(MeasuredValue)} - {"source", "licence"}
        ImportedValue.objects.bulk_create(
            ImportedValue(origin=stored, bounded=bound, **{k: v for k, v in asdict(value).items() if k in names})
            for value, bound in zip(preview.values, preview.bounded, strict=True)
        )
    return stored


def imported_values(principal: Principal, device: str) -> list[ImportedValue]:
    """Return the imported values of a device that `principal` may see, newest first."""
    rows = visible(principal, ImportedValue.objects.select_related("origin__project")).filter(device=device)
    return list(rows.order_by("-pk"))


def delete_import(principal: Principal, origin: ValueImport) -> None:
    """Delete an import with its values.

    Raises:
        NotAllowed: `principal` may not edit its project.
    """
    require_edit(principal, origin.project)
    origin.delete()


class _Catalogue:
    """Devices and networks that a person sees, by the names that files use."""

    def __init__(self, principal: Principal) -> None:
        self._devices = list_documents(principal, "hardware", (SOC.schema,))
        self._networks = [e for e in list_documents(principal, "workload") if e.schema.startswith("network/")]
        self._by_name = {id(each): _names(each) for each in (self._devices, self._networks)}
        self._loaded: dict[str, Any] = {}

    def found(self, value: MeasuredValue) -> MeasuredValue:
        """Return the value with names of the catalogue.

        Raises:
            RefusedValueError: it has no such device or network.
        """
        device = self._name(self._devices, "device", value.device, device_boards)
        network = self._name(self._networks, "network", value.network, _zoo_names)
        return replace(value, device=device, network=network)

    def bounded(self, value: MeasuredValue) -> bool:
        """Compare a value with the published roofline; returns whether there was one.

        Raises:
            RefusedValueError: it is faster; names the bound.
        """
        soc = self._load(self._devices, value.device)
        if not isinstance(soc, Soc):
            return False
        if value.network in read_index():  # names of other projects' networks have a slash
            return check_zoo_bound(value, soc)
        return check_bound(value, soc, NetworkWork.of(self._load(self._networks, value.network)))

    def _name(self, entries: Sequence[DocumentEntry], kind: str, name: str, others: Any) -> str:
        if not name:
            raise RefusedValueError(f"The file names no {kind}. State it for the whole file.")
        names = self._by_name[id(entries)]
        found = (
            [names[_squeezed(name)]] if _squeezed(name) in names else [n for n in others(name) if n in names.values()]
        )
        if len(found) == 1:
            return str(found[0])
        if found:
            raise RefusedValueError(f"{name} may be {' or '.join(found)}. State the {kind}, or correct the file.")
        alike = get_close_matches(_squeezed(name), list(names), 1)
        nearest = f" The nearest is {names[alike[0]]}." if alike else ""
        raise RefusedValueError(f"The catalogue has no {kind} {name[:80]}.{nearest}")

    def _load(self, entries: Sequence[DocumentEntry], name: str) -> Any:
        if name not in self._loaded:
            entry = next(each for each in entries if each.name == name)
            self._loaded[name] = families.load(entry.content, entry.kind)
        return self._loaded[name]


def _names(entries: Sequence[DocumentEntry]) -> Mapping[str, str]:
    """Return slug, name and title without blanks and signs -> name; the first of two that share one."""
    found: dict[str, str] = {}
    for kind in ("name", "slug", "title"):
        for entry in entries:
            found.setdefault(_squeezed(getattr(entry, kind)), entry.name)
    return found


def _squeezed(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _zoo_names(name: str) -> list[str]:
    found = zoo_network("", name, slug_of(name, "network"), "").slug
    return [found] if found else []


def _stated(value: MeasuredValue, stated: Mapping[str, str]) -> MeasuredValue:
    """Return the value with what the person stated, checked.

    Raises:
        RefusedValueError: a text is too long, or no bits, batch or date; or nobody states the precision.
    """
    texts: dict[str, Any] = {}
    for name in STATED:
        said = str(stated.get(name) or "").strip()
        if said and (
            name in ("device", "network") or not getattr(value, name) or (name == "batch" and value.batch == 1)
        ):
            texts[name] = batch_of(said) if name == "batch" else said
    found = replace(value, **texts)
    found = replace(
        found,
        unit=found.unit.lower(),
        precision=precision_of(found.precision, found.unit),
        measured_on=day_of(found.measured_on),
    )
    if not found.precision:
        raise RefusedValueError("The file does not state the precision. State it for the whole file.")
    for name, most in _LONGEST.items():
        if len(str(getattr(found, name, ""))) > most:
            raise RefusedValueError(f"The {name} must have at most {most} characters.")
    return found


def _licence(values: Sequence[MeasuredValue], stated: str) -> str:
    """Return the one licence of all values.

    Raises:
        ProblemError: there are several; names them.
    """
    counts: dict[str, int] = {stated.strip(): 0} if stated.strip() else {}
    for value in values:
        if value.licence:
            counts[value.licence] = counts.get(value.licence, 0) + 1
    if len(counts) > 1:
        got = ", ".join(f"{name} ({many(count, 'value')})" for name, count in counts.items())
        ways = ["Split the file by licence, and import each part."]
        raise ProblemError("licence", got[:300], "one licence of all values of an import", remedies=ways)
    return next(iter(counts), "")


def _stored_keys(project: Project) -> dict[tuple[Any, ...], tuple[float, str]]:
    """Return key -> value and origin of what the project has."""
    rows = ImportedValue.objects.filter(origin__project=project).values_list(
        *_KEY, "value", "origin__file", "origin__created"
    )
    return {row[:-3]: (row[-3], f"{row[-2]}, imported on {row[-1]:%Y-%m-%d}") for row in rows}


def _key(value: MeasuredValue) -> tuple[Any, ...]:
    return tuple(getattr(value, name) for name in _KEY)


def _refuse_duplicate(value: MeasuredValue, known: dict[tuple[Any, ...], tuple[float, str]]) -> None:
    """Refuse a value that the project, the file or the shipped public measurements have; add another one to `known`."""
    found = known.get(_key(value))
    if found is not None:
        words = "the same value" if found[0] == value.value else "another value"
        raise RefusedValueError(f"{found[1]} has {words} for this device, network, precision, batch and runtime.")
    for row in measured_rows(value.device):
        same = (row.network, row.quantity, row.batch) == (value.network, value.metric, value.batch)
        if same and isclose(row.value, value.value, rel_tol=1e-6):
            raise RefusedValueError(f"The value comes with the product, from {row.source}.")
    known[_key(value)] = (value.value, value.place)
