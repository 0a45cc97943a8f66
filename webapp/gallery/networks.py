"""Networks that visitors upload: seen by their visitor alone, few, and deleted before they are a day old."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet, Sum
from django.utils import timezone

from engines.contract.designs import canonical_json
from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import BusyError, ProblemError
from engines.contract.integer_format import counted
from engines.documents import families
from engines.workloads.document_families import NETWORK
from webapp.base.worker_threads import beside_workers
from webapp.catalogue.imports import Upload, read_upload
from webapp.catalogue.service import DocumentEntry, get_entry, list_documents, store
from webapp.gallery.models import VisitorNetwork
from webapp.gallery.visitors import cookie_of
from webapp.limits.errors import LimitReachedError
from webapp.teams.permissions import visitor_name
from webapp.teams.visibility import NotAllowed, Principal, personal_project

logger = logging.getLogger(__name__)

PROJECT = "guest"  # where names of their networks begin, as those of a project do
MOST_FILE_BYTES, MOST_BYTES, MOST_NETWORKS, MOST_OF_ALL_BYTES = 32_000_000, 2_000_000, 5, 500_000_000
# Deleted within ten minutes after that, so that nothing is a day old.
KEPT = timedelta(hours=23, minutes=30)
_LOOK_EVERY_S = 600.0


def networks_of(principal: Principal) -> list[DocumentEntry]:
    """Return the networks to choose from: those of the visitor first, then those of the catalogue."""
    return [_entry(each) for each in _rows(principal)] + list_documents(principal, "workload", (NETWORK.schema,))


def network_called(principal: Principal, name: str) -> DocumentEntry:
    """Return the network of that name.

    Raises:
        ProblemError: there is none that `principal` may see.
    """
    project, slash, slug = name.partition("/")
    if not (visitor_name(principal) and slash and project == PROJECT):
        return get_entry(principal, "workload", name)
    row = _rows(principal).filter(slug=slug).first()
    if row is None:
        ways = ["Upload the file again. Networks of visitors are deleted within a day."]
        raise ProblemError("workload", name, "the name of a network that you uploaded", remedies=ways)
    return _entry(row)


def add_network(principal: Principal, upload: Upload) -> Mapping[str, Any]:
    """Read the file of a visitor and store the network. Returns what the upload of a document answers.

    Raises:
        BusyError: the visitor, or all together, have as many as may be stored.
        ProblemError: the file has no network, or a large one.
    """
    if _rows(principal).count() >= MOST_NETWORKS:
        raise BusyError("network", _free_in_s(_rows(principal)))
    if (_living().aggregate(all=Sum("size"))["all"] or 0) > MOST_OF_ALL_BYTES:
        raise BusyError("network", _free_in_s(_living()))
    read = read_upload(upload)
    if read.content.get("schema") != NETWORK.schema:
        raise ProblemError("file", families.family_of(read.content).title.lower(), "a file with a neural network")
    size = len(canonical_json(read.content))
    if size > MOST_BYTES:
        got, ways = f"{counted(size)} bytes as a document", ["Sign in: accounts may store larger networks."]
        raise ProblemError("file", got, f"at most {counted(MOST_BYTES)} bytes", remedies=ways)
    row, created = VisitorNetwork.objects.update_or_create(
        visitor=visitor_name(principal), slug=read.content["slug"], defaults={"content": read.content, "size": size}
    )
    entry = _entry(row)
    facts = {"kind": entry.kind, "schema": entry.schema, "slug": entry.slug, "version": 1, "project": PROJECT}
    return {**facts, "title": entry.title, "summary": entry.summary, "created": created, "report": read.report}


def keep(sender: object, request: Any, user: Any, **_: Any) -> None:
    """Store the networks of a visitor in the project of the account that they sign in to."""
    from engines.running.runner.slots import VISITOR

    cookie = cookie_of(request) if request is not None else ""
    for row in _living().filter(visitor=VISITOR + cookie) if cookie else ():
        try:
            store(user, personal_project(user), "workload", ReadDocument(row.content))
        except (ProblemError, LimitReachedError, NotAllowed) as error:
            logger.warning("A visitor's network was not stored: %s", error)
        row.delete()


def sweep() -> bool:
    """Delete what is too old; never asks to be called again at once."""
    VisitorNetwork.objects.filter(created__lte=timezone.now() - KEPT).delete()
    return False


def prepare() -> None:
    """Start the deletion of expired networks in every worker."""
    beside_workers("networks of visitors", _LOOK_EVERY_S, sweep)


def _living() -> QuerySet[VisitorNetwork]:
    return VisitorNetwork.objects.filter(created__gt=timezone.now() - KEPT)


def _rows(principal: Principal) -> QuerySet[VisitorNetwork]:
    name = visitor_name(principal)
    return _living().filter(visitor=name) if name else VisitorNetwork.objects.none()


def _free_in_s(rows: QuerySet[VisitorNetwork]) -> int:
    oldest = rows.order_by("created").values_list("created", flat=True).first()
    return max(1, round((oldest + KEPT - timezone.now()).total_seconds())) if oldest else 60


def _entry(row: VisitorNetwork) -> DocumentEntry:
    title, summary = str(row.content.get("title") or row.slug), families.summary_of(row.content)
    return DocumentEntry("workload", row.slug, 1, title, summary, False, families.upgraded(row.content), PROJECT)
