"""Counts language models by the definitions of transformers on torch's meta device; prints JSON.

    python tests/support/count_by_transformers.py tests/data/language_models/configurations.json

It runs in an environment of its own with torch and the extra `count`, which the product never imports. A model that
transformers does not know, or whose file is in another format, is left out. MACs are those of one token without a cache. Those of
experts and recurrent layers are left out: they depend on data or on how a kernel cuts a sequence.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

_KINDS = ("AutoModelForSpeechSeq2Seq", "AutoModelForImageTextToText", "AutoModelForMultimodalLM", "AutoModelForCausalLM",
          "AutoModel")  # fmt: skip
_DEPENDENT = re.compile("expert|mamba|linear_key")


def counted(configuration: dict[str, Any]) -> dict[str, int | None]:
    """Return parameters and MACs of a configuration."""
    import torch
    import transformers
    from torch.utils.flop_counter import FlopCounterMode

    config = transformers.AutoConfig.for_model(**configuration)
    kind = next(each for each in _KINDS if type(config) in getattr(transformers, each)._model_mapping)
    with torch.device("meta"):
        model = getattr(transformers, kind).from_config(config, attn_implementation="eager").eval()
        parameters = sum(each.numel() for each in model.parameters())  # tied ones once
        if _DEPENDENT.search(json.dumps(configuration)):
            return {"parameters": parameters, "token_macs": None}
        try:
            with FlopCounterMode(display=False) as counter, torch.no_grad():
                token, mask = torch.zeros((1, 1), dtype=torch.int64), torch.zeros((1, 1, 1, 1))
                model(token.to("meta"), attention_mask=mask.to("meta"), use_cache=False)
        except Exception:  # noqa: BLE001  some models want more inputs than a token
            return {"parameters": parameters, "token_macs": None}
    return {"parameters": parameters, "token_macs": counter.get_total_flops() // 2}


def main(path: Path) -> None:
    """Print name -> counts of every configuration that transformers can build."""
    import transformers

    found: dict[str, Any] = {"transformers": transformers.__version__}
    for row in json.loads(path.read_text(encoding="utf-8")):
        try:
            found[row["name"]] = counted(dict(row["configuration"]))
        except Exception as error:  # noqa: BLE001  each definition refuses in its own way
            print(f"{row['name']}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
    lines = (f"{json.dumps(name)}: {json.dumps(counts)}" for name, counts in found.items())
    print("{\n" + ",\n".join(lines) + "\n}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
