"""Radios as a family of documents."""

from __future__ import annotations

from hardware.family import DocumentFamily
from hardware.radio.loader import builtin_radios, load_radio
from hardware.radio.schema import RadioDocument
from hardware.radio.summary import radio_words

RADIO = DocumentFamily("radio", "hardware", "Radio", "Radios", load_radio, radio_words, RadioDocument, builtin_radios)
