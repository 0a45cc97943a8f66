"""Reports of values of built-in devices: each with its source, stored for review, seen by the project of who reports.

A report changes nothing. Administrators review it, and the tables that ship with the product change with the next release.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.contract.errors import ProblemError
from engines.contract.titles import checked_title
from engines.documents import families
from webapp.catalogue.entries import DocumentEntry
from webapp.catalogue.models import ValueReport
from webapp.catalogue.names import get_entry
from webapp.teams.models import Project
from webapp.teams.visibility import Principal, require_edit, visible

LONGEST_VALUE, LONGEST_SOURCE = 200, 500
MOST_OPEN = 200  # of a project
_MOST_SHOWN = 20


def reportable_keys(entry: DocumentEntry) -> tuple[str, ...]:
    """Return the dotted keys of a device's values and of those that are not published.

    Raises:
        ProblemError: the document cannot be read.
    """
    device = families.load(entry.content, entry.kind)
    return (*getattr(device, "sources", {}), *getattr(device, "not_published", ()))


def report_value(
    principal: Principal, project: Project, device: str, key: object, value: object, source: object
) -> ValueReport:
    """Store what somebody reports about a value of a built-in device.

    Args:
        principal: who reports; an editor or maintainer of `project`.
        project: project whose members see the report.
        device: slug of the device.
        key: one of `reportable_keys`.
        value: correct value, with its unit.
        source: source of the value.

    Raises:
        NotAllowed: `principal` may not edit the project.
        ProblemError: names the field, what was got and what is accepted.
    """
    require_edit(principal, project)
    entry = get_entry(principal, "hardware", device)
    if not entry.builtin:
        ways = ["Edit your own device on its page."]
        raise ProblemError("device", device, "a device that comes with the product", remedies=ways)
    if key not in reportable_keys(entry):
        raise ProblemError("key", key, f"a dotted key of the device, such as {reportable_keys(entry)[0]}")
    words = checked_title("value", value, LONGEST_VALUE), checked_title("source", source, LONGEST_SOURCE)
    mine = ValueReport.objects.filter(project=project, reviewed__isnull=True)
    if mine.count() >= MOST_OPEN:
        ways = ["Wait until an administrator has reviewed some."]
        most = f"one of at most {MOST_OPEN} unreviewed reports per project"
        raise ProblemError("value", "another report", most, remedies=ways)
    return ValueReport.objects.create(
        project=project, owner_id=principal.pk, device=entry.slug, key=key, value=words[0], source=words[1]
    )


def reports_on(principal: Principal, device: str) -> Sequence[ValueReport]:
    """Return the newest reports on a device that `principal` may see."""
    rows = visible(principal, ValueReport.objects.select_related("owner")).filter(device=device)
    return list(rows.order_by("-pk")[:_MOST_SHOWN])
