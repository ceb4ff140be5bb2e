return bt.tree("guard", bt.sequence {
  bt.invert {},
})
