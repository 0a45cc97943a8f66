"""Train the estimators that ship, and write their documents and weights: `python tools/train_estimators.py`.

The engine train-estimator at its defaults but for `SETTINGS`. What comes out differs in last digits from processor to processor.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from engines.documents.builtin import get_builtin  # noqa: E402
from engines.documents.problems import make_problem  # noqa: E402
from engines.methods.mapformer.estimator.document import BUILTIN, DOCUMENT_FILE, WEIGHTS_FILE  # noqa: E402
from engines.methods.mapformer.training.engine import TrainEstimatorEngine  # noqa: E402
from engines.running.context import LocalContext  # noqa: E402
from engines.running.driver import drive  # noqa: E402

BOARDS = ("jetson-agx-xavier",)
SETTINGS = {"mappings": 40, "epochs": 6}


def main() -> int:
    """Train, and write."""
    BUILTIN.mkdir(exist_ok=True)
    for board in BOARDS:
        problem = make_problem("train-estimator", {"hardware": get_builtin("hardware", board)}, SETTINGS, seed=1)
        for step in drive(TrainEstimatorEngine(), problem, LocalContext(problem)):
            print(f"{100 * step.fraction:5.1f} %  {step.message}", flush=True)
            files = {file.name: file.data for file in step.files}
        document, weights = json.loads(files[DOCUMENT_FILE]), files[WEIGHTS_FILE]
        assert document["file"]["sha256"] == hashlib.sha256(weights).hexdigest()
        text = json.dumps(document, indent=1, sort_keys=True) + "\n"
        (BUILTIN / f"{document['slug']}.json").write_text(text, encoding="utf-8")
        (BUILTIN / f"{document['slug']}.safetensors").write_bytes(weights)
    return 0


if __name__ == "__main__":
    sys.exit(main())
