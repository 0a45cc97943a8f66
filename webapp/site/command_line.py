"""Command line of the site: every command finds its tables, and ends with a message where something outside of it fails."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import ManagementUtility, get_commands
from django.core.management.base import BaseCommand, CommandError
from django.db import Error as DatabaseError

from webapp.base.actor import command_line

# Commands of these applications work on source files or on the schema itself, except for a few.
_WITHOUT_TABLES = ("django.core", "django.contrib.staticfiles", "rest_framework", "drf_spectacular")
_WITH_TABLES = ("dumpdata", "flush", "loaddata", "shell")
# REST framework's command cannot read the descriptions that drf-spectacular has of this interface.
_REPLACED = {"generateschema": "spectacular"}
# What a shell reports of a program that Ctrl-C ended, and of one whose reader has gone.
_INTERRUPTED, _READER_GONE = 130, 141


class CommandLine(ManagementUtility):
    """Django's command line, with the database prepared before commands that need it.

    A command of the site that needs no tables, or makes them itself, says `needs_tables = False`.
    """

    def fetch_command(self, subcommand: str) -> BaseCommand:
        """Return the command of that name; its `execute` prepares the database and explains failures."""
        _ = settings.INSTALLED_APPS  # raises what is wrong with the settings
        command: BaseCommand = super().fetch_command(subcommand)
        if not isinstance(command.execute, partial):
            command.execute = partial(_execute, subcommand, command, command.execute)  # type: ignore[method-assign]
        return command


def run(argv: Sequence[str]) -> int:
    """Run the command that `argv` names, program first. Returns the exit status; commands that fail raise SystemExit."""
    # Commands of several words are typed with hyphens, as elsewhere; the modules that hold them cannot be named so.
    name = [word if word.startswith("-") else word.replace("-", "_") for word in argv[1:2]]
    try:
        with command_line():
            CommandLine([argv[0], *name, *argv[2:]]).execute()
        sys.stdout.flush()
    except ImproperlyConfigured as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted.\n")
        return _INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left has no reader
        return _READER_GONE
    return 0


@contextmanager
def failures_explained() -> Iterator[None]:
    """Raise CommandError, with the message for a person, where the database, a file or the terminal fails."""
    from webapp.site.database_schema import database_label

    try:
        yield
    except BrokenPipeError:
        raise
    except DatabaseError as error:
        reason = str(error).strip().partition("\n")[0].rstrip(".")
        raise CommandError(
            f"The database failed ({database_label()}): {reason}. Check that it answers and accepts "
            "writes. Check PARETOSCOPE_VAR and DATABASE_URL (docs/settings.md)."
        ) from error
    except OSError as error:
        raise CommandError(str(error)) from error
    except EOFError as error:
        raise CommandError("The command needs an answer, and its input has ended. Run it in a terminal.") from error


def _execute(name: str, command: BaseCommand, execute: Callable[..., Any], /, *args: Any, **options: Any) -> Any:
    from webapp.site.database_schema import require_tables, schema_lock

    if name in _REPLACED:
        raise CommandError(
            f"`paretoscope {name}` does not fit this site. Use `paretoscope {_REPLACED[name]}`.", returncode=2
        )
    with failures_explained():
        if _needs_tables(name, command):
            require_tables(partial(command.stderr.write, style_func=str))
        with schema_lock() if name == "migrate" else nullcontext():
            return execute(*args, **options)


def _needs_tables(name: str, command: BaseCommand) -> bool:
    owner = get_commands().get(name)
    if owner in _WITHOUT_TABLES:
        return name in _WITH_TABLES
    return bool(getattr(command, "needs_tables", True))
