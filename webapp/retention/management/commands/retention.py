"""`manage.py retention`: apply the rules of retention now, or show what they would remove."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from webapp.retention.rules import apply


class Command(BaseCommand):
    help = (
        "Remove expired items by the rules of retention. Print what is removed and how many bytes it "
        "frees. Workers do the same once a day."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only list what would be removed")

    def handle(self, *args: Any, **options: Any) -> None:
        count = freed = 0
        for removal in apply(dry_run=options["dry_run"]):
            self.stdout.write(f"{removal.rule}: {removal.words}.")
            count, freed = count + removal.count, freed + removal.freed_bytes
        verb = "Would be removed" if options["dry_run"] else "Removed"
        self.stdout.write(f"{verb}: {count}, which frees {freed} bytes of designs, checkpoints, files and messages.")
