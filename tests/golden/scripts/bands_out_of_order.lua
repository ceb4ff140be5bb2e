return bt.tree("guard", bt.bands {
  { below = 12, bt.patrol {} },
  { below = 8, bt.patrol {} },
  { bt.patrol {} },
})
