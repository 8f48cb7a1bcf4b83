"""Pages of the repository come in, pages of the site go out.

Reading order: made.py (pages that only the site has: the gallery and the messages), links.py (links to files that are
pages of the site), pictures.py (pictures of the gallery's models, light and dark), studio.py (links that open models
in the studio), docstrings.py (docstrings, which are plain text, as reStructuredText).
"""
