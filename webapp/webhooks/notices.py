"""Telling the maintainers of a project that one of its webhooks was switched off: by e-mail, next to what the Team page says."""

from __future__ import annotations

from django.conf import settings

from webapp.teams.mail import mail_later
from webapp.teams.models import Membership
from webapp.webhooks.models import Webhook


def tell_given_up(hook: Webhook) -> None:
    """Mail those maintainers who have an address; a mail that cannot be sent costs nothing but a line of the log."""
    if not settings.PARETOSCOPE_SENDS_MAIL:
        return
    maintainers = hook.project.memberships.filter(role=Membership.Role.MAINTAINER, user__is_active=True)
    addresses = [address for address in maintainers.values_list("user__email", flat=True) if address]
    title = " ".join(hook.project.title.split())
    days, page = settings.PARETOSCOPE_WEBHOOK_DAYS, f"{settings.PARETOSCOPE_PUBLIC_URL}/team/{hook.project.slug}"
    words = (
        f"{title} could not deliver anything to\n\n{hook.url}\n\nfor {days} days, so the webhook was "
        f"switched off.\nIts deliveries, and the switch, are on\n\n{page}\n"
    )
    for address in addresses:
        mail_later(f"A webhook of {title} was switched off", words, address)
