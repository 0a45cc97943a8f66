from __future__ import annotations

from typing import Any


def parts(component: Any, kind: str) -> list[Any]:
    return [each for each in component._traverse() if type(each).__name__ == kind]
