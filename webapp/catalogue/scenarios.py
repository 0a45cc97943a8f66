"""Scenarios built in the browser: rows of networks with their terms, converted to documents and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engines.contract.errors import ProblemError
from engines.documents.builtin import builtin_documents
from engines.workloads.schema import SCENARIO_SCHEMA
from hardware.slugs import SLUG_LENGTH, slug_of
from webapp.catalogue import service
from webapp.catalogue.document_edits import only_after
from webapp.catalogue.models import Document, DocumentVersion
from webapp.teams.models import Project
from webapp.teams.visibility import Principal, editable_projects

TERMS = ("batch", "rate_fps", "deadline_s", "priority", "probability", "depends_on")


@dataclass(frozen=True)
class DraftModel:
    """One model of a scenario that is being put together.

    Attributes:
        network: the name by which the catalogue finds it; of a network that is written out its slug.
        terms: `TERMS` -> what was stated; those that are left out are not in it.
        written_out: place among the models of the draft's origin, which holds the whole network; None for all others.
    """

    network: str
    terms: Mapping[str, Any] = field(default_factory=lambda: {"batch": 1})
    written_out: int | None = None


@dataclass(frozen=True)
class ScenarioDraft:
    """A scenario that is being put together.

    Attributes:
        title, source, summary: as in the document.
        models: in order.
        slug: slug of the document whose next version it will be; "" gives it a free name made from the title.
        origin: name and version of the document that it started from ("lab/mine@2"); "" for none.
        project: slug of the project that `slug` belongs to; "" without `slug`.
    """

    title: str = ""
    source: str = ""
    summary: str = ""
    models: tuple[DraftModel, ...] = ()
    slug: str = ""
    origin: str = ""
    project: str = ""


def draft_of(principal: Principal, name: str, version: int | None = None) -> ScenarioDraft:
    """Return the draft that a document opens as: the next version of one's own scenario, else a copy.

    Args:
        principal: who asks.
        name: name of a scenario, or of a network, which becomes a scenario of one sample.
        version: the newest by default.

    Raises:
        ProblemError: as `service.resolve`.
    """
    entry = service.get_entry(principal, "workload", name, version)
    origin, content = f"{entry.name}@{entry.version}", entry.content
    if not entry.schema.startswith("scenario/"):
        return ScenarioDraft(models=(DraftModel(entry.name),), origin=origin)
    models = tuple(_draft_model(model, position) for position, model in enumerate(content["models"]))
    summary = str(content.get("summary", ""))
    if entry.project and editable_projects(principal).filter(slug=entry.project).exists():
        return ScenarioDraft(entry.title, str(content["source"]), summary, models, entry.slug, origin, entry.project)
    source = f"changed copy of {entry.name}; {content['source']}"[:2000]
    title = service.copy_title(principal, "workload", entry.title)
    return ScenarioDraft(title, source, summary, models, origin=origin)


def content_of(principal: Principal, draft: ScenarioDraft, project: Project | None) -> dict[str, Any]:
    """Return the document that a draft describes, not checked yet.

    Raises:
        ProblemError: the document that it started from is not there any more.
    """
    models = [_model(principal, draft, model) for model in draft.models]
    slug = slug_in(project, draft)
    head = {"schema": SCENARIO_SCHEMA, "slug": slug, "title": draft.title, "source": draft.source}
    return head | ({"summary": draft.summary} if draft.summary else {}) | {"models": models}


def slug_in(project: Project | None, draft: ScenarioDraft) -> str:
    """Return the name under which the draft is saved in a project: its own document's, else one that is free there."""
    if draft.slug and project is not None and project.slug == draft.project:
        return draft.slug
    wanted = slug_of(draft.title, "scenario", SLUG_LENGTH - 4)
    taken = set(Document.objects.filter(project=project, kind="workload").values_list("slug", flat=True))
    builtin = builtin_documents("workload")
    names = (wanted if number == 1 else f"{wanted}-{number}" for number in range(1, len(taken) + len(builtin) + 2))
    return next((name for name in names if name not in taken and name not in builtin), wanted)


def save(principal: Principal, project: Project, draft: ScenarioDraft, after: int | None = None) -> DocumentVersion:
    """Store the draft as a version of a document of `project`, after the version `after` or else the one that was opened.

    Raises:
        ChangedMeanwhileError: somebody has stored a version since.
        NotAllowed: `principal` may not edit the project.
        ProblemError: names the key, what was got and what is accepted.
    """
    content = content_of(principal, draft, project)
    opened = int(draft.origin.rpartition("@")[2]) if content["slug"] == draft.slug else 0
    return service.store(principal, project, "workload", content, only_after(opened if after is None else after))[0]


def without_model(draft: ScenarioDraft, position: int) -> ScenarioDraft:
    """Return the draft without one of its models; dependencies on it are removed."""
    gone = draft.models[position].network.rpartition("/")[2]
    left = [model for number, model in enumerate(draft.models) if number != position]
    freed = (
        replace(model, terms={key: value for key, value in model.terms.items() if key != "depends_on"})
        if model.terms.get("depends_on") == gone
        else model
        for model in left
    )
    return replace(draft, models=tuple(freed))


def _draft_model(model: Mapping[str, Any], position: int) -> DraftModel:
    network = model["network"]
    terms = {key: model[key] for key in TERMS if model.get(key) is not None}
    if isinstance(network, str):
        return DraftModel(network, terms)
    return DraftModel(str(network["slug"]), terms, position)


def _model(principal: Principal, draft: ScenarioDraft, model: DraftModel) -> dict[str, Any]:
    terms = {key: value for key, value in model.terms.items() if value is not None}
    if model.written_out is None:
        return {"network": model.network, **terms}
    origin = service.resolve(principal, "workload", draft.origin, field="origin").content
    models = origin.get("models", [])
    if not 0 <= model.written_out < len(models):
        raise ProblemError("origin", draft.origin, f"a scenario of more than {model.written_out} models")
    whole = models[model.written_out]
    return {key: whole[key] for key in ("network", "network_sha256") if key in whole} | terms
