"""Recommenders that run: monolithic and decomposed, in torch. Imported only where torch is needed."""
