from __future__ import annotations

PASSWORD = "ann-has-a-password"
