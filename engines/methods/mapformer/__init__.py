"""Many networks on one board: which layers run where, and at what clocks (karatzas-2024, MapFormer)."""
