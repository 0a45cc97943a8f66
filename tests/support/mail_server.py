"""A mail server on loopback, which keeps what it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

USER, PASSWORD = "site", "a-mail-password"


@dataclass
class MailServer:
    """A running server.

    Attributes:
        host, port: where it listens.
        refuses: address that it knows nothing of.
        received: (recipient, message), in their order.
    """

    host: str = "127.0.0.1"
    port: int = 0
    refuses: str = "gone@example.org"
    received: list[tuple[str, Message]] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Return the address as `EMAIL_URL` takes it."""
        return f"smtp://{USER}:{PASSWORD}@{self.host}:{self.port}"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        if address == self.refuses:
            return "550 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        message = message_from_bytes(envelope.content, policy=default)
        self.received += [(address, message) for address in envelope.rcpt_tos]
        return "250 kept"


class _Controller(Controller):
    def factory(self) -> SMTP:
        return SMTP(
            self.handler,
            authenticator=lambda server, session, envelope, mechanism, given: AuthResult(
                success=isinstance(given, LoginPassword)
                and (given.login, given.password) == (USER.encode(), PASSWORD.encode())
            ),
            auth_required=True,
            auth_require_tls=False,
        )

    def _trigger_server(self) -> None:
        # With port 0 the system chose one, which the controller does not look up by itself.
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@contextmanager
def mail_server() -> Iterator[MailServer]:
    """A server that takes mail from who signs in, until the end of the block."""
    found = MailServer()
    controller = _Controller(found, hostname=found.host, port=0)
    controller.start()
    found.port = controller.port
    try:
        yield found
    finally:
        controller.stop()
