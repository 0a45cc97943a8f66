"""Typed readers of environment variables.

A value that cannot be used never stops the import of the settings: the reader notes the problem and continues with the
default, and `webapp.site.checks` reports every problem at once, each with a hint (`manage.py check`).
"""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

Network = IPv4Network | IPv6Network
SECRETS = ("SECRET_KEY", "DATABASE_URL", "BROKER_URL", "EMAIL_URL", "PARETOSCOPE_METRICS_TOKEN")
DEFAULT_ADDRESS = "http://127.0.0.1:8000"
CONSOLE = "console:"
MAIL_URL_ACCEPTED = (
    "console: or smtp://USER:PASSWORD@HOST:PORT (smtp+tls:// for STARTTLS, smtps:// for TLS from the start)"
)
DATABASE_URL_ACCEPTED = "sqlite:///PATH or postgresql://USER:PASSWORD@HOST:PORT/NAME"


@dataclass(frozen=True)
class SettingProblem:
    """A variable whose value cannot be used: its name, what was got (hidden for secrets), what is accepted."""

    name: str
    got: str
    accepted: str


class Environment:
    """Reads variables from a mapping, notes the problems and remembers which names were asked for.

    Attributes:
        problems: unusable parts, in the order of reading.
        names: every variable asked for, in the order of reading.
    """

    def __init__(self, variables: Mapping[str, str]) -> None:
        """Read from `variables`, as in `os.environ`."""
        self._variables = variables
        self.problems: list[SettingProblem] = []
        self.names: list[str] = []

    def text(self, name: str, default: str) -> str:
        """Return the value unchanged; an empty one counts as unset."""
        self.names.append(name)
        return self._variables.get(name, "").strip() or default

    def folder(self, name: str, default: Path) -> Path:
        """Return the folder, made where it is missing.

        Raises ImproperlyConfigured where it cannot be written: nothing works without.
        """
        found = Path(self.text(name, str(default))).resolve()
        try:
            found.mkdir(parents=True, exist_ok=True)
            if not os.access(found, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            raise ImproperlyConfigured(
                f"{name} must be a folder that can be written. Got {found} instead: {error.strerror}. "
                f"Set {name} to a folder of your own (docs/settings.md)."
            ) from error
        return found

    def flag(self, name: str, default: bool) -> bool:
        """Return a switch: 1, true, yes, on or 0, false, no, off."""
        words = {
            "1": True,
            "true": True,
            "yes": True,
            "on": True,
            "0": False,
            "false": False,
            "no": False,
            "off": False,
        }
        value = self.text(name, str(int(default)))
        if value.lower() not in words:
            self.refuse(name, value, "one of " + ", ".join(words))
            return default
        return words[value.lower()]

    def integer(self, name: str, default: int, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`, both included."""
        value = self.text(name, str(default))
        try:
            number = int(value)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            self.refuse(name, value, f"a whole number from {low} to {high}")
            return default
        return number

    def choice(self, name: str, default: str, accepted: tuple[str, ...]) -> str:
        """Return one of `accepted`, in capitals or not."""
        value = self.text(name, default).upper()
        if value not in accepted:
            self.refuse(name, value, "one of " + ", ".join(accepted))
            return default
        return value

    def token(self, name: str, least: int) -> str:
        """Return the characters that nobody guesses, `least` or more and printable; "" where the variable is unset."""
        value = self.text(name, "")
        if value and not re.fullmatch(rf"[!-~]{{{least},}}", value):
            self.refuse(name, value, f"at least {least} letters, digits and signs without a space")
            return ""
        return value

    def words(self, name: str, default: tuple[str, ...], accepted: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the words separated by commas, each out of `accepted` (empty: any word)."""
        found = tuple(word.strip() for word in self.text(name, ",".join(default)).split(",") if word.strip())
        if accepted and not set(found) <= set(accepted):
            self.refuse(name, ",".join(found), "words out of " + ", ".join(accepted))
            return default
        return found

    def networks(self, name: str) -> tuple[Network, ...]:
        """Return the networks as in 10.1.0.0/16, separated by commas; none where the variable is unset."""
        words = self.words(name, ())
        try:
            return tuple(ip_network(word) for word in words)
        except ValueError:
            self.refuse(name, ",".join(words), "networks as in 10.1.0.0/16,fd00::/8, separated by commas")
            return ()

    def database(self, name: str, default_file: Path, connections: int = 16) -> dict[str, Any]:
        """Return Django's `DATABASES` entry from a URL; SQLite in `default_file` where the variable is unset.

        Args:
            name: name of the variable.
            default_file: default file of the SQLite database.
            connections: largest number of connections of one process with a pool.
        """
        url = self.text(name, f"sqlite:///{default_file}")
        try:
            return _database(url, connections)
        except ValueError:
            self.refuse(name, url, DATABASE_URL_ACCEPTED)
            return {"ENGINE": "django.db.backends.dummy"}

    def mail(self, name: str) -> dict[str, Any]:
        """Return Django's settings of e-mail from a URL; mails are printed in the log where the variable is unset."""
        url = self.text(name, CONSOLE)
        try:
            return _mail(url)
        except ValueError:
            self.refuse(name, url, MAIL_URL_ACCEPTED)
            return _mail(CONSOLE)

    def refuse(self, name: str, got: str, accepted: str) -> None:
        """Note that `name` holds `got`, which is not `accepted`."""
        shown = "(hidden)" if name in SECRETS else got
        self.problems.append(SettingProblem(name, shown, accepted))


# How long a thread keeps its connection to SQLite.
SQLITE_KEPT_S = 60
# How long a pool keeps a connection that nobody wants, beyond its last: a hundred workers share what PostgreSQL allows.
POOLED_IDLE_S = 10


def _database(url: str, connections: int) -> dict[str, Any]:
    parts = urlsplit(url)
    if parts.scheme == "sqlite" and not parts.netloc and len(parts.path) > 1:
        return _sqlite(Path(unquote(parts.path[1:])).absolute())
    if parts.scheme in ("postgresql", "postgres") and parts.path.strip("/"):
        return _postgresql(url, connections)
    raise ValueError(f"A database URL must be {DATABASE_URL_ACCEPTED}.")


def _sqlite(file: Path) -> dict[str, Any]:
    """Return the SQLite with a write-ahead log: readers never wait, writers queue for up to 20 s instead of failing."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        # Opening the file again costs as much as half of a page's queries.
        "CONN_MAX_AGE": SQLITE_KEPT_S,
        "NAME": str(file),
        "OPTIONS": {
            # A transaction that reads and then writes would fail with "database is locked" if it began as a reader.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # Some builds of SQLite overwrite every page that is let go, which of a large run is all of it, with everybody waiting;
            # FAST leaves out what would be written for that alone.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=20000; "
            "PRAGMA secure_delete=FAST;",
        },
    }


def _postgresql(url: str, connections: int) -> dict[str, Any]:
    """Return PostgreSQL through psycopg's connection pool; options such as `sslmode` come from the URL's query."""
    parts = urlsplit(url)
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    host = options.pop("host", None) or parts.hostname or ""
    # `timeout` bounds the wait for a connection, so that a database that is away is told at once; there are more of them than
    # threads. The pool hands out only connections that still answer.
    options["pool"] = {"min_size": 1, "max_size": connections, "timeout": 2, "max_idle": POOLED_IDLE_S}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.strip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(parts.port or ""),
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }


_MAIL_TIMEOUT_S = 10
_MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}


def _mail(url: str) -> dict[str, Any]:
    """Raise `ValueError` for a URL that is none of `MAIL_URL_ACCEPTED`."""
    parts = urlsplit(url)
    if url == CONSOLE:
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    if parts.scheme not in _MAIL_PORTS or not parts.hostname:
        raise ValueError(f"A mail URL must be {MAIL_URL_ACCEPTED}.")
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or _MAIL_PORTS[parts.scheme],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_TIMEOUT": _MAIL_TIMEOUT_S,
    }


def secret_key(file: Path) -> str:
    """Return the key in `file`, made at random on first use and readable by its owner only.

    Two processes that start at the same moment get the same key: the file appears complete, and only once.
    """
    if not file.exists():
        draft = file.with_name(f"{file.name}.{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as stream:
            stream.write(secrets.token_urlsafe(64))
        try:
            os.link(draft, file)
        except FileExistsError:
            pass  # the other process was first: its key counts
        finally:
            draft.unlink()
    return file.read_text().strip()


def last_address(var: Path) -> str:
    """Return the last address of `paretoscope up` on the data in `var`, so that commands print working links.

    Port 8000 if it never did.
    """
    try:
        return (var / "address").read_text().strip() or DEFAULT_ADDRESS
    except OSError:
        return DEFAULT_ADDRESS
