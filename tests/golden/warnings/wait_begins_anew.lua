return bt.tree("guard", bt.reactive_selector {
  bt.sequence { bt.wait { seconds = 1 }, bt.sees_target {}, bt.direct_chase {} },
  bt.patrol {},
})
