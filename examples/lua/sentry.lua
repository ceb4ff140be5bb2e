-- The tree of e01_first_tree.rs: a node is a call, its parameters and children one table.
return bt.tree("sentry", bt.reactive_selector {
  bt.guard { when = bt.sees_target {}, bt.direct_chase {} },
  bt.patrol { speed = 2 },
})
