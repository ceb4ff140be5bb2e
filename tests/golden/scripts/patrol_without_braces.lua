return bt.tree("x", bt.sequence { bt.patrol })
