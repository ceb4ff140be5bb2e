return bt.tree("guard", bt.reactive_selector {
  bt.blend { bt.wander {}, bt.separation {} },
  bt.patrol {},
})
