"""A problem comes in, and all its answers come out as one decision diagram, which answers questions about them.

Reading order: diagram.py (the diagram, what it counts and draws at random), build.py (makes it from a problem),
restrict.py (only the answers with some options, without others), ordered.py (the best answers, and all in order),
exports.py (the formats of other programs), drawer.py (draws answers where other ways do not suit).
"""
