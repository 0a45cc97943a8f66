"""Prefill and decode of a language model between a device and a server."""
