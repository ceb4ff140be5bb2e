return bt.tree("guard", bt.sequence {
  bt.wiat { seconds = 1 },
})
