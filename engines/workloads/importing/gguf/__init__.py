"""GGUF files (`.gguf`) as language models."""
