from __future__ import annotations

from engines.registry import get_engine

ENGINE = get_engine("soc-mapping")


DATASHEET = {"unmeasured": "datasheet"}
