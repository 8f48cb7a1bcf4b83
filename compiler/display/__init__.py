"""A lowered model and an answer come in, a picture goes out that anybody may draw.

Reading order: picture.py (marks in places, and lines between them), regions.py (where the lines go), show.py (`show`,
and what stands in for it).
"""
