"""The page on environments says of recordings what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from engines.recordings.family import RECORDING
from engines.recordings.loader import builtin_recordings, load_recording

PAGE = (Path(__file__).parents[3] / "docs" / "environments.md").read_text(encoding="utf-8")


def test_the_example_on_the_page_loads() -> None:
    recording = load_recording(yaml.safe_load(re.findall(r"```yaml\n(schema: recording.*?)```", PAGE, re.DOTALL)[0]))
    assert recording.measures == "speed" and recording.tracks[0].columns["battery"][2] == 0.99


def test_every_key_of_the_schema_is_in_a_table() -> None:
    table = "\n".join(line for line in PAGE.splitlines() if line.startswith("| `"))
    schema = RECORDING.json_schema()
    names = [name for section in schema["$defs"].values() for name in section["properties"]] + list(
        schema["properties"]
    )
    assert [name for name in names if name not in table] == []


def test_everything_built_in_is_on_the_page() -> None:
    assert set(builtin_recordings()) <= set(re.findall(r"^\| `([a-z0-9-]+)` \|", PAGE, re.MULTILINE))
