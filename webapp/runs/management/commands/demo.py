"""`manage.py demo`: an account to look around with, and first runs of different engines."""

from __future__ import annotations

import secrets
import time
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.documents.questions import Question, first_questions
from webapp.base.actor import name_person
from webapp.base.printing import print_table
from webapp.runs import service
from webapp.runs.foreground import run_here, watch
from webapp.runs.inputs.documents import problem_from_document
from webapp.runs.models import Run
from webapp.runs.queue.workers import live_workers
from webapp.runs.results import summaries

DEMO_USER = "demo"
_LOOK_EVERY_S = 0.1


class Command(BaseCommand):
    help = (
        "Create the account demo with a random password (shown once, stored only as a hash). Run the "
        "first examples of Home, each with another engine. Safe to repeat."
    )

    requires_system_checks = ()  # they read every page; `paretoscope.prepare` has made them

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--reset-password", action="store_true", help="give demo a new password and print it")
        parser.add_argument("--no-run", action="store_true", help="only the account")
        words = "seconds to wait for a worker before the runs are executed here (default: 0)"
        parser.add_argument("--wait-for-workers", type=float, default=0.0, metavar="S", help=words)

    def handle(self, *args: Any, **options: Any) -> None:
        user = self._account(options["reset_password"])
        name_person(user)
        if options["no_run"]:
            return
        _until_a_worker_is_up(options["wait_for_workers"])
        first, *others = first_questions()  # more would keep the first visitor waiting; Home offers the other examples
        # Alone, as somebody waits for it: the others would take the same cores.
        run = self._ended(self._exploration(user, first))
        print_table(self.stdout, summaries.comparison_table(run, "Best found"))
        self._tell(run)
        for run in [self._exploration(user, each) for each in others]:
            self._tell(self._ended(run))

    def _account(self, reset: bool) -> Any:
        users = get_user_model().objects
        user, created = users.get_or_create(username=DEMO_USER)
        if not (created or reset):
            self.stdout.write(
                f"Account {DEMO_USER} exists (a new password: paretoscope demo --reset-password --no-run)."
            )
            return user
        password = secrets.token_urlsafe(12)
        user.set_password(password)
        user.save(update_fields=["password"])
        self.stdout.write(f"Account: {DEMO_USER}  Password: {password}  (shown only now)")
        return user

    def _ended(self, run: Run) -> Run:
        """Return the run after it has ended; raise CommandError if it failed."""
        run = watch(run)
        if run.status != Run.Status.DONE:
            raise CommandError(f"{summaries.outcome_text(run)} {summaries.run_url(run)}")
        return run

    def _tell(self, run: Run) -> None:
        self.stdout.write(f"{run.title}, {many(run.design_count, 'design')}: {summaries.run_url(run)}")
        self.stdout.flush()

    def _exploration(self, user: Any, asked: Question) -> Run:
        """Return the run that is there already, or a new one: by a worker if one is up, else here."""
        document = asked.document()
        try:
            problem = problem_from_document(user, document)
        except ProblemError as error:
            raise CommandError(f"A run is refused: {error}") from error
        runs = service.visible_runs(user).filter(problem_hash=problem.hash(), engine_version=problem.version)
        known = runs.filter(status=Run.Status.DONE).first() or runs.filter(status__in=("queued", "running")).first()
        if known is not None:
            return known
        title = asked.preset.title
        if live_workers():
            return service.start(user, document, title=title)
        return run_here(user, document, title=title)


def _until_a_worker_is_up(longest_s: float) -> None:
    end = time.monotonic() + longest_s
    while not live_workers() and time.monotonic() < end:
        time.sleep(_LOOK_EVERY_S)
