"""The form that mails a link for a new password."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import PasswordResetForm
from django.template.loader import render_to_string

from webapp.teams.mail import mail_later


class PasswordForm(PasswordResetForm):
    """A form whose response time does not reveal whether the account exists: it does not wait for the mail server."""

    def send_mail(
        self, subject_template_name: str, email_template_name: str, context: dict[str, Any], from_email: str | None,
        to_email: str, html_email_template_name: str | None = None,
    ) -> None:  # fmt: skip
        """Send the mail later."""
        mail_later(
            render_to_string(subject_template_name, context), render_to_string(email_template_name, context), to_email
        )
