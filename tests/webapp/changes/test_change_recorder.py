"""What is written down, and what never is."""

from __future__ import annotations

from django.apps import apps
from django.db import models

from tests.support.stored_runs import People
from tests.webapp.changes.cases import newest
from webapp.api.tokens import make_token
from webapp.base.actor import command_line
from webapp.items.registry import items

# What people do not do themselves, or what is told with something else.
UNWATCHED = {
    "gallery.VisitorNetwork": "of a visitor; deleted within a day",
    "runs.RunInput": "made with its run",
    "runs.StepRecord": "stored by workers",
    "runs.Checkpoint": "stored by workers",
    "runs.DesignChunk": "stored by workers",
    "runs.RunResult": "stored by workers",
    "runs.FileBlob": "content without a name",
    "runs.FilePart": "part of a FileBlob",
    "runs.RunFile": "stored by workers",
    "runs.DocumentFile": "made with its version",
    "runs.LogLine": "stored by workers",
    "runs.WorkerBeat": "a worker's sign of life",
    "reproductions.Reproduction": "facts about the product",
    "changes.Change": "the log itself",
    "catalogue.ValueReport": "changes nothing; says who and when itself",
    "api.LastWrite": "a date of the site",
    "api.StartedOnce": "remembers that a program asked twice",
    "talk.Favourite": "a person's own, which nobody else sees",
    "talk.Notice": "made with its note",
    "webhooks.Delivery": "sent by workers",
    "measuring.RunnableFile": "made of a document",
    "measuring.Measurement": "answered by agents",
    "measuring.MeasuredProfile": "answered by agents",
    "measuring.RunnableDesign": "made of a design",
    "measuring.DesignPiece": "made of a design",
    "measuring.RunDevice": "follows from what was asked of an agent",
    "measuring.MeasuredElsewhere": "came with an imported run",
    "measuring.ImportedValue": "made with its import",
    "retention.LastRetention": "a date of the site",
    "search.SearchEntry": "follows what it is about",
}


def test_every_model_is_watched_or_exempt_with_a_reason() -> None:
    ours = {
        model._meta.label
        for model in apps.get_models()
        if model.__module__.startswith("webapp.") and issubclass(model, models.Model)
    }
    watched = {each.model for each in items("logged").values()}
    assert ours - watched - set(UNWATCHED) == set()
    assert set(UNWATCHED) <= ours and not set(UNWATCHED) & watched


def test_secrets_are_not_in_the_log(people: People) -> None:
    with command_line():
        people.viewer.set_password("another-password")
        people.viewer.save()
        make_token(people.viewer, "Mine")
    told = newest(content_type__model="user").changes
    assert told == {"password": ["(not shown)", "(not shown)"]}
    assert "digest" not in str(newest(content_type__model="apitoken").changes)
