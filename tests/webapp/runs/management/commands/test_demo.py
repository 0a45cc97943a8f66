from __future__ import annotations

import io
import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command

from engines.contract.inputs import Preset
from engines.documents.questions import Question
from tests.support.databases import SQLITE
from tests.support.live import LiveSite
from webapp.runs.models import Run


def demo_has(password: str) -> bool:
    return get_user_model().objects.get(username="demo").check_password(password)


@SQLITE
def test_demo_prints_its_password_once_and_keeps_only_a_hash(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [Question("toy", Preset(f"steps-{steps}", f"Toy {steps}", {}, {"steps": steps})) for steps in (2, 3)]
    monkeypatch.setattr("webapp.runs.management.commands.demo.first_questions", lambda: asked)

    def demo(*arguments: str) -> str:
        out = io.StringIO()
        call_command("demo", *arguments, stdout=out)
        return out.getvalue()

    def password_in(text: str) -> str:
        found = re.search(r"Password: (\S+)", text)
        assert found
        return found[1]

    first = demo()
    password = password_in(first)
    assert len(password) >= 12 and demo_has(password)
    user: Any = get_user_model().objects.get(username="demo")
    assert password not in user.password and user.personal_project is not None
    assert "Best found" in first and {run.status for run in Run.objects.all()} == {"done"}
    assert re.findall("Toy [23]", first) == ["Toy 2", "Toy 2", "Toy 3"]  # the first with its table
    assert "Password" not in demo() and Run.objects.count() == 2
    new = password_in(demo("--reset-password", "--no-run"))
    assert new != password and not demo_has(password)
    assert demo_has(new)
