"""Public measurements of networks on boards: rows, fits with known errors, and predictions from them."""
