"""`manage.py demo`: an account to look around with, and the first exploration."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from engines.contract.errors import ProblemError
from engines.registry import installed_engines
from webapp.changes.acting import name_person
from webapp.runs import service, summaries
from webapp.runs.foreground import run_here, watch
from webapp.runs.models import Run
from webapp.runs.workers import live_workers

DEMO_USER = "demo"
TITLE = "Scenario 4 on Het-Sides"
FIRST_EXPLORATION = {
    "inputs": {"hardware": "simba-3x3-het-sides", "workload": "mlperf-scenario-4"},
    "params": {"objective": "edp"},
    "seed": 1,
}


class Command(BaseCommand):
    help = (
        "Make the account demo with a random password (printed once, kept only as a hash) and run the first exploration: "
        "scenario 4 on the heterogeneous package, against homogeneous packages and standalone chiplets. Safe to repeat."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--reset-password", action="store_true", help="give demo a new password and print it")
        parser.add_argument("--no-run", action="store_true", help="only the account")

    def handle(self, *args: Any, **options: Any) -> None:
        user = self._account(options["reset_password"])
        name_person(user)
        if options["no_run"]:
            return
        try:
            run = self._first_exploration(user)
        except ProblemError as error:
            raise CommandError(f"The first exploration is refused: {error}") from error
        if run.status != Run.Status.DONE:
            raise CommandError(f"{summaries.outcome_text(run)} {summaries.run_url(run)}")
        summaries.print_table(self.stdout, summaries.comparison_table(run, "Het-Sides, best found"))
        self.stdout.write(f"{run.design_count} designs, grid and schedule: {summaries.run_url(run)}")

    def _account(self, reset: bool) -> Any:
        users = get_user_model().objects
        user, created = users.get_or_create(username=DEMO_USER)
        if not (created or reset):
            self.stdout.write(f"Account {DEMO_USER} exists (a new password: manage.py demo --reset-password --no-run).")
            return user
        password = secrets.token_urlsafe(12)
        user.set_password(password)
        user.save(update_fields=["password"])
        self.stdout.write(f"Account: {DEMO_USER}  Password: {password}  (shown only now)")
        return user

    def _first_exploration(self, user: Any) -> Run:
        """The run that is there already, or a new one: by a worker if one is up, else here."""
        first = {"engine": installed_engines()[0].name, **FIRST_EXPLORATION}
        problem = service.prepare(user, first)
        runs = service.visible_runs(user).filter(problem_hash=problem.hash(), engine_version=problem.version)
        known = runs.filter(status=Run.Status.DONE).first() or runs.filter(status__in=("queued", "running")).first()
        if known is not None:
            return watch(known)
        if live_workers():
            return watch(service.start(user, first, title=TITLE))
        return run_here(user, first, title=TITLE)
