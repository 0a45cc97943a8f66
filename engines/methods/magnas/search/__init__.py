"""The search: architectures outside, their mappings and clocks inside."""
