return bt.tree("guard", bt.retry {
  bt.invert { bt.command { name = "howl" } },
})
