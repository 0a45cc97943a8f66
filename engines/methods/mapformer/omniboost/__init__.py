"""OmniBoost (Karatzas and Anagnostopoulos, DAC 2023): a small convolutional network that tells throughput of a mapping."""
