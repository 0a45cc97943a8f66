"""Where webhooks may lead."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

import pytest

from engines.contract.errors import ProblemError
from webapp.webhooks.targets import RefusedTarget, addresses_of, checked_url, require_allowed

PRIVATE = [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1",
    "255.255.255.255", "240.0.0.1", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe", "64:ff9b::7f00:1", "2002:7f00:1::", "fec0::1", "168.63.129.16", "192.0.0.8",
    "192.88.99.1", "3fff::1", "::ffff:168.63.129.16", "2001:0:4136:e378:8000:63bf:80ff:fffe",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_what_is_not_public_is_refused(address: str) -> None:
    with pytest.raises(RefusedTarget, match="PARETOSCOPE_WEBHOOK_NETWORKS"):
        require_allowed(ipaddress.ip_address(address))
    literal = f"[{address}]" if ":" in address else address
    with pytest.raises(ProblemError, match="a public address"):
        checked_url(f"https://{literal}/hook")


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:93.184.215.14"])
def test_what_is_public_is_allowed(address: str) -> None:
    require_allowed(ipaddress.ip_address(address))


def test_a_setting_allows_networks_and_no_others(settings: Any) -> None:
    settings.PARETOSCOPE_WEBHOOK_NETWORKS = (ipaddress.ip_network("10.1.0.0/16"), ipaddress.ip_network("fd00::/8"))
    for address in ("10.1.2.3", "::ffff:10.1.2.3", "fd00::7"):
        require_allowed(ipaddress.ip_address(address))
    assert checked_url(" http://10.1.2.3:8080/x?y=1 ") == "http://10.1.2.3:8080/x?y=1"
    for address in ("10.2.0.1", "127.0.0.1", "::1"):
        with pytest.raises(RefusedTarget):
            require_allowed(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "", "example.org", "ftp://example.org/", "https://", "https://me:word@example.org/", "https://example.org/#part",
        "https://exa mple.org/", "https://example.org:99999/", "https://[::1", "https://example.org/" + "x" * 500,
        "https://ex\nample.org/", "https://exämple.org/", "http://example.org/", "https://localhost/",
        "https://some.localhost/", "file:///etc/passwd", "https://example.org/\x00",
    ],
)  # fmt: skip
def test_an_address_that_cannot_be_is_refused_with_its_field(url: str) -> None:
    with pytest.raises(ProblemError) as told:
        checked_url(url)
    assert told.value.field == "url"


def test_one_private_address_among_public_ones_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(host: str, port: int, **_rest: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in ("93.184.215.14", "127.0.0.1")]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    with pytest.raises(RefusedTarget, match=r"127\.0\.0\.1"):
        addresses_of("example.org", 443)
