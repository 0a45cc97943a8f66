"""Projects and memberships. Everything that people make belongs to a project."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class Project(models.Model):
    """A shelf for runs and documents, seen by its members.

    Attributes:
        slug: name in URLs and on the command line.
        title: name for people.
        personal_of: the user whose personal project this is; None for a team's project.
        official: the site's own shelf, of which there is one: its documents are for everybody, and administrators look after them.
            It has no members, and nothing but documents.
    """

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=120)
    personal_of = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="personal_project"
    )
    official = models.BooleanField(default=False, editable=False)
    created = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["title", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["official"], condition=models.Q(official=True), name="one_official_project")
        ]

    def __str__(self) -> str:
        return self.title


class Membership(models.Model):
    """Membership of a user in a project, with a role.

    A viewer sees everything in it; an editor also starts, stops, stores and shares; a maintainer looks after its members, too.
    """

    class Role(models.TextChoices):
        """The role of a member; each includes the one before."""

        VIEWER = "viewer"
        EDITOR = "editor"
        MAINTAINER = "maintainer"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.VIEWER)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "user"], name="one_membership_per_user_and_project")]

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.project}"


class Invitation(models.Model):
    """Invitation of a person to join a project, once, until a day.

    Attributes:
        person: an e-mail address, or the name of an account: nobody else can take it.
        digest: SHA-256 (hex) of the secret in its link, which is not stored.
        accepted: when it was taken; null until then.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="invitations")
    person = models.CharField(max_length=254)
    role = models.CharField(max_length=10, choices=Membership.Role, default=Membership.Role.VIEWER)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created = models.DateTimeField(db_default=Now(), editable=False)
    expires = models.DateTimeField()
    accepted = models.DateTimeField(null=True, default=None, editable=False)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.person} to {self.project}"
