"""How networks are trained: one loop that stops and continues, states as safetensors, accuracy with its spread over seeds.

`course` and `spread` need no torch; modules whose names begin with `torch_` are imported only where torch is needed.
"""
