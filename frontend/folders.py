"""Folders of the frontend that several modules read."""

from __future__ import annotations

from pathlib import Path

ASSETS = Path(__file__).parent / "assets"
