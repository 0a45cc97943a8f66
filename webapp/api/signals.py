"""A new password revokes all API tokens, since the account may have been compromised."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models.signals import post_save
from django.dispatch import receiver

from webapp.api.models import ApiToken


@receiver(post_save, sender=settings.AUTH_USER_MODEL, dispatch_uid="api.end_token")
def end_token(sender: Any, instance: Any, created: bool, **kwargs: Any) -> None:
    """Delete the user's tokens where the password was set; Django has forgotten it where it only made its hash again."""
    if not created and getattr(instance, "_password", None) is not None:
        ApiToken.objects.filter(user=instance).delete()
