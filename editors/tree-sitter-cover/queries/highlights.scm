; Names first: where several patterns match, the last one counts in Neovim, and the words below match nothing else.
(name) @variable
(property) @variable.member

((name) @constant.builtin
 (#any-of? @constant.builtin "one" "fixed" "onesided" "free"))

(param name: (name) @variable.parameter)
(let name: (name) @variable)
(let name: (name) @function (parameters))
(choose name: (name) @type)
(_ family: (name) @type)

(call function: (name) @function.call)
((call function: (name) @function.builtin)
 (#any-of? @function.builtin
  "abs" "min" "max" "sum" "size" "sorted" "position" "subsets" "tuples" "permutations" "box" "cells" "hex" "triangle"
  "sticks" "balls" "hexagon" "neighbours" "rotate" "reflect" "translate" "orientations" "shape" "placements" "symmetries" "rotations"
  "frame" "runs" "edges" "windows" "regions" "rectangles" "border" "parts"
  "between" "touches" "meets" "some" "no" "map" "columns" "split" "days" "weekday" "file" "section"))
((reader reader: (name) @function.builtin)
 (#any-of? @function.builtin "grid" "area" "pieces" "solids" "table" "csv" "list" "text"))

[
  "title" "use" "param" "let" "assert" "cells" "values" "choose" "exactly" "at least" "at most"
  "if and only if" "divide" "connected" "loop" "tree" "forest" "path" "paths" "loops" "prefer" "agree" "all different" "all alike" "given" "forbid" "clue" "minimize" "maximize" "then minimize"
  "then maximize" "up to" "answers by"
  "show" "print" "outline" "expect"
  "if" "then" "else" "per" "where" "for"
  "from" "to" "through" "crossing" "corners"
  "total" "of" "on" "at" "cost" "along" "per area of" "per area by" "per stretch of" "per straight stretch of" "by" "holding" "touching" "as" "plain" "dark" "line" "lines" "circle" "square" "diamond" "arrow" "bulb" "with"
  "all" "some"
  "unique" "no" "minimum" "maximum" "solution" "solutions" "answer" "answers"
] @keyword

["and" "or" "not" "in" "div" "mod"] @keyword.operator

[(true) (false)] @boolean
(number) @number

["=" "!=" "<=" ">=" "<" ">" ".." "+" "-" "|" "*" "&" "^" "->" "."] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ":"] @punctuation.delimiter

(string) @string
(template) @string
(block) @string
(escape) @string.escape
(hole ["{" "}"] @punctuation.special)

(comment) @comment
