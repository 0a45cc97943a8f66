from __future__ import annotations

import numpy as np
from rest_framework.test import APIClient

from engines.contract.designs import table_from_bytes, table_to_bytes
from tests.webapp.api.views.cases import get
from webapp.runs.models import DesignChunk, Run


def test_it_says_null_for_what_is_not_defined(client: APIClient, run: Run) -> None:
    chunk = DesignChunk.objects.get(run=run, first_index=0)
    table = table_from_bytes(bytes(chunk.scalars))
    values = table["spread"].to_numpy().copy()
    values[1] = np.nan
    table = table.set_column(table.column_names.index("spread"), "spread", [values])
    DesignChunk.objects.filter(pk=chunk.pk).update(scalars=table_to_bytes(table))
    assert get(client, run, "designs/", columns="spread")["columns"][0]["values"][:2] == [values[0], None]
    assert get(client, run, "design/1/")["values"]["spread"] is None
