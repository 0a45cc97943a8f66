"""Every user gets a project of their own as soon as the account exists."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models.signals import post_save
from django.dispatch import receiver

from webapp.teams.models import Membership, Project
from webapp.teams.projects import free_slug


@receiver(post_save, sender=settings.AUTH_USER_MODEL, dispatch_uid="teams.personal_project")
def give_personal_project(sender: Any, instance: Any, created: bool, raw: bool = False, **kwargs: Any) -> None:
    """Create the personal project of a new user. Fixtures (`raw`) bring their own."""
    if created and not raw:
        name = instance.get_username()
        project = Project.objects.create(slug=free_slug(name), title=f"{name}'s project", personal_of=instance)
        Membership.objects.create(project=project, user=instance, role=Membership.Role.MAINTAINER)
