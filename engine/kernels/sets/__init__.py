"""Options come in as sets of bits that say who excludes whom, and answers go out, or how many there are.

Reading order: _masks.py (who excludes whom), _bits.py (exact cover: levels, and how the search is begun and stopped),
_memo.py (how many answers there are below a node), _wide.h with _wide_body.h (the search itself), _wide_rounds.h
(forced options, several at a time), _wide_bytes.h and _wide_planes.h (how it counts options), plain_bits.py (the same
search without a compiler), _multiplicity.py (other bounds than 1; compiled, it is _multiplicity.h with
_multiplicity_body.h), _lanes.h, _lanes_table.h and _lanes_each.h (what both are written in, for each kind of
processor), _priced.py (exact covers, cheap ones first).
"""
