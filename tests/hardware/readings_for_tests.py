from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from hardware.document_reader import document_loader, validated


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    size_mm: float = Field(gt=0)


@document_loader
def load_part(content: Mapping[str, Any], file: str) -> float:
    """The size of a part."""
    return validated(Part, {key: value for key, value in content.items() if key != "slug"}, file).size_mm
