local tree = bt.tree("guard", bt.patrol {})
