"""A problem comes in, and all its answers come out as one decision diagram, which answers questions about them.

Reading order: diagram.py (all answers of a problem as one zero-suppressed decision diagram).
"""
