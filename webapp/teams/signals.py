"""Every user gets a project of their own as soon as the account exists."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.utils.text import slugify

from webapp.teams.models import Membership, Project


@receiver(post_save, sender=settings.AUTH_USER_MODEL, dispatch_uid="teams.personal_project")
def give_personal_project(sender: Any, instance: Any, created: bool, raw: bool = False, **kwargs: Any) -> None:
    """Create the personal project of a new user. Fixtures (`raw`) bring their own."""
    if created and not raw:
        name = instance.get_username()
        project = Project.objects.create(slug=_free_slug(name), title=f"{name}'s project", personal_of=instance)
        Membership.objects.create(project=project, user=instance, role=Membership.Role.MAINTAINER)


def _free_slug(name: str) -> str:
    base = slugify(name)[:60] or "project"
    taken = set(Project.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    candidates = (f"{base}-{number}" for number in range(2, len(taken) + 3))
    return base if base not in taken else next(slug for slug in candidates if slug not in taken)
