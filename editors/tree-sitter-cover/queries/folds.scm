[
  (block)
  (param) (let) (assert) (cells) (values) (choose) (rule) (needs) (connected) (loop) (prefer) (agree) (given) (forbid)
  (optimize) (up_to) (answers_by) (show) (print) (outline) (expect)
] @fold

(comment)+ @fold
