return bt.tree("guard", bt.sequence {
  bt.wait { secnds = 1 },
})
