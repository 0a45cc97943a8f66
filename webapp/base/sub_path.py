"""Addresses of a site that a proxy serves below a path of its host, by the path in `PARETOSCOPE_PUBLIC_URL`.

Code names addresses from the root of the site. Django's `reverse` and Dash's own files add the path; all else gets it here.
"""

from __future__ import annotations

from django.conf import settings


def at(address: str) -> str:
    """Return an address of the site, such as "/runs/7", as an address of its host; one that has the path stays."""
    prefix = settings.PARETOSCOPE_PREFIX
    return address if address == prefix or (address.startswith(f"{prefix}/") and prefix) else prefix + address


def within(path: str) -> str:
    """Return an address of the host as one of the site; one from elsewhere stays."""
    prefix = settings.PARETOSCOPE_PREFIX
    return (path[len(prefix) :] or "/") if prefix and (path == prefix or path.startswith(f"{prefix}/")) else path


def absolute(address: str) -> str:
    """Return the address for mails and links that leave the site."""
    return str(settings.PARETOSCOPE_PUBLIC_URL) + within(address)
