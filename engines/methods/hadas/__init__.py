"""HADAS: backbones, early exits and clocks searched together (odema-2024 section 2.3)."""
