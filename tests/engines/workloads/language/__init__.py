"""Tests of language models by their configuration."""
