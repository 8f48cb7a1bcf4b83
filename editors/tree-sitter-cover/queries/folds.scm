[
  (block)
  (param) (let) (assert) (cells) (values) (choose) (rule) (needs) (connected) (loop) (shape) (prefer) (agree) (alike) (given) (forbid)
  (clue) (optimize) (up_to) (answers_by) (show) (print) (outline) (expect)
] @fold

(comment)+ @fold
