"""A matrix comes in as lists that are linked crosswise, and answers go out: Dancing Links.

Reading order: _exact.py (exact covers), _general.py (any bounds, colours and costs), _packing_walk.py (a first exact
cover, or a packing that is worth much, by a walk that proves nothing).
"""
