"""What tests of this folder share."""

from __future__ import annotations

import json
from typing import Any


def text_of(*parts: Any) -> str:
    return json.dumps([part.to_plotly_json() for part in parts], default=lambda part: part.to_plotly_json())
