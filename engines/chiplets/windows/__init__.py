"""Search window by window: which layers a window has, and their mapping, published and exact."""
