"""The stored notes, tags and stars: each row names its item by kind and number, as the change log does."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from webapp.teams.deletable import Deletable
from webapp.teams.models import Project


class Note(Deletable):
    """A note of a user on an item, in Markdown.

    Attributes:
        project: where the thing belongs; it goes along when that moves.
        kind, number: the annotated item.
        design: number of the design of a run that it is about; null for the thing as a whole.
        pinned: whether it is the one remark that stands at the design wherever the design is shown.
        owner: who wrote it, and alone may change it.
        edited: when it was last changed; null where it never was.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="notes")
    kind = models.CharField(max_length=12)
    number = models.BigIntegerField()
    design = models.BigIntegerField(null=True, blank=True, default=None)
    pinned = models.BooleanField(default=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="notes")
    text = models.TextField()
    created = models.DateTimeField(db_default=Now(), editable=False)
    edited = models.DateTimeField(null=True, default=None, editable=False)

    OFFICIAL_PATH = "project__official"

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["kind", "number"], name="notes_of_thing")]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "number", "design"],
                name="one_pinned_remark_per_design",
                condition=Q(pinned=True, deleted=None),
            )
        ]

    def __str__(self) -> str:
        return f"note on {self.kind} {self.number}"

    @property
    def title(self) -> str:
        """Its first words."""
        words = " ".join(self.text.split())
        return words if len(words) <= 60 else f"{words[:59]}…"


class Tag(models.Model):
    """A word that people of a project gave to a thing.

    Attributes:
        kind, number: the marked item.
        word: word in lower case.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="tags")
    kind = models.CharField(max_length=12)
    number = models.BigIntegerField()
    word = models.CharField(max_length=40)

    OFFICIAL_PATH = "project__official"

    class Meta:
        ordering = ["word"]
        indexes = [models.Index(fields=["project", "word"], name="tags_of_project")]
        constraints = [models.UniqueConstraint(fields=["kind", "number", "word"], name="one_tag_per_word_and_thing")]

    def __str__(self) -> str:
        return f"{self.word} on {self.kind} {self.number}"


class Favourite(models.Model):
    """Star of a person on an item, which only that person sees."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="favourites")
    kind = models.CharField(max_length=12)
    number = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["kind", "number"], name="favourites_of_thing")]
        constraints = [models.UniqueConstraint(fields=["user", "kind", "number"], name="one_star_per_user_and_thing")]

    def __str__(self) -> str:
        return f"star of {self.user} on {self.kind} {self.number}"


class Notice(models.Model):
    """The mention of a user in a note. `read`: when the user saw it; null before."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    note = models.ForeignKey(Note, on_delete=models.CASCADE, related_name="notices")
    created = models.DateTimeField(db_default=Now(), editable=False)
    read = models.DateTimeField(null=True, default=None, editable=False)

    PROJECT_PATH = "note__project"
    OFFICIAL_PATH = "note__project__official"

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["user", "note"], name="one_notice_per_user_and_note")]

    def __str__(self) -> str:
        return f"{self.note} mentions {self.user}"
