"""Recommenders trained on click logs: monolithic, then split layer by layer and trained again."""
