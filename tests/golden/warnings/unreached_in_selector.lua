return bt.tree("guard", bt.selector {
  bt.force_success { bt.patrol {} },
  bt.wait { seconds = 1 },
})
