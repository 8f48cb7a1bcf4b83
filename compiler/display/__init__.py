"""A lowered model and an answer come in, a picture goes out that is ready to be drawn.

Reading order: prints.py (what a picture shows, and what `print` and `outline` add whatever the answer is), show.py
(`show`: which place an answer's choices have, and what is drawn there), by_default.py (what is drawn without a `show`).
"""
