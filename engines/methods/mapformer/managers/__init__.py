"""Managers: algorithms that find mappings, one per module; `engines.methods.mapformer.managers.registry` lists them."""
