return bt.tree("guard", bt.reactive_selector {
  bt.direct_chase {},
  bt.patrol {},
})
