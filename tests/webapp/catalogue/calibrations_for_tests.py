from __future__ import annotations

import io
from typing import Any

from django.core.management import call_command


def printed(*arguments: str, **options: Any) -> str:
    stream = io.StringIO()
    call_command(*arguments, stdout=stream, **options)
    return stream.getvalue()


CSV = """layer,unit,latency_ms,energy_mj
,gpu,20.0,300
features.0,gpu,0.5,6
features.2,gpu,1.6,
features.34,gpu,0.4,
"""
