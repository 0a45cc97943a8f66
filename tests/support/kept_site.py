"""A site and the bundles of its runs as this release writes them: `python -m tests.support.kept_site` makes them anew.

`tests/webapp/runs/test_kept_site.py` opens them with each later release. Those of 27 November 2026 stay as they are: what a later
release writes goes beside them, under another name.
"""

from __future__ import annotations

import contextlib
import lzma
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data"
SITE = DATA / "sites" / "before-renames.sqlite3.xz"
BUNDLES = DATA / "bundles"
# Their runs stay in the site; of the others only the bundles are kept.
IN_SITE = ("soc-mapping", "scar", "split-network", "energyshield")
# A bundle of more would be weights of networks for the most part.
LARGEST_BUNDLE = 20_000


@contextlib.contextmanager
def upgraded_site(content: bytes, folder: Path, newest: tuple[str, str]) -> Iterator[Any]:
    """An SQLite file of an earlier release after `manage.py migrate`, and ann, whose runs it has.

    Args:
        content: the file.
        folder: where it is put.
        newest: application and name of a migration that it must not have, else it is no earlier one.
    """
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.recorder import MigrationRecorder

    from tests.support.databases import using

    file = folder / "old.sqlite3"
    file.write_bytes(content)
    with using(f"sqlite:///{file}"):
        assert newest not in MigrationRecorder(connection).applied_migrations(), "the file is older than this version"
        call_command("migrate", interactive=False, verbosity=0)
        yield get_user_model().objects.get(username="ann")


def make() -> None:
    """Make the site with a run of every engine, then its bundles, and keep what is small."""
    from django.core.management import call_command
    from django.db import connection

    from tests.engines.tiny import TINY_PROBLEMS
    from tests.support.databases import using
    from webapp.base.actor import command_line
    from webapp.runs.models import Run
    from webapp.runs.storage.files import sweep_contents

    with tempfile.TemporaryDirectory() as folder, using(f"sqlite:///{folder}/site.sqlite3"):
        call_command("migrate", interactive=False, verbosity=0)
        with command_line():
            ann, lab = _fill()
        BUNDLES.mkdir(exist_ok=True)
        for run in Run.objects.filter(engine__in=IN_SITE, study=None, deleted=None).order_by("-pk"):
            _keep_bundle(run)
        for name in sorted(name for name in TINY_PROBLEMS if name not in IN_SITE and "toy" not in name):
            _keep_bundle(_run(ann, lab, name))
        Run.objects.exclude(engine__in=IN_SITE).delete()
        sweep_contents()
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA journal_mode = DELETE")
            cursor.execute("VACUUM")
        connection.close()
        SITE.write_bytes(lzma.compress(Path(folder, "site.sqlite3").read_bytes(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{SITE.name}: {SITE.stat().st_size:,} bytes")


def _fill() -> tuple[Any, Any]:
    from engines.documents.builtin import get_builtin
    from tests.support.stored_runs import make_people
    from tests.webapp.measuring.conftest import MACHINE, as_agent
    from webapp.annotations.marks import set_star, set_tags
    from webapp.annotations.notes import write
    from webapp.api.tokens import make_token
    from webapp.catalogue.service import store_version
    from webapp.comparisons.service import entries_of, keep
    from webapp.deletions.service import delete
    from webapp.measuring.devices import register
    from webapp.reports.service import write as write_report
    from webapp.sharing.service import make_link
    from webapp.studies.service import create
    from webapp.teams.invitations import invite
    from webapp.webhooks.service import make_webhook

    people = make_people()
    ann, lab = people.owner, people.project
    runs = [_run(ann, lab, name) for name in IN_SITE]
    mapping = runs[0]
    inputs = {"hardware": ["jetson-agx-xavier"], "workload": ["magnas-vig-s-gin"]}
    params = {"method": "nsga2", "evaluations": 100, "population": 20}
    grid = {"engine": mapping.engine, "title": "Which board?", "seeds": [1], "inputs": inputs, "params": params}
    study = create(ann, grid, lab)
    chosen = entries_of(ann, [{"run": run.pk, "design": None} for run in (mapping, _run(ann, lab, mapping.engine))])
    comparison = keep(ann, "Which seed?", chosen, {}, project=lab)
    report = write_report(ann, "What we found", f"[[front run={mapping.pk}]]", lab)
    package = dict(get_builtin("hardware", "jetson-agx-xavier").content)
    version = store_version(ann, lab, "hardware", {**package, "slug": "board", "title": "Our board"})
    for kind, thing in {"run": mapping, "study": study, "comparison": comparison, "report": report}.items():
        make_link(ann, kind, thing.pk, 90)
    for kind, thing in {"run": mapping, "study": study, "comparison": comparison, "version": version}.items():
        write(ann, kind, thing.pk, "Look at this, @eve.")
    write(people.editor, "run", mapping.pk, "The best", design=1, pinned=True)
    for kind, number in {"run": mapping.pk, "study": study.pk, "document": version.document_id}.items():
        set_tags(ann, kind, number, ["paper"])
        set_star(ann, kind, number, star=True)
    invite(ann, lab, "new@example.org", "viewer")
    make_webhook(ann, lab, "https://example.org/hook", ["run.done"])
    make_token(ann, "Laptop")
    register(as_agent(ann, lab.pk), "Test box", MACHINE)
    delete(ann, "run", _run(ann, lab, "scar").pk)
    return ann, lab


def _run(person: Any, project: Any, name: str) -> Any:
    """Compute the engine's tiny problem as a worker does."""
    from tests.engines.tiny import tiny_problem
    from webapp.runs.inputs.planning import plan_of
    from webapp.runs.models import RunInput
    from webapp.runs.queue import claim
    from webapp.runs.service import inputs_of, unsaved_run
    from webapp.runs.worker.run_supervisor import RunSupervisor

    problem = tiny_problem(name).problem
    run = unsaved_run(problem, plan_of(problem), project=project, owner_id=person.pk, title=f"Run of {name}")
    run.save()
    RunInput.objects.bulk_create(inputs_of(run, problem))
    while (fencing_token := claim.claim_next("kept", claim.Offer())) is not None:  # cells of studies wait before it
        RunSupervisor(fencing_token).keep()
    run.refresh_from_db()
    return run


def _keep_bundle(run: Any) -> None:
    from webapp.runs.bundles.bundle_export import write_bundle

    if run.status != "done":
        print(f"{run.engine}: {run.status}, {run.outcome_detail}")
        return
    with write_bundle(run) as stream:
        data = stream.read()
    small = len(data) <= LARGEST_BUNDLE
    print(f"{run.engine}: {len(data):,} bytes{'' if small else ', not kept'}")
    if small:
        (BUNDLES / f"{run.engine}.zip").write_bytes(data)


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    make()
