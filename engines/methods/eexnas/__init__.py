"""EExNAS: 1-D networks with an early exit, searched for a microcontroller (odema-2024 appendix B)."""
