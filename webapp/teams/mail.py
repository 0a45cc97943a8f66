"""E-mail that nothing depends on."""

from __future__ import annotations

import logging
from smtplib import SMTPException

from django.core.mail import send_mail

logger = logging.getLogger(__name__)


def mail(subject: str, words: str, address: str) -> bool:
    """Send one e-mail; return whether that worked. A line of the log says why not.

    Args:
        subject: line breaks in it become spaces, so that no title adds a header.
        words: the text.
        address: of the receiver.
    """
    try:
        send_mail(" ".join(subject.split()), words, None, [address])
    except (SMTPException, OSError) as error:
        logger.warning("An e-mail could not be sent (%s): %s", " ".join(subject.split()), error)
        return False
    return True
