from __future__ import annotations

from engines.registry import get_engine
from frontend.pages.drafts import Draft

SCAR = get_engine("scar")


DRAFT = Draft("scar", {"hardware": "simba-3x3-het-sides", "workload": "mlperf-scenario-4"})
