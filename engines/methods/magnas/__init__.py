"""MaGNAS (odema-2023): vision graph architectures searched together with their mappings, and the supernet that holds them."""
