"""Allowed addresses of webhooks: public ones, and those in networks allowed by a setting.

Names are looked up again for every delivery, and the connection goes to the very address that was checked, so that a name which
leads elsewhere a moment later (DNS rebinding) leads nowhere.
"""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from django.conf import settings

from engines.contract.errors import ProblemError

LONGEST_URL = 500
_ACCEPTED = f"https://HOST[:PORT]/PATH of at most {LONGEST_URL} characters, without a password in it"
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
# Neither public nor known to `is_global` of every Python: IETF protocols, 6to4 relays, site-local, documentation, Azure's own host.
_NOT_PUBLIC = tuple(
    map(
        ipaddress.ip_network,
        ("192.0.0.0/24", "192.88.99.0/24", "fec0::/10", "3fff::/20", "168.63.129.16/32", "5f00::/16"),
    )
)

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class RefusedTarget(Exception):
    """The address of a webhook leads where this site sends nothing; the message says why."""


def checked_url(text: str) -> str:
    """Return the address of a webhook, as far as it can be judged without asking for it.

    Raises:
        ProblemError: it is none, has a password, is not encrypted, or is a number of a network that is not public.
    """
    url = text.strip()
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        raise ProblemError("url", text, _ACCEPTED) from None
    plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= LONGEST_URL
    if (
        not plain
        or not host
        or parts.scheme not in ("https", "http")
        or parts.username
        or parts.password
        or parts.fragment
    ):
        raise ProblemError("url", text, _ACCEPTED)
    if parts.scheme == "http" and not settings.PARETOSCOPE_WEBHOOK_NETWORKS:
        raise ProblemError("url", text, "an address that begins with https://")
    try:
        require_allowed(ipaddress.ip_address(host))
    except RefusedTarget as error:
        raise ProblemError("url", text, "a public address", reason=f"{error}.") from None
    except ValueError:  # a name: it is looked up when something is sent
        if host == "localhost" or host.endswith(".localhost"):
            raise _not_local(text) from None
    return url


def addresses_of(host: str, port: int) -> list[str]:
    """Return the addresses to which a name leads now, all of which may be connected to.

    Raises:
        OSError: there is no such name. RefusedTarget: one of them is not allowed.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    texts = list(dict.fromkeys(str(each[4][0]) for each in found))
    for text in texts:
        require_allowed(ipaddress.ip_address(text))
    return texts


def require_allowed(address: Address) -> None:
    """Raise `RefusedTarget` unless something may be sent to `address`."""
    meant = _meant(address)
    if any(meant in network for network in settings.PARETOSCOPE_WEBHOOK_NETWORKS):
        return
    listed = any(meant in network for network in _NOT_PUBLIC)
    if listed or not meant.is_global or meant.is_multicast or meant.is_reserved:
        raise RefusedTarget(
            f"{address} is private, of this machine or of its own network; PARETOSCOPE_WEBHOOK_NETWORKS may allow it"
        )


def _meant(address: Address) -> Address:
    """Return the IPv4 address that an IPv6 address carries; else itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    carried = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
    if carried is None and address in _NAT64:
        carried = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return carried or address


def _not_local(text: str) -> ProblemError:
    return ProblemError("url", text, "a public address", reason="The name leads to the server of this site.")
