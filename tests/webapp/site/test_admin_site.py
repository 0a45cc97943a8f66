"""Two administrators at the same form: the second is told what the first changed."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from tests.support.stored_runs import People, finished_run, make_people
from webapp.limits.models import PersonLimits

_BOXES = ("is_active", "is_staff", "is_superuser")
_FIELD = re.compile(r'<input type="(?:text|email|number|checkbox|hidden|password)" name="([^"]+)"([^>]*)>')


@pytest.fixture
def people(db: Any, toys: None) -> People:
    return make_people()


@pytest.fixture
def admin(people: People, client: Client) -> Client:
    User.objects.filter(pk=people.owner.pk).update(is_staff=True, is_superuser=True)
    client.force_login(User.objects.get(pk=people.owner.pk))
    return client


def opened(admin: Client, address: str) -> dict[str, Any]:
    """What the form at an address would send as it is."""
    found: dict[str, Any] = {}
    for name, rest in _FIELD.findall(admin.get(address).content.decode()):
        value = re.search(r'value="([^"]*)"', rest)
        if name not in _BOXES or "checked" in rest:
            found[name] = html.unescape(value[1]) if value else ""
    joined = User.objects.get(username="vic").date_joined
    return {**found, "date_joined_0": f"{joined:%Y-%m-%d}", "date_joined_1": f"{joined:%H:%M:%S}"}


def test_a_stale_account_form_does_not_bring_it_back_to_life(people: People, admin: Client) -> None:
    address = f"/admin/auth/user/{people.viewer.pk}/change/"
    first, second = opened(admin, address), opened(admin, address)
    first.pop("is_active")
    assert admin.post(address, first).status_code == 302
    refused = admin.post(address, {**second, "is_active": "on", "last_name": "Smith"})
    page = refused.content.decode()
    assert refused.status_code == 200 and "ann saved this less than a minute ago" in page
    theirs, ours = page.split("Yours differs from theirs in")
    assert "They changed:" in theirs and "Active: <del>yes</del> → <ins>no</ins>" in theirs
    assert "Active: <del>no</del> → <ins>yes</ins>" in ours and "Last name: <del>empty</del> → <ins>Smith</ins>" in ours
    assert not User.objects.get(pk=people.viewer.pk).is_active
    again = html.unescape(re.search(r'name="seen_state" value="([^"]*)"', page)[1])  # type: ignore[index]
    assert (
        admin.post(address, {**second, "last_name": "Smith", "is_active": "on", "seen_state": again}).status_code == 302
    )
    assert User.objects.filter(pk=people.viewer.pk, is_active=True, last_name="Smith").exists()


def test_groups_limits_and_members_are_compared_too(people: People, admin: Client) -> None:
    group, limits = (
        Group.objects.create(name="Lab people"),
        PersonLimits.objects.create(person=people.viewer, active_runs=2),
    )
    project = people.project
    members = project.memberships.get(user=people.viewer)
    for address, changed, words in (
        (
            f"/admin/auth/group/{group.pk}/change/",
            lambda: Group.objects.update(name="Others"),
            "Name: <del>Lab people</del> → <ins>Others</ins>",
        ),
        (
            f"/admin/limits/personlimits/{limits.pk}/change/",
            lambda: PersonLimits.objects.update(active_runs=9),
            "<del>2</del> → <ins>9</ins>",
        ),
        (f"/admin/teams/project/{project.pk}/change/", members.delete, "Memberships: <del>"),
    ):
        form = opened(admin, address)
        assert "seen_state" in form
        changed()
        page = admin.post(
            address, {**form, "name": "Mine", "person": people.viewer.pk, "active_runs": "5"}
        ).content.decode()
        assert words in page and "Take theirs" in page and "This was changed since you opened" in page


def rows(response: Any) -> dict[str, Any]:
    """What the table of a form would send as it is shown."""
    formset = response.context["inline_admin_formsets"][0].formset
    forms = [formset.management_form, *formset.forms]
    found = {form.add_prefix(name): form[name].value() for form in forms for name in form.fields}
    return {name: value or "" for name, value in found.items()}


def test_a_row_that_somebody_else_deleted_is_asked_about_and_can_be_saved_again(people: People, admin: Client) -> None:
    project, address = people.project, f"/admin/teams/project/{people.project.pk}/change/"
    form = opened(admin, address)
    sent = {**form, **rows(admin.get(address)), "title": "Mine"}
    eve, vic = people.editor, people.viewer
    row = next(name for name, value in sent.items() if name.endswith("-user") and value == vic.pk)
    sent[row.replace("-user", "-role")] = "editor"
    project.memberships.get(user=eve).delete()
    refused = admin.post(address, sent)
    page = refused.content.decode()
    assert (
        "eve is editor of Lab" in page.split("Yours differs")[0] and "Title: <del>Lab</del> → <ins>Mine</ins>" in page
    )
    again = html.unescape(re.search(r'name="seen_state" value="([^"]*)"', page)[1])  # type: ignore[index]
    assert admin.post(address, {**sent, **rows(refused), "seen_state": again}).status_code == 302
    roles = dict(project.memberships.values_list("user__username", "role"))
    assert roles == {"ann": "maintainer", "eve": "editor", "vic": "editor"}


def test_titles_that_cannot_be_shown_are_refused(people: People, admin: Client) -> None:
    address = f"/admin/teams/project/{people.project.pk}/change/"
    page = admin.post(address, {**opened(admin, address), "title": "a\u202eb"}).content.decode()
    assert "control characters" in page


def test_an_account_that_owns_things_is_deactivated_instead(people: People, admin: Client) -> None:
    run = finished_run(people, steps=1, designs_per_step=1)
    page = admin.get(f"/admin/auth/user/{run.owner_id}/delete/").content.decode()
    assert "Clear <em>Active</em> instead" in page and f"/admin/auth/user/{run.owner_id}/change/" in page
