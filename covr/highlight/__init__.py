"""The text of a model comes in, and the kind of each of its words goes out, for colours: without parsing, in any state.

Programs that colour many languages ask for a regular grammar, or for a lexer of Pygments. These know the words of the
language from keywords.py; a test compares them, and the grammars in `editors/`, with `cover.lark`.

Reading order: keywords.py (the words of the language), pygments_lexer.py (a text cut
into words and signs, and what each is, as Pygments wants it).
"""
