from __future__ import annotations

import json
from typing import Any

VIG, MOBILE = "magnas-vig-s-gin", "mobilenet-v2"


def words(component: Any) -> str:
    return json.dumps(component, default=lambda each: getattr(each, "to_plotly_json", lambda: str(each))())
