"""What every search needs and no search is: limits and the clock, and what a search tells about itself.

Reading order: whole.py (what counts as a whole number), limits.py, pace.py (when methods have turns),
deadline.py (the clock for all time limits), jobs.py (how many threads), status.py, memory.py, heed.py (limits while no
kernel runs), alone.py (one thread at a time), apart.py (processes that Ctrl-C does not reach), extras.py (optional
packages).
"""
