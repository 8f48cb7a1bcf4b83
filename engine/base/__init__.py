"""What every search needs and no search is: limits and the clock, and what a search tells about itself.

Reading order: limits.py (limits of a search: time, memory, answers; how they are checked, and how a search ends),
alone.py (threads, processes and optional packages).
"""
