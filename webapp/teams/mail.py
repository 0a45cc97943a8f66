"""E-mail that nothing depends on."""

from __future__ import annotations

import atexit
import logging
import queue
import threading
from smtplib import SMTPException

from django.core.mail import send_mail

MOST_WAITING, LAST_S = 1_000, 15.0
_waiting: queue.Queue[tuple[str, str, str]] = queue.Queue(MOST_WAITING)
_senders: list[threading.Thread] = []
_lock = threading.Lock()

logger = logging.getLogger(__name__)


def mail(subject: str, words: str, address: str) -> bool:
    """Send one e-mail; return whether that worked. A line of the log says why not.

    Args:
        subject: line breaks in it become spaces, so that no title adds a header.
        words: the text.
        address: address of the receiver.
    """
    try:
        send_mail(" ".join(subject.split()), words, None, [address])
    except (SMTPException, OSError) as error:
        logger.warning("An e-mail could not be sent (%s): %s", " ".join(subject.split()), error)
        return False
    return True


def mail_later(subject: str, words: str, address: str) -> None:
    """Send one e-mail by a thread of its own, so that no run or page waits for the mail server; arguments as for `mail`."""
    try:
        _waiting.put_nowait((subject, words, address))
    except queue.Full:
        logger.warning("An e-mail could not be sent (%s): %s others wait.", " ".join(subject.split()), MOST_WAITING)
    with _lock:
        if not any(sender.is_alive() for sender in _senders):  # the first, or that of a process that forked
            _senders[:] = [threading.Thread(target=_send_waiting, name="mail-sender", daemon=True)]
            _senders[0].start()


def await_mails(within_s: float = LAST_S) -> bool:
    """Wait until no e-mail waits; return whether that is so within that time."""
    with _waiting.all_tasks_done:
        return _waiting.all_tasks_done.wait_for(lambda: not _waiting.unfinished_tasks, within_s)


atexit.register(await_mails)


def _send_waiting() -> None:
    while True:
        message = _waiting.get()
        try:
            mail(*message)
        except Exception:  # whatever an address or a server thinks of: the next one must be sent
            logger.exception("An e-mail could not be sent.")
        finally:
            _waiting.task_done()
