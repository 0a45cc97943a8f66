"""Damaged files of other tools: each is a network or a clear refusal, and never a failure of its reader."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from engines.contract.designs import canonical_json
from engines.contract.encoding.document_text import ReadDocument, to_yaml
from engines.contract.errors import ProblemError
from engines.cost.calibration.reader import read_calibration
from engines.documents.families import load
from engines.workloads.builtins import builtin_networks
from engines.workloads.importing.maestro_reader import read_maestro
from engines.workloads.importing.zigzag_reader import read_document
from hardware.soc.loader import builtin_socs
from tests.engines.workloads.importing.test_maestro_reader import FILE as MAESTRO
from tests.engines.workloads.importing.test_zigzag_reader import FILE as ZIGZAG
from tests.hardware.zigzag_for_tests import OLDER

FILES = 1000
SLOWEST_S = 10.0
_ODD = (
    "{",
    "}",
    ":",
    "-1",
    "0",
    "99999999999",
    "K",
    "Layer",
    "[",
    "]",
    "~",
    "i",
    "\x00",
    "*",
    "+=",
    "Network",
    "1.5",
    "G",
    "fx",
)

Reader = Callable[[bytes, str, Mapping[str, Any]], ReadDocument]


def damaged(dice: random.Random, text: str) -> bytes:
    """The text with words put in, taken out or put in the place of others, or cut off."""
    words = text.split(" ")
    for _ in range(dice.randint(1, 4)):
        place = dice.randrange(len(words))
        match dice.randrange(5):
            case 0:
                words[place] = dice.choice(_ODD)
            case 1:
                words.insert(place, dice.choice(_ODD))
            case 2 if len(words) > 1:
                del words[place]
            case 3:
                words[place] = words[dice.randrange(len(words))]
            case _:
                words = words[: max(place, 1)] if dice.random() < 0.3 else words
    return " ".join(words).encode()


def accelerator(data: bytes, name: str, _options: Mapping[str, Any]) -> ReadDocument:
    """Hardware of ZigZag, checked as it is when it is stored."""
    read = read_document(data, name, {"dims": {"clock_mhz": 200, "process_node_nm": 28}})
    load(read.content, "hardware")
    return read


def measurements(data: bytes, name: str, _options: Mapping[str, Any]) -> ReadDocument:
    """A CSV or a profile of VGG-19 on a GPU, with a log of its power."""
    options = {
        "measurement_bytes": len(data), "soc": builtin_socs()["jetson-agx-xavier"], "about": ABOUT, "workload": "vgg19",
        "networks": {"vgg19": VGG}, "unit": "gpu", "clocks_mhz": {}, "rails": ["GPU"], "prior": None, "scales": None,
    }  # fmt: skip
    return read_calibration(data + b"GR3D_FREQ 99%@1377 GPU 12000/12000\n", name, options)


ABOUT = {"slug": "mine", "title": "Mine", "author": "ann", "source": "a fuzz"}
VGG = json.loads(canonical_json(builtin_networks()["vgg19"]))
ACCELERATOR = to_yaml(OLDER)
CSV = "layer,unit,latency_ms,energy_mj, gpu_mhz\n ,gpu, 20.0,300, 1377\n features.0, gpu, 0.5, 6,\n features.2,gpu, 1.6, , 1377\n"
PROFILE = '[ {"count": 10}, {"name": "features.0 + relu", "averageMs": 0.5}, {"name": "features.2", "timeMs": 16} ]'


# A fit takes a tenth of a second.
FITS = 200


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("reader", "text", "files"),
    [
        (read_maestro, MAESTRO, FILES),
        (read_document, ZIGZAG, FILES),
        (accelerator, ACCELERATOR, FILES),
        (measurements, CSV, FITS),
        (measurements, PROFILE, FITS),
    ],
)
def test_many_damaged_files_are_documents_or_refusals(reader: Reader, text: str, files: int) -> None:
    dice = random.Random(20240607)
    read = 0
    for _ in range(files):
        data, begun = damaged(dice, text), time.process_time()
        refusal: ProblemError | None = None
        try:
            reader(data, "damaged", {})
        except ProblemError as error:
            refusal = error
        assert time.process_time() - begun < SLOWEST_S
        assert refusal is None or refusal.accepted
        read += refusal is None
    assert 0.02 * files < read < 0.95 * files
