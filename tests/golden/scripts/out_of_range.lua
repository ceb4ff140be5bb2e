return bt.tree("guard", bt.sequence {
  bt.wait { seconds = -1 },
  bt.formation { radius = 0 / 0 },
})
