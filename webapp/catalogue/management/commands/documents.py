"""`manage.py documents`: lists the catalogue by the names that commands accept."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engines.contract.engine import Engine
from engines.documents import families
from engines.registry import engine_names, get_engine
from webapp.catalogue.models import KINDS
from webapp.catalogue.service import DocumentEntry, list_documents
from webapp.teams.command_line import command_user


class Command(BaseCommand):
    help = (
        "List the documents of the catalogue by the names that other commands take: kind, name, title. "
        "Devices also name the kinds of values that they lack for estimates."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("kind", nargs="?", help="only this kind: " + ", ".join(KINDS))
        parser.add_argument(
            "--engine", help="only documents that fit an input of this engine: " + ", ".join(engine_names())
        )
        parser.add_argument("--user", help="project of additional documents (default: demo, else local)")

    def handle(self, *args: Any, **options: Any) -> None:
        kind, name = options["kind"], options["engine"]
        _one_of("KIND", kind, KINDS)
        _one_of("--engine", name, engine_names())
        entries = list_documents(command_user(options["user"]), kind)
        if name:
            engine = get_engine(name)
            entries = [entry for entry in entries if _fits(engine, entry)]
        for entry in entries:
            lacking = ", ".join(families.lacking(entry.content))
            self.stdout.write(
                f"{entry.kind:<12} {entry.name:<40} {entry.title}" + (f" (lacks {lacking})" if lacking else "")
            )
        if not entries:
            self.stdout.write("This document does not exist.")


def _one_of(option: str, given: str | None, accepted: tuple[str, ...] | list[str]) -> None:
    if given is not None and given not in accepted:
        raise CommandError(f"{option} must be one of {', '.join(accepted)}. Got {given!r} instead.", returncode=2)


def _fits(engine: Engine, entry: DocumentEntry) -> bool:
    kinds = engine.inputs.values()
    return any(kind.takes(entry.kind, entry.schema) for kind in kinds)
