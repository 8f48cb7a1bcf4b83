"""The compiled searches: sets or links come in, option numbers come out. Nothing here knows what they stand for.

Reading order: loading.py (which kernel runs, compiled or interpreted, and how a search talks to one), codes.py and
_kernel.h (the numbers that Python and C both know), _kernel.py (what all kernels share), shim.py, words.py, arrays.py
and sorting.py (what the interpreted kernels need instead of Cython, of C's words, of its arrays and of sorting them),
_exact.py (Dancing Links), _general.py (links for any bounds, colours and costs), _masks.py (who excludes whom),
_bits.py (exact cover on bit sets: levels, and how the search is begun and stopped), _memo.py (how many answers there
are below a node), _wide.h with _wide_body.h (the search itself), _wide_bytes.h and _wide_planes.h (how it counts
options), plain_bits.py (the same search without a compiler), _multiplicity.py (bit sets for other bounds than 1;
compiled, it is _multiplicity.h with _multiplicity_body.h), _lanes.h, _lanes_table.h and _lanes_each.h (what both are
written in, for each kind of processor), _batch.py (thousands of instances in one call), _spell.py (lines to options and
back), _looks.py (limits in the middle of a long step), _cover.py (branch and bound for a minimum cover) on
_cover_levels.py, _cover_reductions.py, _cover_prices.py, _cover_climb.py and _cover_lower_bounds.py, _pairs.py (covers
where every item is held by two options), _descent.py (local search), _core_prices.py (which of very many options are
worth a look), _weighing.py (the same walk for rows that are still being found), _mixed.py (linear programs for the
minimum of any problem) on _mixed_state.py, _mixed_basis.py and _mixed_simplex.py, _priced.py (exact covers, cheap ones
first), _sides.py (totals, connections and loops) on _sides_trail.py, _sides_totals.py, _sides_connections.py,
_sides_circuits.py and _sides_prices.py, _automorphisms.py (automorphisms of a graph) on _partition.py and _orbits.py,
_base.py, _chain.py and _smallest.py (groups of any size: a base, a base and strong generating set, the smallest image
of a set), _classes.py (answers that count as one), _class_cut.py (the parts of a search for them), _check.py (whether
answers are answers), _diagram.py (all answers as a decision diagram), _frontier.py (counting item by item), _sweep.py
(the minimum item by item).
"""
