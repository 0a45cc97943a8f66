"""What agents answered before an upgrade is kept, and counted."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from tests.support.databases import LiveDatabase
from tests.support.stored_runs import make_people
from tests.webapp.measuring.conftest import MACHINE, RESULT
from webapp.measuring.models import AgentDevice, MeasuredProfile, Measurement, RunnableFile


@pytest.mark.long
def test_times_of_nodes_go_into_rows_of_their_own(live_database: LiveDatabase) -> None:
    device = AgentDevice.objects.create(project=make_people().project, slug="box", machine=MACHINE, kind="a" * 64)
    for name, piece in (("whole", False), ("part", True)):
        file = RunnableFile.objects.create(content_hash=name, slug=name, content={}, onnx=b"", about={}, piece=piece)
        Measurement.objects.create(device=device, network=file, kind="a" * 64, state="done", result=RESULT)
    Measurement.objects.create(device=device, network=file, kind="a" * 64, round=1)
    call_command("migrate", "measuring", "0003", verbosity=0)
    call_command("migrate", "measuring", verbosity=0)
    whole, part, waiting = Measurement.objects.order_by("pk")
    assert whole.result == part.result and "nodes" not in whole.result and whole.result["node_count"] == 1
    assert whole.profiled["nodes"] == RESULT["nodes"] and whole.stored_bytes > part.stored_bytes > 100
    assert MeasuredProfile.objects.count() == 1 and waiting.result is None and waiting.stored_bytes == 0
    assert AgentDevice.objects.get().token is None, "the agent that asks first has it"
