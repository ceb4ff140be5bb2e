return bt.tree("guard", bt.reactive_selector {
  bt.time_limit { seconds = 3, bt.direct_chase {} },
  bt.patrol {},
})
