// The syntax of covr models for tree-sitter. It follows dsl/cover.lark, rule by rule; a test compares the words.
//
// `tree-sitter generate` makes the parser, which is no part of this repository.
//
// Two things differ from cover.lark. A reserved word may be a name where it can't be a word, since tree-sitter decides
// that by place alone. And `total` and `at` are told from families of that name by trying both.

const LEVELS = {
  if: 1, or: 2, and: 3, not: 4, compare: 5, range: 6, sum: 7, product: 8, negative: 9, power: 10, postfix: 11,
};

const comma = (rule) => seq(rule, repeat(seq(',', rule)));
// Two words with blanks between them, as one word: so `at least` is not taken for the clause `at`.
const pair = (one, other) => alias(token(prec(1, seq(one, /[ \t\r\n]+/, other))), `${one} ${other}`);

module.exports = grammar({
  name: 'cover',

  word: ($) => $.identifier,

  extras: ($) => [/[ \t\r\n\f]/, $.comment],

  inline: ($) => [$._families],

  // `exactly one total if …` may be a family of that name with a statement behind it, or a sum.
  conflicts: ($) => [[$._total, $._family]],

  rules: {
    source_file: ($) => repeat($._statement),

    _statement: ($) => choice(
      $.title, $.use, $.param, $.let, $.assert, $.cells, $.values, $.choose, $.rule, $.areas, $.divide, $.needs,
      $.connected, $.loop, $.shape,
      $.prefer, $.agree, $.alike, $.given, $.forbid, $.clue, $.optimize, $.up_to, $.answers_by, $.show, $.print, $.outline, $.expect,
    ),

    title: ($) => seq('title', $._said),
    use: ($) => seq('use', choice($.string, $.block)),
    param: ($) => seq('param', field('name', $.name), '=', $._expression, optional($.where)),
    let: ($) => seq('let', field('name', $.name), optional($.parameters), '=', $._expression),
    assert: ($) => seq('assert', $._expression, optional($._said)),
    cells: ($) => seq('cells', $._generators),
    values: ($) => seq('values', $._generators),
    choose: ($) => seq(
      'choose', field('name', $.name), '(', optional($._names), ')', optional($.for), optional($.where),
    ),
    rule: ($) => seq($._rule, optional($._said)),
    _rule: ($) => seq(
      choice('exactly', pair('at', 'least'), pair('at', 'most')), $._expression,
      choice($._counted, $._total),
      optional($.per), optional($.where),
    ),
    _counted: ($) => seq($._family, repeat(seq('or', $._family))),
    _family: ($) => field('family', choice($.name, alias('total', $.name))),
    _total: ($) => seq('total', $.weight, repeat(seq('or', $.weight))),
    areas: ($) => seq($._areas, optional($._said)),
    _areas: ($) => seq(
      choice('exactly', pair('at', 'least'), pair('at', 'most')), $._expression,
      choice($._families, seq('total', $.weight, repeat(seq('or', $.weight)))), $.area, optional($.per), optional($.where),
    ),
    area: ($) => seq(
      choice(
        seq($._per_area_of, $._families, 'at', comma($._expression), optional($.along)),
        seq($._per_area_by, field('family', $.name), 'at', comma($._expression)),
        seq(choice($._per_stretch_of, $._per_straight_stretch_of), field('family', $.name), optional(seq('in', $._expression))),
      ),
      optional(seq(choice('holding', 'touching'), $._expression)),
    ),
    _per_area_of: () => alias(
      token(prec(1, seq('per', /[ \t\r\n]+/, 'area', /[ \t\r\n]+/, 'of'))), 'per area of',
    ),
    _per_area_by: () => alias(
      token(prec(1, seq('per', /[ \t\r\n]+/, 'area', /[ \t\r\n]+/, 'by'))), 'per area by',
    ),
    _per_stretch_of: () => alias(
      token(prec(1, seq('per', /[ \t\r\n]+/, 'stretch', /[ \t\r\n]+/, 'of'))), 'per stretch of',
    ),
    _per_straight_stretch_of: () => alias(
      token(prec(1, seq('per', /[ \t\r\n]+/, 'straight', /[ \t\r\n]+/, 'stretch', /[ \t\r\n]+/, 'of'))),
      'per straight stretch of',
    ),
    divide: ($) => seq('divide', $._expression, 'by', field('family', $.name), $.along, optional($._said)),
    weight: ($) => seq($._expression, 'of', field('family', $.name)),
    needs: ($) => seq($._needs, optional($._said)),
    _needs: ($) => seq(
      choice('if', $._if_and_only_if), $._together, repeat(seq('or', $._together)),
      'then', $._follows, repeat(seq('and', $._follows)), optional($.for), optional($.where),
    ),
    _follows: ($) => choice(
      seq(
        choice(seq(optional(choice('not', 'all', 'some', 'no')), $.choice), alias($._worded, $.choice)),
        repeat(seq('or', $.choice)),
      ),
      seq(
        choice('exactly', pair('at', 'least'), pair('at', 'most')), $._expression,
        choice(seq($.choice, repeat(seq('or', $.choice))), seq('total', $.added, repeat(seq('or', $.added)))),
      ),
    ),
    added: ($) => seq($._expression, 'of', $.choice),
    prefer: ($) => seq('prefer', choice($._rule, $._needs), 'cost', $._expression, optional($._said)),
    _together: ($) => seq($._taken, repeat(seq('and', $._taken))),
    _taken: ($) => seq(optional('not'), $.choice),
    _if_and_only_if: () => alias(
      token(prec(1, seq('if', /[ \t\r\n]+/, 'and', /[ \t\r\n]+/, 'only', /[ \t\r\n]+/, 'if'))), 'if and only if',
    ),
    choice: ($) => seq(field('family', $.name), $.arguments),
    // Behind `then`, a family whose name is one of the words that may stand there.
    _worded: ($) => seq(field('family', alias(choice('all', 'some', 'no'), $.name)), $.arguments),
    connected: ($) => seq(
      'connected', $._families, 'at', comma($._expression), optional($._corners), optional($.along), optional($.per), optional($.where),
      optional($._said),
    ),
    _corners: () => seq('with', 'corners'),
    loop: ($) => seq(
      'loop', field('family', $.name), $.along, optional($.crossing), optional($.per), optional($.where),
      optional($._said),
    ),
    shape: ($) => seq(
      choice('tree', 'forest', 'path', 'paths', 'loops'), $._families,
      optional(seq('at', comma($._expression), optional($._corners))), optional($.along),
      optional(choice(seq('from', $._expression, 'to', $._expression, optional(seq('through', $._expression))), seq('between', $._expression))),
      optional($.crossing), optional($.per), optional($.where), optional($._said),
    ),
    crossing: ($) => seq('crossing', 'at', $._expression),
    agree: ($) => seq(
      'agree', $.shown, repeat(seq(',', choice($._pair, $.shown))), optional($.for), optional($.where),
      optional($._said),
    ),
    shown: ($) => seq(field('family', $.name), 'on', $._pair),
    _pair: ($) => prec.left(LEVELS.compare, seq($._expression, '=', $._expression)),
    alike: ($) => seq(
      choice(pair('all', 'different'), pair('all', 'alike')), comma($._expression), 'of', field('family', $.name),
      optional($.on), optional($.per), optional($.where), optional($._said),
    ),
    on: ($) => seq('on', comma($._expression)),
    given: ($) => seq(
      'given', field('family', $.name), $.arguments, optional($.for), optional($.where), optional($._said),
    ),
    forbid: ($) => seq(
      'forbid', field('family', $.name), optional($.arguments), optional($.for), optional($.where),
    ),
    clue: ($) => seq(
      'clue', field('param', $.name), '[', comma($._expression), ']', '=', $._told, optional($.where),
      optional(seq($.for, optional($.where))), optional(seq('else', $._expression)),
    ),
    _told: ($) => choice($._expression, $.weight, seq('total', $.weight)),
    optimize: ($) => seq(
      choice('minimize', 'maximize', pair('then', 'minimize'), pair('then', 'maximize')),
      repeat(seq($.goal, ',')), choice($.goal, alias($._last_goal, $.goal)),
    ),
    goal: ($) => seq($._expression, 'of', field('family', $.name), optional($.where)),
    _last_goal: ($) => seq($._expression, 'of', field('family', $.name), $.for, optional($.where)),
    up_to: ($) => seq(pair('up', 'to'), comma($.symmetry)),
    symmetry: ($) => seq($._expression, optional(seq('->', $._expression))),
    answers_by: ($) => seq(pair('answers', 'by'), $._names),
    show: ($) => seq(
      'show', comma($._expression), 'of', field('family', $.name), optional($.at), optional($.for),
      optional($.where), optional(seq('else', choice($.string, $.block))), optional($.as),
    ),
    print: ($) => seq('print', comma($._expression), $.at, optional($.for), optional($.where), optional($.as)),
    outline: ($) => seq(
      'outline', $._expression,
      choice(
        optional($.for), seq('of', field('family', $.name), $.at, optional($.for), optional($.where)),
      ),
    ),
    expect: ($) => seq(
      'expect',
      choice(
        'unique', seq('no', $._answers), seq('minimum', $._expression), seq('maximum', $._expression),
        seq($._expression, $._answers),
      ),
      optional($.with),
    ),
    _answers: () => choice('solution', 'solutions', 'answer', 'answers'),

    at: ($) => seq('at', comma($._expression)),
    as: () => seq(
      'as', choice('outline', 'plain', 'dark', 'line', 'lines', 'circle', 'square', 'diamond', 'arrow', 'bulb'),
    ),
    along: ($) => seq('along', $._expression, optional(seq('->', $._expression))),
    per: ($) => seq('per', comma($._expression)),
    where: ($) => seq('where', $._expression),
    for: ($) => seq('for', $._generators),
    with: ($) => seq('with', comma($.setting)),
    setting: ($) => seq(field('name', $.name), '=', $._expression),
    _families: ($) => seq(field('family', $.name), repeat(seq('or', field('family', $.name)))),
    parameters: ($) => seq('(', optional($._names), ')'),
    _names: ($) => comma($.name),

    _generators: ($) => comma($.generator),
    generator: ($) => seq(
      field('pattern', $._pattern), repeat(seq(',', field('pattern', $._pattern))), 'in', $._expression,
    ),
    _pattern: ($) => choice($.name, $.pattern_tuple),
    pattern_tuple: ($) => seq('(', comma($._pattern), optional(','), ')'),

    _expression: ($) => choice(
      $.conditional, $.binary, $.unary, $.index, $.field, $.number, $.string, $.true, $.false, $.name, $.call,
      $.reader, $.tuple, $.list, $.set, $.map, $.comprehension, $.block,
    ),
    conditional: ($) => prec.right(LEVELS.if, seq('if', $._expression, 'then', $._expression, 'else', $._expression)),
    binary: ($) => choice(
      ...[
        [['or'], LEVELS.or],
        [['and'], LEVELS.and],
        [['=', '!=', '<=', '>=', '<', '>', 'in'], LEVELS.compare],
        [['..'], LEVELS.range],
        [['+', '-', '|'], LEVELS.sum],
        [['*', 'div', 'mod', '&'], LEVELS.product],
      ].map(([operators, level]) => prec.left(level, seq($._expression, choice(...operators), $._expression))),
      prec.left(LEVELS.compare, seq($._expression, seq('not', 'in'), $._expression)),
      prec.right(LEVELS.power, seq($._expression, '^', $._expression)),
    ),
    unary: ($) => choice(
      prec(LEVELS.not, seq('not', $._expression)),
      prec(LEVELS.negative, seq('-', $._expression)),
    ),
    index: ($) => prec(LEVELS.postfix, seq($._expression, '[', comma($._expression), ']')),
    field: ($) => prec(LEVELS.postfix, seq($._expression, '.', field('field', $.property))),
    call: ($) => prec(LEVELS.postfix, choice(
      seq(field('function', choice($.name, alias('cells', $.name))), $.arguments),
      seq(field('function', $.name), '(', comma($._expression), $.where, ')'), // `some(x in s where …)`
    )),
    reader: ($) => prec(LEVELS.postfix + 1, seq(field('reader', $.name), optional($.arguments), $.block)),
    arguments: ($) => seq('(', optional(comma($._expression)), ')'),
    tuple: ($) => seq('(', optional(seq(comma($._expression), optional(','))), ')'),
    list: ($) => seq('[', optional(seq(comma($._expression), optional(','))), ']'),
    set: ($) => seq('{', optional(seq(comma($._expression), optional(','))), '}'),
    map: ($) => seq('{', comma($.entry), optional(','), '}'),
    entry: ($) => seq($._expression, ':', $._expression),
    comprehension: ($) => choice(
      seq('[', $._expression, $.for, optional($.where), ']'),
      seq('{', choice($._expression, $.entry), $.for, optional($.where), '}'),
    ),

    true: () => 'true',
    false: () => 'false',
    number: () => /[0-9]+/,
    name: ($) => $.identifier,
    property: ($) => $.identifier,
    identifier: () => /[\p{L}_][\p{L}\p{N}\p{M}_]*/,

    // One word, so that it is one wherever it stands, in a text with faults, too. Unclosed, it ends with its line.
    string: () => token(seq('"', /([^"\\\n]|\\[^\n])*/, optional('"'))),
    // `{expression}` is filled in; `{{` and `}}` are braces.
    template: ($) => seq('"', repeat(choice($.escape, alias($._brace, $.escape), $.hole, $._label)), token.immediate('"')),
    // A block alone is neither a label nor a value, but one that stands there is still seen as a block.
    _said: ($) => choice($.template, $.block),
    hole: ($) => seq(token.immediate('{'), $._expression, '}'),
    _label: () => token.immediate(prec(1, /[^"\\\n{}]+/)),
    _brace: () => token.immediate(choice('{{', '}}')),
    escape: () => token.immediate(/\\[^\n]/),
    block: () => token(seq('"""', /([^"]|"[^"]|""[^"])*/, /"{0,3}/)), // unclosed, it goes to the end
    comment: () => token(/#[^\n]*/),
  },
});
