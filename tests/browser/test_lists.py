"""The list of runs: runs of a study fold, an engine alone is shown, two runs are compared."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.support.site import Site

_MORE = """
from django.db import transaction
from webapp.moving.row_copies import copy_run
from webapp.runs.models import Run
from webapp.studies.models import Study
run = Run.objects.get(pk={run})
of = {{'project': run.project, 'owner': run.owner, 'engine': run.engine, 'engine_version': run.engine_version}}
with transaction.atomic():  # as moving does: SQLite refuses at once what reads first and writes beside a worker
    study = Study.objects.create(title='Two seeds', **of)
    for seed in (1, 2):
        made = copy_run(run, run.project, run.owner_id)
        Run.objects.filter(pk=made.pk).update(study=study, title=f'Het-Sides, seed {{seed}}')
print('study', study.pk)
"""


def test_a_study_unfolds_and_its_runs_are_compared(site: Site, sign_in: Callable[[str], Page]) -> None:
    code = _MORE.format(run=site.first_run.rpartition("/")[2])
    study = site.python("manage.py", "shell", "--no-imports", "-c", code).split()[-1]
    page = sign_in("demo")
    page.goto(f"{site.url}/?engine=scar")
    expect(page.get_by_role("textbox", name="Engine")).to_have_value("SCAR")
    expect(page.get_by_role("button", name="Compare")).to_be_disabled()
    page.get_by_role("button", name="Show 2 runs").click()
    expect(page.get_by_role("button", name="Fold 2 runs")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"/\?engine=scar&open={study}$"))
    for seed in (1, 2):
        page.get_by_role("row", name=re.compile(f"Het-Sides, seed {seed}")).get_by_role("checkbox").check()
    page.get_by_role("button", name="Compare 2 runs").click()
    expect(page).to_have_url(re.compile(r"/compare\?runs=\d+,\d+$"))
    site.python(
        "manage.py",
        "shell",
        "--no-imports",
        "-c",
        f"from webapp.runs.models import Run; Run.objects.filter(study={study}).delete()",
    )
