"""What tests of this folder share."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model

from webapp.backups import service
from webapp.runs.models import DesignChunk, Run
from webapp.runs.storage.files import list_files, read_content

SQLITE = pytest.mark.parametrize("live_database", ["sqlite"], indirect=True)


def stored() -> tuple[Any, ...]:
    """What a site shows of its runs, designs and files."""
    chunks = [bytes(chunk.scalars) for chunk in DesignChunk.objects.order_by("pk")]
    files = [read_content(file.blob_id) for run in Run.objects.order_by("pk") for file in list_files(run)]
    people = sorted(get_user_model().objects.values_list("username", "password"))
    return chunks, files, people, service.present_state()
