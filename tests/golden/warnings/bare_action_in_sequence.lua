return bt.tree("guard", bt.reactive_sequence {
  bt.log { text = "on my way" },
  bt.patrol {},
})
