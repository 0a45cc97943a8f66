"""Managers: ways to find mappings. One module, one manager; `engines.methods.mapformer.managers.registry` lists them."""
