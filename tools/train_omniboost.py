"""Train the networks of OmniBoost and OmniBoost* that ship, and write weights and document: `python tools/train_omniboost.py`.

They learn from the mixes that the engine train-estimator learns from, and are measured by those that it is measured by. What comes
out differs in last digits from processor to processor.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from engines.documents.builtin import get_builtin  # noqa: E402
from engines.documents.problems import make_problem  # noqa: E402
from engines.methods.mapformer.omniboost.samples import block_samples  # noqa: E402
from engines.methods.mapformer.omniboost.shipped_networks import BUILTIN, FREE, determination  # noqa: E402
from engines.methods.mapformer.quantities import MODES_W  # noqa: E402
from engines.methods.mapformer.training.data import source_of  # noqa: E402
from engines.running.context import LocalContext  # noqa: E402

BOARDS = ("jetson-agx-xavier",)
UNITS = ("cpu", "gpu")
MAPPINGS, HELD_OUT_MAPPINGS = 12, 10  # of each mix
EPOCHS, EPOCHS_AGAIN = 8, 3
SEED = 1  # of the estimators that ship, for the same mixes


def main() -> int:
    """Train, and write."""
    BUILTIN.mkdir(exist_ok=True)
    for board in BOARDS:
        _train(board)
    print(f"{time.process_time():.0f} s of one core")
    return 0


def _train(board: str) -> None:
    from safetensors.torch import save_file

    from engines.methods.mapformer.omniboost.training import trained

    modes: dict[str, float | None] = {FREE: None, **{f"{watts:g}-w": watts for watts in MODES_W}}
    limits = np.array([np.inf if watts is None else watts for watts in modes.values()])
    device = get_builtin("hardware", board)
    problem = make_problem("train-estimator", {"hardware": device}, {}, seed=SEED)
    random, own = LocalContext(problem).random, problem.params
    source = source_of(problem, random)
    units = np.array([[unit.name for unit in source.pool.units].index(name) for name in UNITS])
    learnt, held = (
        block_samples(
            source.pool, source.seen, units, limits, random, stream, mixes, count, own.segments, own.most_layers
        )
        for stream, mixes, count in (
            ("training", own.mixes, MAPPINGS),
            ("held out", own.held_out_mixes, HELD_OUT_MAPPINGS),
        )
    )
    print(f"{len(learnt.blocks)} mappings to learn from", flush=True)
    weights, networks, start = dict[str, Any](), dict[str, Any](), None
    for limit, (name, watts) in enumerate(modes.items()):
        network = start
        for epoch, loss, trained_so_far in trained(learnt, limit, EPOCHS_AGAIN if start else EPOCHS, random, start):
            network = trained_so_far
            print(f"{name}: epoch {epoch}, loss {loss:.3f}, {time.process_time():.0f} s of one core", flush=True)
        assert network is not None
        start = start or network
        kept = held.throughput_per_s[:, limit] > 0
        halves = {key: each.half() if each.is_floating_point() else each for key, each in network.state_dict().items()}
        network.load_state_dict(halves)  # measured as it ships
        score = determination(network.told(held.blocks[kept]), held.throughput_per_s[kept, limit])
        print(f"{name}: R squared on held-out mixes {score:.3f}", flush=True)
        weights |= {f"{name}.{key}": each for key, each in halves.items()}
        networks[name] = {"power_limit_w": watts, "determination": score}
    document = {
        "board": board, "title": str(device.content["title"]), "units": list(UNITS), "networks": networks,
        "held_out_mappings": len(held.blocks), "costs": source.costs,
        "training": {
            "mixes": own.mixes, "mappings": MAPPINGS, "epochs": EPOCHS, "epochs_again": EPOCHS_AGAIN, "seed": SEED
        },
    }  # fmt: skip
    text = json.dumps(document, indent=1, sort_keys=True) + "\n"
    (BUILTIN / f"omniboost-{board}.json").write_text(text, encoding="utf-8")
    save_file(weights, BUILTIN / f"omniboost-{board}.safetensors")


if __name__ == "__main__":
    sys.exit(main())
