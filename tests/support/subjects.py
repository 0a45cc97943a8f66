"""Everybody who may ask: with each role in a project, without any, by a link, and as a guest of the gallery."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import Model
from django.test import Client
from django.test.utils import override_settings
from django.utils import timezone

from tests.support.stored_runs import People, finished_run, make_people
from webapp.annotations.models import Note
from webapp.annotations.notes import write
from webapp.catalogue.models import Document, DocumentVersion
from webapp.catalogue.official_documents import official_project
from webapp.comparisons.models import Comparison
from webapp.reports import service as reports
from webapp.reports.models import Report
from webapp.runs.models import Run
from webapp.sharing.models import ShareLink
from webapp.sharing.service import make_link
from webapp.studies import service as studies
from webapp.studies.models import Study
from webapp.teams.invitations import invite
from webapp.teams.models import Project
from webapp.teams.permissions import project_path

WITH_ACCOUNT = ("stranger", "viewer", "editor", "maintainer", "administrator")
SUBJECTS = ("anonymous", *WITH_ACCOUNT, "link", "expired link", "guest")
# Whoever these are, nothing in the project changes by what they ask for.
HARMLESS = ("anonymous", "stranger", "viewer", "administrator", "link", "expired link", "guest")
MEMBERS = ("viewer", "editor", "maintainer")


class GuestClient(Client):
    """A browser of nobody on a site that takes guests."""

    def request(self, **request: Any) -> Any:
        """Ask the site, which takes guests for as long."""
        with override_settings(PARETOSCOPE_GUESTS=True):
            return super().request(**request)


@dataclass(frozen=True)
class Subjects:
    """A project with one thing of each kind, and everybody around it.

    Attributes:
        other: a run of the same project that no link opens.
        gallery: a run of the gallery.
        administrator: of the site, without a role in the project.
        sessions: subject -> key of the session in their browser.
    """

    people: People
    administrator: Any
    run: Run
    other: Run
    gallery: Run
    study: Study
    comparison: Comparison
    report: Report
    document: DocumentVersion
    note: Note
    sessions: dict[str, str] = field(default_factory=dict)

    def account(self, subject: str) -> Any:
        """The account of a subject; None for those without one."""
        people = self.people
        named = {
            "stranger": people.stranger,
            "viewer": people.viewer,
            "editor": people.editor,
            "maintainer": people.owner,
        }
        return {**named, "administrator": self.administrator}.get(subject)

    def client(self, subject: str) -> Client:
        """A browser of the subject; those with links have followed one to each of run, study, comparison and report."""
        client = GuestClient() if subject == "guest" else Client()
        if subject in self.sessions:
            client.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[subject]
        return client

    def open_sessions(self) -> None:
        """Sign everybody in, and have the links followed."""
        for subject in SUBJECTS:
            client, account = Client(), self.account(subject)
            if account is not None:
                client.force_login(account)
            if subject in ("link", "expired link"):
                self._follow(client, over=subject == "expired link")
            if subject not in ("anonymous", "guest"):
                self.sessions[subject] = client.cookies[settings.SESSION_COOKIE_NAME].value

    def _follow(self, client: Client, over: bool) -> None:
        made = [make_link(self.people.owner, kind, thing.pk, 7) for kind, thing in self.shared().items()]
        for each in made:
            client.get("/" + each.address.split("/", 3)[3])
        if over:
            past = timezone.now() - timedelta(seconds=1)
            ShareLink.objects.filter(pk__in=[each.link.pk for each in made]).update(expires=past)

    def shared(self) -> Mapping[str, Model]:
        """Kind -> what the links open."""
        return {"run": self.run, "study": self.study, "comparison": self.comparison, "report": self.report}


def make_world() -> Subjects:
    """Store it; the toys must be offered."""
    people = make_people()
    root = get_user_model().objects.create_superuser("root", password="root-has-a-password")
    run, again, other, gallery = (finished_run(people, steps=2, designs_per_step=3) for _ in range(4))
    Run.objects.filter(pk=gallery.pk).update(project=official_project())
    study = studies.create(people.owner, {"engine": "toy", "seeds": [1]}, project=people.project)
    entries = [{"run": each.pk, "design": None} for each in (run, again)]
    kept = Comparison.objects.create(project=people.project, owner=people.owner, title="Which?", entries=entries)
    report = reports.write(people.owner, "Which?", f"[[front run={run.pk}]]", people.project)
    document = Document.objects.create(project=people.project, kind="hardware", slug="board")
    version = DocumentVersion.objects.create(
        document=document, number=1, schema="chiplet-package/1", title="Board", content={}, content_hash="0" * 64
    )
    invite(people.owner, people.project, "new@example.org", "viewer")
    note = write(people.editor, "run", run.pk, "Look at this", design=1, pinned=True).note
    world = Subjects(people, root, run, other, gallery, study, kept, report, version, note)
    world.open_sessions()
    return world


def stored_in(project: Project) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of the project."""
    found = {}
    for model in apps.get_models():
        if not model.__module__.startswith("webapp."):
            continue
        names = [field.attname for field in model._meta.concrete_fields]
        if model is not Project and not _belongs(model):
            continue
        rows = model._default_manager.filter(**{project_path(model): project.pk}).order_by("pk")
        found[model._meta.label] = [tuple(repr(value) for value in row) for row in rows.values_list(*names)]
    return found


def _belongs(model: type[Model]) -> bool:
    first = project_path(model).split("__")[0]
    return any(field.name == first for field in model._meta.get_fields())
