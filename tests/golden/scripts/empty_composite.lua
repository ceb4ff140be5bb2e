return bt.tree("guard", bt.selector {})
