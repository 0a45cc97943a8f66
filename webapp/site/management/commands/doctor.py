"""`paretoscope doctor`: what is wrong with this installation, each with a remedy."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engines.contract.integer_format import many
from webapp.site.diagnosis import diagnose


class Command(BaseCommand):
    help = (
        "Report what is wrong with this installation: versions, disk, settings, database, clock, port and proxies. "
        "Nothing is changed. Exit status: 0 without errors, 1 with errors."
    )

    needs_tables = False
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        errors = 0
        for finding in diagnose():
            errors += finding.state == "error"
            self.stdout.write(f"{finding.state:8} {finding.subject:9} {finding.text} {finding.remedy}".rstrip())
        if errors:
            raise CommandError(f"{many(errors, 'error')} found.")
