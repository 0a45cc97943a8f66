"""The change log in Django's admin."""

from __future__ import annotations

from django.contrib.auth import get_user_model

from tests.support.stored_runs import People
from tests.webapp.changes.cases import newest, signed_in, start_over_rest
from webapp.changes.models import Change


def test_it_is_looked_at_and_taken_away_and_never_touched(people: People) -> None:
    run = start_over_rest(people)
    made = newest(object_id=run.pk, verb="made")
    admin = signed_in(get_user_model().objects.create_superuser("root"))
    page = f"/admin/changes/change/{made.pk}/"
    assert "Toy run" in admin.get(f"{page}change/").content.decode()
    for refused in ("/admin/changes/change/add/", f"{page}delete/"):
        assert admin.get(refused).status_code == 403
    assert admin.post(f"{page}change/", {"who": "nobody"}).status_code == 403
    answer = admin.post("/admin/changes/change/", {"action": "as_csv", "_selected_action": [made.pk]})
    assert ",title,,Toy run" in b"".join(answer).decode()
    assert Change.objects.get(pk=made.pk).who == "ann"
