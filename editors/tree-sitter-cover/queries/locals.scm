(source_file) @local.scope
(let) @local.scope
(choose) @local.scope
(rule) @local.scope
(needs) @local.scope
(agree) @local.scope
(alike) @local.scope
(given) @local.scope
(forbid) @local.scope
(clue) @local.scope
(show) @local.scope
(print) @local.scope
(outline) @local.scope
(comprehension) @local.scope

(param name: (name) @local.definition)
(let name: (name) @local.definition)
(choose name: (name) @local.definition)
(parameters (name) @local.definition)
(generator pattern: (name) @local.definition)
(pattern_tuple (name) @local.definition)

(name) @local.reference
