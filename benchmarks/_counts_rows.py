"""The published counts that the gallery reproduces, and which promise of which model does.

Sources: P is Polyform Puzzler (its run logs; numbers only); others by name. Counts are up to the symmetries of the
board, unless a note says otherwise.
"""

from __future__ import annotations

from attrs import frozen


@frozen
class Figure:
    """A published count. row: of the table.  published: the count as it is written.  model: the model of the gallery
    that promises it, and promise the number that this promise names; no model if covr has none.  note: what is to be
    said of it."""

    row: int
    puzzle: str
    published: str
    source: str
    model: str
    promise: int
    note: str = ""

    @property
    def key(self) -> tuple[int, str]:
        """What names the figure in the table."""
        return self.row, self.puzzle


FIGURES = (
    Figure(1, "pentominoes 6 × 10", "2339", "many", "pentominoes", 2339),
    Figure(1, "pentominoes 5 × 12", "1010", "many", "pentominoes", 1010),
    Figure(1, "pentominoes 4 × 15", "368", "many", "pentominoes", 368),
    Figure(1, "pentominoes 3 × 20", "2", "many", "pentominoes", 2),
    Figure(2, "pentominoes 8 × 8, centre hole", "65", "P", "scott", 65),
    Figure(2, "pentominoes 8 × 8, no corners", "2170", "P", "pentominoes_8x8", 2170),
    Figure(2, "pentominoes and square tetromino 8 × 8", "16 146", "P", "pentominoes_8x8", 16146),
    Figure(3, "pentominoes 8 × 8, four holes, form 1", "188", "P", "pentominoes_8x8", 188),
    Figure(3, "pentominoes 8 × 8, four holes, form 2", "21", "P", "pentominoes_8x8", 21),
    Figure(3, "pentominoes 8 × 8, four holes, form 3", "126", "P", "pentominoes_8x8", 126),
    Figure(3, "pentominoes 8 × 8, four holes, form 4", "74", "P", "pentominoes_8x8", 74),
    Figure(4, "pentominoes, 3 × 20 tube", "48 928", "P", "pentomino_tube", 48928, "three squares round"),
    Figure(5, "one-sided pentominoes 3 × 30", "46", "P", "onesided_pentominoes", 46),
    Figure(
        5,
        "one-sided pentominoes 5 × 18",
        "686 628",
        "P",
        "onesided_pentominoes",
        686628,
        "about 3.3 · 10⁹ nodes (`covr size`)",
    ),
    Figure(6, "tetrominoes and pentominoes, Aztec diamond", "11 162", "P", "aztec_diamond", 11162),
    Figure(6, "tetrominoes and pentominoes, diamond", "7302", "P", "aztec_diamond", 7302),
    Figure(7, "hexiamonds 6 × 6", "156", "P, jw-stumpel.nl", "hexiamonds", 156),
    Figure(7, "hexiamonds 4 × 9", "74", "P, jw-stumpel.nl", "hexiamonds", 74),
    Figure(7, "hexiamonds 3 × 12", "0", "P, jw-stumpel.nl", "hexiamonds", 0),
    Figure(8, "hexiamonds, long hexagon 4 × 10", "856", "P", "hexiamond_shapes", 856),
    Figure(8, "hexiamonds, trapezoid 4 × 11", "76", "P", "hexiamond_shapes", 76),
    Figure(8, "hexiamonds, snowflake", "55", "P", "hexiamond_shapes", 55),
    Figure(8, "hexiamonds, trefoil", "640", "P", "", 0, "shape not known"),
    Figure(8, "hexiamonds, coin", "304", "P", "", 0, "shape not known"),
    Figure(9, "hexiamonds, chevron 6 × 6", "1004", "P", "hexiamond_shapes", 1004),
    Figure(9, "hexiamonds, chevron 12 × 3", "29", "P", "hexiamond_shapes", 29),
    Figure(9, "hexiamonds, chevron 4 × 9", "142", "P", "hexiamond_shapes", 142),
    Figure(
        10, "polyiamonds 1–5, hexagon", "75 070", "P", "", 0, "shape not known: no hexagon without holes has this count"
    ),
    Figure(10, "polyiamonds 1–5, long hexagon 9 × 1", "23 168", "P", "polyiamonds", 23168),
    Figure(11, "heptiamonds, hexagon with 7 holes, two forms", "686, 6002", "blog", "", 0, "shapes not known"),
    Figure(12, "tetrahexes 4 × 7", "9", "P", "tetrahexes", 9),
    Figure(12, "tetrahexes, staggered 7 × 4", "23", "P", "tetrahexes", 23),
    Figure(12, "tetrahexes, coin", "4", "P", "tetrahexes", 4),
    Figure(13, "polyhexes 3–4, hexagon", "12 290", "P", "polyhexes", 12290),
    Figure(13, "polyhexes 3–4, hexagram", "167", "P", "polyhexes", 167),
    Figure(14, "polyhexes 1–4, 6 × 7", "230 808", "P", "", 0, "shape not known: the pieces have 40 cells, not 42"),
    Figure(15, "tetrasticks 6 × 6", "1795", "P, Knuth", "tetrasticks", 1795),
    Figure(15, "tetrasticks 6 × 6 without H", "72", "P, Knuth", "tetrasticks", 72),
    Figure(15, "tetrasticks 6 × 6 without J", "382", "P, Knuth", "tetrasticks", 382),
    Figure(15, "tetrasticks 6 × 6 without L", "607", "P, Knuth", "tetrasticks", 607),
    Figure(15, "tetrasticks 6 × 6 without N", "530", "P, Knuth", "tetrasticks", 530),
    Figure(15, "tetrasticks 6 × 6 without Y", "204", "P, Knuth", "tetrasticks", 204),
    Figure(16, "tetrasticks, Aztec diamond", "3", "P", "tetrasticks", 3),
    Figure(17, "polysticks 1–3, 4 × 4 without two corners", "21", "P", "polysticks", 21),
    Figure(17, "polysticks 1–3, the other form", "132", "P", "polysticks", 132),
    Figure(18, "seven-segment digits 6 × 5", "5", "P", "digits", 5, "digits may cross"),
    Figure(19, "solid pentominoes 3 × 4 × 5", "3940", "many", "solid_pentominoes", 3940),
    Figure(19, "solid pentominoes 2 × 5 × 6", "264", "many", "solid_pentominoes", 264),
    Figure(19, "solid pentominoes 2 × 3 × 10", "12", "many", "solid_pentominoes", 12),
    Figure(20, "Soma cube", "240", "P", "soma", 240),
    Figure(20, "Soma, crystal", "2800", "P", "", 0, "shape not known"),
    Figure(20, "Soma, bathtub", "158", "P", "soma_shapes", 158),
    Figure(20, "Soma, steps", "164", "P", "soma_shapes", 164),
    Figure(20, "Soma, tunnel", "26", "P", "soma_shapes", 26),
    Figure(20, "Soma, pyramid", "14", "P", "soma_shapes", 14),
    Figure(21, "diabolical cube", "13", "P, Wikipedia", "diabolical_cube", 13),
    Figure(21, "Slothouber–Graatsma", "1", "P, Wikipedia", "slothouber_graatsma", 1),
    Figure(22, "tetracubes 2 × 4 × 4", "1390", "P", "tetracubes", 1390),
    Figure(22, "tetracubes 2 × 2 × 8", "224", "P", "tetracubes", 224),
    Figure(23, "25 Y-pentacubes 5 × 5 × 5", "1264", "Bouwkamp 1990", "y_pentacubes", 1264),
    Figure(
        24, "Bedlam's cube", "19 186", "Kurowski; Tatham", "bedlam_cube", 19186, "about 1.5 · 10⁹ nodes (`covr size`)"
    ),
    Figure(24, "Tetris cube", "9839", "Kurowski; Tatham", "tetris_cube", 9839, "about 1.7 · 10⁹ nodes (`covr size`)"),
    Figure(
        25,
        "MacMahon's squares 4 × 6",
        "13 328",
        "eight programs",
        "macmahon",
        13328,
        "106 624 with symmetries; the 12 261 of 1964 is wrong or counts otherwise",
    ),
    Figure(26, "Instant Insanity", "1", "many", "instant_insanity", 1),
    Figure(27, "Conway's blocks 5 × 5 × 5", "27 456", "Knuth's generators", "conway_cube", 27456),
    Figure(
        28,
        "motley dissections 6 × 6",
        "5850",
        "Knuth's generators",
        "motley",
        5850,
        "a dissection and its mirror image are one; 11 700 apart",
    ),
    Figure(28, "motley dissections 7 × 7", "352 546", "Knuth's generators", "motley", 352546),
    Figure(28, "dissections that use all lines 4 × 5", "1 286 759", "Knuth's generators", "dissections", 1286759),
    Figure(28, "dissections that use all lines 5 × 5", "72 697 125", "Knuth's generators", "dissections", 72697125),
    Figure(29, "queens that guard 7 × 7, four", "86", "Knuth's generators", "queen_cover", 86),
    Figure(29, "queens that guard 8 × 8, five", "4860", "Knuth's generators", "queen_cover", 4860),
    Figure(30, "dominoes 8 × 8", "12 988 816", "closed form", "dominoes", 12988816),
    Figure(30, "dominoes 8 × 10", "1 031 151 241", "closed form", "dominoes", 1031151241),
    Figure(30, "dominoes 10 × 10", "258 584 046 368", "closed form", "dominoes", 258584046368),
    Figure(30, "dominoes 10 × 12", "65 743 732 590 821", "closed form", "dominoes", 65743732590821),
    Figure(30, "dominoes 12 × 12", "53 060 477 521 960 000", "closed form", "dominoes", 53060477521960000),
    Figure(31, "all tetrominoes 6 × 6", "178 939", "recomputed", "tetrominoes", 178939),
    Figure(31, "all tetrominoes 6 × 8", "22 483 347", "recomputed", "tetrominoes", 22483347),
    Figure(31, "all tetrominoes 8 × 8", "19 077 209 438", "recomputed", "tetrominoes", 19077209438),
    Figure(32, "perfect matchings of K22", "13 749 310 575", "closed form", "pairs", 13749310575),
    Figure(32, "perfect matchings of K30", "6 190 283 353 629 375", "closed form", "pairs", 6190283353629375),
    Figure(33, "ways to split 12 people into groups", "4 213 597", "Bell numbers", "set_partition", 4213597),
    Figure(33, "ways to split 14 people into groups", "190 899 322", "Bell numbers", "set_partition", 190899322),
    Figure(34, "graceful labellings of K4", "24", "Knuth's generators", "graceful", 24),
    Figure(34, "graceful labellings of C8", "192", "Knuth's generators", "graceful", 192),
    Figure(34, "graceful labellings of W6", "276", "Knuth's generators", "graceful", 276),
    Figure(34, "graceful labellings of Q3", "1296", "Knuth's generators", "graceful", 1296),
    Figure(34, "graceful labellings of the Petersen graph", "5040", "Knuth's generators", "graceful", 5040),
    Figure(35, "magic squares of side 4", "880", "Frénicle", "magic_square", 880),
    Figure(36, "knight's tours 5 × 5", "1728", "Wikipedia", "knight_tour", 864, "864, each in two directions"),
    Figure(37, "Steiner triple systems on 7 points", "30", "closed form", "steiner_triples", 30),
    Figure(37, "Steiner triple systems on 9 points", "840", "closed form", "steiner_triples", 840),
    Figure(38, "C(7, 3, 2)", "7", "La Jolla", "covering_design", 7),
    Figure(38, "C(8, 4, 3)", "14", "La Jolla", "covering_design", 14),
    Figure(38, "C(9, 5, 4)", "30", "La Jolla", "covering_design", 30),
    Figure(38, "C(10, 3, 2)", "17", "La Jolla", "covering_design", 17),
    Figure(38, "C(11, 5, 3)", "20", "La Jolla", "covering_design", 20),
    Figure(38, "C(9, 3, 2)", "12", "La Jolla", "covering_design", 12),
    Figure(39, "smallest critical set, side 3", "2", "literature", "critical_set", 2),
    Figure(39, "smallest critical set, side 4", "4", "literature", "critical_set", 4),
    Figure(
        39,
        "smallest critical set, side 5",
        "6",
        "literature",
        "",
        0,
        "no model of all squares; for one random square `covr make latin_square -D n=5 -D clue=. --fewest` proved 6",
    ),
    Figure(
        39,
        "smallest critical set, side 6",
        "9",
        "literature",
        "",
        0,
        "no model of all squares; for one random square `covr make` proved 10",
    ),
    Figure(39, "smallest critical set, side 7", "12", "literature", "", 0, "not tried"),
    Figure(39, "smallest critical set, side 8", "16", "literature", "", 0, "not tried"),
    Figure(40, "stn9", "5", "Fulkerson and others", "steiner_cover", 5),
    Figure(40, "stn15", "9", "Fulkerson and others", "steiner_cover", 9),
    Figure(40, "stn27", "18", "Fulkerson and others", "steiner_cover", 18),
    Figure(40, "stn45", "30", "Fulkerson and others", "steiner_cover", 30),
    Figure(
        40,
        "stn81",
        "61",
        "Fulkerson and others",
        "steiner_cover",
        61,
        "61 is found in seconds; the proof takes longer than four minutes",
    ),
    Figure(40, "stn135", "103", "Ostrowski and others", "", 0, "not tried"),
    Figure(40, "stn243", "198", "Ostrowski and others", "", 0, "not tried"),
)
