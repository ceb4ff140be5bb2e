return bt.tree("guard", bt.reactive_sequence {
  bt.seek { to = "home" },
  bt.wait { seconds = 2 },
})
